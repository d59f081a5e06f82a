/** Figures, critical path and timeline of the run on the screen. */
import { useMemo } from "react";
import type { RunDetail } from "@/api/types";
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
  const { run } = useOpenRun();
  return useMemo(() => withItems(summary(view, now), run), [view, now, run]);
}

/** What happens inside containers is counted by the server: the page follows the opened item alone. */
function withItems(figures: RunSummary, run: RunDetail): RunSummary {
  if (!run.document.nodes.some((node) => node.parent !== undefined)) return figures;
  const { total, ...counts } = run.steps;
  const workMs = (run.timings?.work_s ?? 0) * 1000;
  return {
    ...figures,
    workMs,
    speedUp: figures.wallMs && workMs ? workMs / figures.wallMs : null,
    counts,
    total,
    done: counts.succeeded + counts.failed + counts.skipped + counts.cancelled,
    ...spent(run),
  };
}

function spent({ usage }: RunDetail) {
  if (!usage) return { inputTokens: 0, outputTokens: 0, cost: null };
  return { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens, cost: usage.cost };
}

/** Decided again with every event, not with every tick: it changes only when a step begins or ends. */
export function useCriticalPath(): string[] {
  const { run } = useOpenRun();
  const view = useRunState((state) => state.view);
  return useMemo(() => criticalPath(run.document, view, Number.MAX_SAFE_INTEGER), [run.document, view]);
}
