/** Fold a run's events into its view: the browser's twin of the engine's own fold. */

import { isObject } from "@/graph/json";
import type { Json } from "@/graph/json";
import type { RunStatus } from "@/lib/states";
import { readError } from "./error";
import { reduceStep } from "./reduce-step";
import type { RunEvent, RunView, StepView } from "./view";
import { newStep } from "./view";

/** Fold one event; an event already folded changes nothing. */
export function reduce(view: RunView, event: RunEvent): RunView {
  return reduceAll(view, [event]);
}

/** Fold many events, copying the steps once for all of them. */
export function reduceAll(view: RunView, events: readonly RunEvent[]): RunView {
  const fresh = events.filter((event) => event.seq > view.seq);
  if (!fresh.length) return view;
  const draft: Draft = {
    ...view,
    steps: new Map(view.steps),
    byNode: new Map(view.byNode),
    order: [...view.order],
  };
  for (const event of fresh) fold(draft, event);
  return draft;
}

interface Draft extends RunView {
  steps: Map<string, StepView>;
  byNode: Map<string, string>;
  order: string[];
}

function fold(draft: Draft, event: RunEvent): void {
  if (event.seq <= draft.seq) return;
  draft.seq = event.seq;
  if (event.type.startsWith("step.")) foldStep(draft, event);
  else if (event.type.startsWith("run.")) foldRun(draft, event);
}

function foldStep(draft: Draft, event: RunEvent): void {
  if (event.step_id === null) return;
  const before = draft.steps.get(event.step_id) ?? unknownStep(draft, event, event.step_id);
  if (before.readyAt === null && event.type !== "step.skipped") draft.order.push(before.id);
  draft.steps.set(before.id, reduceStep(before, event));
}

/** A step that was made while the run went on, such as an item of a map. */
function unknownStep(draft: Draft, event: RunEvent, id: string): StepView {
  const node = event.node ?? event.path ?? id;
  const path = event.path ?? node;
  if (path === node) draft.byNode.set(node, id);
  return newStep(id, node, path);
}

function foldRun(draft: Draft, event: RunEvent): void {
  const at = Date.parse(event.at);
  switch (event.type) {
    case "run.created":
      draft.createdAt = at;
      createSteps(draft, event.data["steps"]);
      return;
    case "run.started":
      draft.status = "running";
      draft.startedAt = at;
      return;
    case "run.succeeded":
      finish(draft, "succeeded", at);
      draft.outputs = event.data["outputs"] ?? null;
      return;
    case "run.failed":
      finish(draft, "failed", at);
      draft.error = readError(event.data["error"]);
      return;
    case "run.cancelled":
      finish(draft, "cancelled", at);
      draft.reason = typeof event.data["reason"] === "string" ? event.data["reason"] : "";
  }
}

function createSteps(draft: Draft, steps: Json | undefined): void {
  if (!isObject(steps)) return;
  for (const [node, id] of Object.entries(steps)) {
    if (typeof id !== "string") continue;
    draft.steps.set(id, newStep(id, node, node));
    draft.byNode.set(node, id);
  }
}

function finish(draft: Draft, status: RunStatus, at: number): void {
  draft.status = status;
  draft.finishedAt = at;
}
