/** Everything a page stands on: the theme, the server's data, and the corner for toasts. */
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { cspNonce } from "@/lib/csp-nonce";
import { colorSchemeManager } from "@/lib/theme-choice";
import { cssVariablesResolver, theme } from "./theme";

interface ProvidersProps {
  queryClient: QueryClient;
  children: ReactNode;
}

export function Providers({ queryClient, children }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={cspNonce}
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <Notifications position="bottom-right" limit={3} containerWidth={344} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
