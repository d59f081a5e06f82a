/** Undo and redo: the edits made, each with the edit that takes it back. */

import type { Edit } from "./edit";

export interface Entry {
  /** What was done, in words for the button's tooltip. */
  label: string;
  redo: Edit;
  undo: Edit;
  /** Entries with one key replace the same fields, so that those made in one go become one step (typing). */
  mergeKey: string | null;
  at: number;
}

export interface History {
  past: readonly Entry[];
  future: readonly Entry[];
}

export const EMPTY_HISTORY: History = { past: [], future: [] };

const MERGE_WITHIN_MS = 1500;
const LIMIT = 500;

/** Remember an edit; typing in one go is one step, and a new edit ends the way forward. */
export function record(history: History, entry: Entry): History {
  const last = history.past.at(-1);
  if (last && mayMerge(last, entry)) {
    const merged: Entry = {
      ...entry,
      undo: last.undo,
    };
    return { past: [...history.past.slice(0, -1), merged], future: [] };
  }
  return { past: [...history.past, entry].slice(-LIMIT), future: [] };
}

function mayMerge(last: Entry, entry: Entry): boolean {
  return entry.mergeKey !== null && last.mergeKey === entry.mergeKey && entry.at - last.at < MERGE_WITHIN_MS;
}

/** Step back: the edit to apply and the history after it, or null at the beginning. */
export function undo(history: History): { edit: Edit; history: History; label: string } | null {
  const last = history.past.at(-1);
  if (!last) return null;
  return {
    edit: last.undo,
    label: last.label,
    history: { past: history.past.slice(0, -1), future: [{ ...last, mergeKey: null }, ...history.future] },
  };
}

/** Step forward again, or null at the end. */
export function redo(history: History): { edit: Edit; history: History; label: string } | null {
  const [next, ...rest] = history.future;
  if (!next) return null;
  return { edit: next.redo, label: next.label, history: { past: [...history.past, next], future: rest } };
}
