/** The widths at which the layout changes, as the style sheets use them. */
import { useMediaQuery } from "@mantine/hooks";

export const phoneWidth = "(max-width: 40em)";
export const narrowWidth = "(max-width: 64em)";

export function usePhone(): boolean {
  return useMediaQuery(phoneWidth, false, { getInitialValueInEffect: false });
}

export function useNarrow(): boolean {
  return useMediaQuery(narrowWidth, false, { getInitialValueInEffect: false });
}
