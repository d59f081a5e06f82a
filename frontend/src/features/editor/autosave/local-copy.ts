/** A draft kept on this device while it could not be saved, so that closing the tab loses nothing. */
import type { GraphDocument } from "@/graph/graph";

export interface LocalCopy {
  document: GraphDocument;
  revision: number;
  at: number;
}

const keyOf = (workflowId: string) => `heddle.draft.${workflowId}`;

export function keepLocalCopy(workflowId: string, copy: LocalCopy): void {
  try {
    localStorage.setItem(keyOf(workflowId), JSON.stringify(copy));
  } catch {
    // The device has no room left: the server's copy and the open tab remain.
  }
}

export function readLocalCopy(workflowId: string): LocalCopy | null {
  try {
    const held = localStorage.getItem(keyOf(workflowId));
    return held === null ? null : (JSON.parse(held) as LocalCopy);
  } catch {
    return null;
  }
}

export function dropLocalCopy(workflowId: string): void {
  localStorage.removeItem(keyOf(workflowId));
}
