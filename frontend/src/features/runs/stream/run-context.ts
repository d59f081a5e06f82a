/** Hands the run's store to everything on its page. */
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { RunDetail } from "@/api/types";
import type { Kinds } from "@/graph/kinds";
import type { RunState, RunStore } from "./run-store";

export interface OpenRun {
  run: RunDetail;
  kinds: Kinds;
  store: RunStore;
}

export const OpenRunContext = createContext<OpenRun | null>(null);

export function useOpenRun(): OpenRun {
  const open = useContext(OpenRunContext);
  if (!open) throw new Error("This part belongs on the page of a run.");
  return open;
}

export function useRunState<T>(select: (state: RunState) => T): T {
  return useStore(useOpenRun().store, select);
}
