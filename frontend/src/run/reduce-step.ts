/** Fold one event of a step into what is known of the step. */

import { isObject } from "@/graph/json";
import type { Json } from "@/graph/json";
import { readError } from "./error";
import { newStep } from "./view";
import type { Attempt, Progress, RunEvent, StepView, Usage, WaitsFor } from "./view";

type Fold = (step: StepView, event: RunEvent, at: number) => StepView;

const FOLDS: Readonly<Record<string, Fold>> = {
  "step.ready": ready,
  "step.started": started,
  "step.waiting": waiting,
  "step.succeeded": succeeded,
  "step.failed": failed,
  "step.retrying": retrying,
  "step.lost": lost,
  "step.skipped": skipped,
  "step.cancelled": cancelled,
  "step.held": held,
  "step.progress": progressed,
  "step.reopened": reopened,
};

export function reduceStep(step: StepView, event: RunEvent): StepView {
  return FOLDS[event.type]?.(step, event, Date.parse(event.at)) ?? step;
}

function ready(step: StepView, event: RunEvent, at: number): StepView {
  return {
    ...step,
    status: "ready",
    readyAt: at,
    notBefore: time(event.data["not_before"]),
    startedAt: null,
    reason: "",
  };
}

function started(step: StepView, event: RunEvent, at: number): StepView {
  const number = event.attempt ?? step.attempt + 1;
  const attempt: Attempt = {
    number,
    readyAt: step.readyAt,
    startedAt: at,
    parkedAt: null,
    finishedAt: null,
    outcome: "running",
    error: null,
  };
  return {
    ...step,
    status: "running",
    attempt: number,
    startedAt: at,
    readyAt: step.readyAt ?? at,
    notBefore: null,
    attempts: [...step.attempts, attempt],
  };
}

function waiting(step: StepView, event: RunEvent, at: number): StepView {
  return {
    ...step,
    status: "waiting",
    waitingUntil: time(event.data["until"]),
    waitsFor: waitsFor(event.data["for"]),
    childRunId: text(event.data["run_id"]) || step.childRunId,
    attempts: close(step, { outcome: "waiting", parkedAt: at }),
  };
}

function succeeded(step: StepView, event: RunEvent, at: number): StepView {
  return {
    ...ended(step, event, at, "succeeded"),
    status: "succeeded",
    usage: readUsage(event.data["usage"]),
    preview: text(event.data["preview"]),
    error: null,
  };
}

function failed(step: StepView, event: RunEvent, at: number): StepView {
  return { ...ended(step, event, at, "failed"), status: "failed", error: readError(event.data["error"]) };
}

function ended(step: StepView, event: RunEvent, at: number, outcome: Attempt["outcome"]): StepView {
  const begun = step.startedAt ?? at;
  return {
    ...step,
    attempt: event.attempt ?? step.attempt,
    readyAt: step.readyAt ?? begun,
    startedAt: begun,
    finishedAt: at,
    notBefore: null,
    waitingUntil: null,
    reason: text(event.data["reason"]),
    progress: readProgress(event.data["progress"]) ?? step.progress,
    ports: strings(event.data["ports"]),
    attempts: close(step, { outcome, finishedAt: at, error: readError(event.data["error"]) }),
  };
}

function retrying(step: StepView, event: RunEvent, at: number): StepView {
  const error = readError(event.data["error"]);
  return {
    ...step,
    status: "ready",
    readyAt: at,
    startedAt: null,
    notBefore: time(event.data["not_before"]),
    error,
    attempts: close(step, { outcome: "failed", finishedAt: at, error }),
  };
}

function lost(step: StepView, event: RunEvent, at: number): StepView {
  return {
    ...step,
    status: "ready",
    readyAt: at,
    startedAt: null,
    notBefore: time(event.data["not_before"]),
    attempts: close(step, { outcome: "lost", finishedAt: at }),
  };
}

function skipped(step: StepView, event: RunEvent, at: number): StepView {
  return { ...step, status: "skipped", finishedAt: at, reason: text(event.data["reason"]) };
}

function cancelled(step: StepView, event: RunEvent, at: number): StepView {
  return {
    ...step,
    status: "cancelled",
    finishedAt: at,
    notBefore: null,
    waitingUntil: null,
    reason: text(event.data["reason"]),
    attempts: close(step, { outcome: "cancelled", finishedAt: at }),
  };
}

function held(step: StepView, event: RunEvent, at: number): StepView {
  return {
    ...step,
    status: "held",
    reason: text(event.data["reason"]),
    notBefore: null,
    attempts: close(step, { outcome: "lost", finishedAt: at }),
  };
}

function progressed(step: StepView, event: RunEvent): StepView {
  return { ...step, status: "running", progress: readProgress(event.data) ?? step.progress };
}

/** It waits for its inputs again, because its run is retried; what was tried stays in its history. */
function reopened(step: StepView): StepView {
  const { attempt, attempts, progress, childRunId } = step;
  return { ...newStep(step.id, step.node, step.path), attempt, attempts, progress, childRunId };
}

/** Write how the open attempt went on; one that was never started has none. */
function close(step: StepView, change: Partial<Attempt>): readonly Attempt[] {
  const open = step.attempts.at(-1);
  if (!open || open.finishedAt !== null) return step.attempts;
  return [...step.attempts.slice(0, -1), { ...open, ...change }];
}

function time(value: Json | undefined): number | null {
  return typeof value === "string" ? Date.parse(value) : null;
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function waitsFor(value: Json | undefined): WaitsFor | null {
  return value === "time" || value === "signal" || value === "workflow" ? value : null;
}

function readProgress(value: Json | undefined): Progress | null {
  if (!isObject(value) || typeof value["done"] !== "number") return null;
  const count = (name: string) => {
    const held = value[name];
    return typeof held === "number" ? held : 0;
  };
  const total = typeof value["total"] === "number" ? value["total"] : null;
  return { total, begun: count("begun"), done: count("done"), failed: count("failed") };
}

function readUsage(value: Json | undefined): Usage | null {
  if (!isObject(value)) return null;
  const usage: Usage = {};
  if (typeof value["input_tokens"] === "number") usage.input_tokens = value["input_tokens"];
  if (typeof value["output_tokens"] === "number") usage.output_tokens = value["output_tokens"];
  if (typeof value["cost"] === "number") usage.cost = value["cost"];
  return Object.keys(usage).length ? usage : null;
}
