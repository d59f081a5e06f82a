/** The order of the list, as the API names it: a column, with a minus where it is turned round. */
import type { Sorting } from "@/components/data-table";

/** Names are read from A to Z, times from the newest. */
const firstDescending = new Set(["updated_at"]);

export function sortingOf(ordering: string): Sorting {
  return ordering.startsWith("-")
    ? { column: ordering.slice(1), descending: true }
    : { column: ordering, descending: false };
}

export function toggled(ordering: string, column: string): string {
  const current = sortingOf(ordering);
  const descending = current.column === column ? !current.descending : firstDescending.has(column);
  return descending ? `-${column}` : column;
}
