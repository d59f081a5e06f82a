/** The widths at which the layout changes, as the style sheets use them. */
import { useMediaQuery } from "@mantine/hooks";

export const phoneWidth = "(max-width: 40em)";
export const narrowWidth = "(max-width: 64em)";

/** Where tables leave out what is not needed to choose a row. */
export const slimTableWidth = "(max-width: 56em)";

export function useSlimTables(): boolean {
  return useMediaQuery(slimTableWidth, false, { getInitialValueInEffect: false });
}

export function usePhone(): boolean {
  return useMediaQuery(phoneWidth, false, { getInitialValueInEffect: false });
}

export function useNarrow(): boolean {
  return useMediaQuery(narrowWidth, false, { getInitialValueInEffect: false });
}
