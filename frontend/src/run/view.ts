/** What the browser knows of a run: the fold of its events. */

import type { Json } from "@/graph/json";
import type { RunStatus, StepStatus } from "@/lib/states";

export interface RunError {
  code: string;
  message: string;
  retryable?: boolean;
  node_id?: string | null;
}

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cost?: number | null;
}

export interface RunEvent {
  seq: number;
  type: string;
  at: string;
  step_id: string | null;
  node: string | null;
  path: string | null;
  attempt: number | null;
  data: Record<string, Json>;
}

/** One try of a step, from its start to how it ended. */
export interface Attempt {
  number: number;
  readyAt: number | null;
  startedAt: number;
  /** When it was parked for a time or a signal: from then on it waited and did not work. */
  parkedAt: number | null;
  finishedAt: number | null;
  outcome: "running" | "waiting" | "succeeded" | "failed" | "lost" | "cancelled";
  error: RunError | null;
}

export interface StepView {
  id: string;
  node: string;
  path: string;
  status: StepStatus;
  attempt: number;
  readyAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  notBefore: number | null;
  waitingUntil: number | null;
  attempts: readonly Attempt[];
  ports: readonly string[];
  error: RunError | null;
  usage: Usage | null;
  preview: string;
  reason: string;
}

export interface RunView {
  status: RunStatus;
  seq: number;
  createdAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  steps: ReadonlyMap<string, StepView>;
  /** Node id to step id, for the static nodes of the graph. */
  byNode: ReadonlyMap<string, string>;
  /** Step ids in the order in which they first became ready. */
  order: readonly string[];
  outputs: Json | null;
  error: RunError | null;
  reason: string;
}

export const EMPTY_VIEW: RunView = {
  status: "queued",
  seq: 0,
  createdAt: null,
  startedAt: null,
  finishedAt: null,
  steps: new Map(),
  byNode: new Map(),
  order: [],
  outputs: null,
  error: null,
  reason: "",
};

export function newStep(id: string, node: string, path: string): StepView {
  return {
    id,
    node,
    path,
    status: "pending",
    attempt: 0,
    readyAt: null,
    startedAt: null,
    finishedAt: null,
    notBefore: null,
    waitingUntil: null,
    attempts: [],
    ports: [],
    error: null,
    usage: null,
    preview: "",
    reason: "",
  };
}

export function stepOfNode(view: RunView, node: string): StepView | undefined {
  const id = view.byNode.get(node);
  return id === undefined ? undefined : view.steps.get(id);
}

export function isFinalStep(status: StepStatus): boolean {
  return status === "succeeded" || status === "failed" || status === "skipped" || status === "cancelled";
}
