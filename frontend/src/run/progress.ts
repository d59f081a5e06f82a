/** How far a map or loop has got, in words and as cells. */

import type { Progress } from "./view";

/** "37 of 100 · 2 failed"; of a loop that only its condition ends "7 rounds". */
export function progressWords({ total, done, failed }: Progress): string {
  const ended = done + failed;
  const words = total === null ? `${ended} done` : `${ended} of ${total}`;
  return failed ? `${words} · ${failed} failed` : words;
}

export type CellState = "succeeded" | "failed" | "running" | "pending";

const MOST_CELLS = 40;

/** Cells in shares of what ended well, failed, is under way and is to come; something small is never lost. */
export function weaveCells({ total, begun, done, failed }: Progress): CellState[] {
  const all = Math.max(total ?? begun, begun, 1);
  const count = Math.min(MOST_CELLS, all);
  const parts: [CellState, number][] = [
    ["failed", failed],
    ["running", Math.max(0, begun - done - failed)],
    ["succeeded", done],
  ];
  const cells: CellState[] = [];
  for (const [state, number] of parts) {
    const exact = (number / all) * count;
    const share = number > 0 ? Math.max(1, Math.floor(exact)) : 0;
    cells.push(...Array.from({ length: Math.min(share, count - cells.length) }, () => state));
  }
  const order: CellState[] = ["succeeded", "failed", "running", "pending"];
  cells.push(...Array.from({ length: count - cells.length }, (): CellState => "pending"));
  if (begun === all && done + failed === all) return filled(cells, failed ? "failed" : "succeeded", order);
  return cells.sort((left, right) => order.indexOf(left) - order.indexOf(right));
}

/** Rounding leaves cells over once everything has ended: they belong to what ended. */
function filled(cells: CellState[], state: CellState, order: readonly CellState[]): CellState[] {
  const most: CellState = cells.includes("succeeded") ? "succeeded" : state;
  return cells
    .map((cell) => (cell === "pending" ? most : cell))
    .sort((left, right) => order.indexOf(left) - order.indexOf(right));
}
