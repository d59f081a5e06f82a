/** A run in figures: how long, how much work, how much faster than in sequence, and how many steps where. */

import type { StepStatus } from "@/lib/states";
import type { RunView, StepView } from "./view";
import { isFinalStep } from "./view";

export interface RunSummary {
  wallMs: number | null;
  workMs: number;
  /** Work over wall: how many times faster than the same steps one after the other. */
  speedUp: number | null;
  counts: Record<StepStatus, number>;
  total: number;
  done: number;
  inputTokens: number;
  outputTokens: number;
  cost: number | null;
}

const NO_COUNTS: Record<StepStatus, number> = {
  pending: 0,
  ready: 0,
  running: 0,
  waiting: 0,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
  held: 0,
};

export function summary(view: RunView, now: number): RunSummary {
  const steps = [...view.steps.values()];
  const counts = { ...NO_COUNTS };
  for (const step of steps) counts[step.status] += 1;
  const wallMs = view.startedAt === null ? null : Math.max(0, (view.finishedAt ?? now) - view.startedAt);
  // The work of a container is that of the steps inside, which only the server knows all of.
  const workMs = steps
    .filter((step) => step.progress === null)
    .reduce((sum, step) => sum + workOf(step, view.finishedAt ?? now), 0);
  return {
    wallMs,
    workMs,
    speedUp: wallMs !== null && wallMs > 0 && workMs > 0 ? workMs / wallMs : null,
    counts,
    total: steps.length,
    done: steps.filter((step) => isFinalStep(step.status)).length,
    ...tokens(steps),
  };
}

/** Time spent at work: all attempts, without queueing and without parked waiting. */
export function workOf(step: StepView, now: number): number {
  return step.attempts.reduce((sum, attempt) => {
    const end = attempt.parkedAt ?? attempt.finishedAt ?? now;
    return sum + Math.max(0, end - attempt.startedAt);
  }, 0);
}

function tokens(steps: readonly StepView[]) {
  let inputTokens = 0;
  let outputTokens = 0;
  let cost: number | null = null;
  for (const { usage } of steps) {
    if (!usage) continue;
    inputTokens += usage.input_tokens ?? 0;
    outputTokens += usage.output_tokens ?? 0;
    if (typeof usage.cost === "number") cost = (cost ?? 0) + usage.cost;
  }
  return { inputTokens, outputTokens, cost };
}
