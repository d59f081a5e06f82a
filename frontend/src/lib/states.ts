/** The states a step or a run may be in, as the screen names and draws them. */

export const stepStates = [
  "pending",
  "ready",
  "running",
  "waiting",
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
  "held",
] as const;

export type StepStatus = (typeof stepStates)[number];
export type RunStatus = "queued" | "running" | "paused" | "succeeded" | "failed" | "cancelled";

/** What is drawn: a step's states, and `cached` for a result that was reused. */
export type State = StepStatus | "cached";

const runStates: Record<RunStatus, State> = {
  queued: "ready",
  running: "running",
  paused: "held",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
};

/** Runs borrow the shapes of steps. */
export function stateOfRun(status: RunStatus): State {
  return runStates[status];
}

export function stateWord(state: State | RunStatus): string {
  return state.charAt(0).toUpperCase() + state.slice(1);
}

/** Whether nothing will change a run of this status any more. */
export function isFinal(status: RunStatus): boolean {
  return status === "succeeded" || status === "failed" || status === "cancelled";
}
