/** The reader's choice of light, dark or the system's, kept in this browser. */
import { localStorageColorSchemeManager, useMantineColorScheme } from "@mantine/core";

export type ThemeChoice = "light" | "dark" | "auto";

/** `public/theme.js` reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: "heddle.theme" });

export const themeChoices = [
  { value: "light", name: "Light", icon: "sun" },
  { value: "dark", name: "Dark", icon: "moon" },
  { value: "auto", name: "As the system", icon: "system" },
] as const;

export function useThemeChoice(): { choice: ThemeChoice; choose: (choice: ThemeChoice) => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { choice: colorScheme, choose: setColorScheme };
}
