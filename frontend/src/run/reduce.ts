/** Fold a run's events into its view: the browser's twin of the engine's own fold. */

import { isObject } from "@/graph/json";
import type { Json } from "@/graph/json";
import type { RunStatus } from "@/lib/states";
import { readError } from "./error";
import { reduceStep } from "./reduce-step";
import type { RunEvent, RunView, StepView, Tally } from "./view";
import { itemOf, newStep } from "./view";

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
    tallies: new Map(view.tallies),
    byNode: new Map(view.byNode),
    order: [...view.order],
  };
  for (const event of fresh) fold(draft, event);
  return draft;
}

interface Draft extends RunView {
  steps: Map<string, StepView>;
  tallies: Map<string, Tally>;
  byNode: Map<string, string>;
  order: string[];
}

function fold(draft: Draft, event: RunEvent): void {
  if (event.seq <= draft.seq) return;
  draft.seq = event.seq;
  if (event.type.startsWith("step.")) foldStep(draft, event);
  else if (event.type === "plan.patched") foldChange(draft, event);
  else if (event.type.startsWith("run.")) foldRun(draft, event);
}

function foldStep(draft: Draft, event: RunEvent): void {
  if (event.step_id === null) return;
  const item = itemOf(event.path ?? "");
  if (item !== "") count(draft, event);
  if (item !== "" && !draft.opened.includes(item)) return;
  const before = draft.steps.get(event.step_id) ?? unknownStep(draft, event, event.step_id);
  if (before.readyAt === null && event.type !== "step.skipped") draft.order.push(before.id);
  draft.steps.set(before.id, reduceStep(before, event));
}

/** A map has up to hundreds of thousands of steps inside: those of items nobody looks at are only counted. */
function count(draft: Draft, event: RunEvent): void {
  if (event.node === null) return;
  const before = draft.tallies.get(event.node) ?? { succeeded: 0, failed: 0 };
  if (event.type === "step.succeeded")
    draft.tallies.set(event.node, { ...before, succeeded: before.succeeded + 1 });
  if (event.type === "step.failed") draft.tallies.set(event.node, { ...before, failed: before.failed + 1 });
}

function foldChange(draft: Draft, event: RunEvent): void {
  draft.changes = typeof event.data["number"] === "number" ? event.data["number"] : draft.changes + 1;
  createSteps(draft, event.data["added"]);
}

/** A step that was made while the run went on, such as an item of a map. */
function unknownStep(draft: Draft, event: RunEvent, id: string): StepView {
  const node = event.node ?? event.path ?? id;
  const path = event.path ?? node;
  draft.byNode.set(node, id);
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
    case "run.paused":
      draft.status = "paused";
      draft.reason = reasonOf(event);
      return;
    case "run.resumed":
      draft.status = "running";
      draft.reason = "";
      return;
    case "run.retried":
      reopen(draft);
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
      draft.reason = reasonOf(event);
  }
}

function reasonOf(event: RunEvent): string {
  return typeof event.data["reason"] === "string" ? event.data["reason"] : "";
}

/** What failed inside containers waits again, and so counts no more. */
function reopen(draft: Draft): void {
  draft.status = "running";
  draft.finishedAt = null;
  draft.error = null;
  draft.reason = "";
  for (const [node, tally] of draft.tallies) draft.tallies.set(node, { ...tally, failed: 0 });
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
