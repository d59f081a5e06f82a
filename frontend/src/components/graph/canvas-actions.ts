/** What can be done on a canvas that is edited; a run's canvas offers nothing. */
import { createContext, useContext } from "react";
import type { Point } from "@/graph/graph";

export interface CanvasActions {
  addAfter: (from: { node: string; port: string }, screen: Point) => void;
  insertOn: (edgeId: string, screen: Point) => void;
  showIssues: (nodeId: string) => void;
}

export const CanvasActionsContext = createContext<CanvasActions | null>(null);

export function useCanvasActions(): CanvasActions | null {
  return useContext(CanvasActionsContext);
}
