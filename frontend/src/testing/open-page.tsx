/** Opens an address of the application as a browser would. */
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Providers } from "@/app/providers";
import { makeQueryClient } from "@/app/query-client";
import { makeRouter } from "@/app/router";

export function openPage(address: string) {
  const queryClient = makeQueryClient();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  const router = makeRouter(queryClient, createMemoryHistory({ initialEntries: [address] }));
  const page = render(
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { ...page, router, user: userEvent.setup() };
}
