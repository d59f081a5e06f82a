/** Figures, critical path and timeline of the run on the screen. */
import { useMemo } from "react";
import { isFinal } from "@/lib/states";
import { criticalPath } from "@/run/critical-path";
import { summary, type RunSummary } from "@/run/summary";
import { useOpenRun, useRunState } from "./run-context";
import { useTick } from "./use-tick";

export function useIsLive(): boolean {
  return useRunState((state) => !isFinal(state.view.status));
}

export function useFigures(): RunSummary {
  const view = useRunState((state) => state.view);
  const now = useTick(useIsLive());
  return useMemo(() => summary(view, now), [view, now]);
}

/** Decided again with every event, not with every tick: it changes only when a step begins or ends. */
export function useCriticalPath(): string[] {
  const { run } = useOpenRun();
  const view = useRunState((state) => state.view);
  return useMemo(() => criticalPath(run.document, view, Number.MAX_SAFE_INTEGER), [run.document, view]);
}
