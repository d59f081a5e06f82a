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

/** Items or rounds of a container: how many there are, were begun, ended well, and failed. */
export interface Progress {
  total: number | null;
  begun: number;
  done: number;
  failed: number;
}

/** Steps of one node inside containers that are not looked at: only counted. */
export interface Tally {
  succeeded: number;
  failed: number;
}

/** What a parked step waits for. */
export type WaitsFor = "time" | "signal" | "workflow";

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
  waitsFor: WaitsFor | null;
  /** The run that another workflow makes for it. */
  childRunId: string | null;
  progress: Progress | null;
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
  /** The steps at the top, and those of the opened items. */
  steps: ReadonlyMap<string, StepView>;
  /** Opened items: what stands in front of the paths of their steps, `each[3]/`. */
  opened: readonly string[];
  /** Ended steps inside containers, by node. */
  tallies: ReadonlyMap<string, Tally>;
  /** How often the graph was changed. */
  changes: number;
  /** Node id to step id: of nodes at the top, and of those inside the opened items. */
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
  opened: [],
  tallies: new Map(),
  changes: 0,
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
    waitsFor: null,
    childRunId: null,
    progress: null,
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

/** What stands in front of a step's path: `each[3]/` of `each[3]/summary`, nothing at the top. */
export function itemOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
