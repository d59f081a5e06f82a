/** Events as sentences, for the list beside the timeline and for screen readers. */

import type { Json } from "@/graph/json";
import type { State } from "@/lib/states";
import { readError } from "./error";
import { progressWords } from "./progress";
import type { RunEvent } from "./view";

export interface Sentence {
  seq: number;
  at: number;
  state: State;
  text: string;
  stepId: string | null;
}

type Teller = (name: string, event: RunEvent) => [State, string];

const TELLERS: Readonly<Record<string, Teller>> = {
  "run.created": () => ["pending", "Run created"],
  "run.started": () => ["running", "Run started"],
  "run.succeeded": () => ["succeeded", "Run succeeded"],
  "run.failed": (_name, event) => ["failed", `Run failed: ${errorText(event)}`],
  "run.paused": (_name, event) => ["held", withReason("Run paused", event)],
  "run.resumed": () => ["running", "Run resumed"],
  "run.retried": () => ["running", "Run retried from what succeeded"],
  "plan.patched": (_name, event) => ["running", changed(event)],
  "run.cancelled": (_name, event) => ["cancelled", withReason("Run cancelled", event)],
  "step.ready": (name) => ["ready", `${name} is ready`],
  "step.started": (name, event) => [
    "running",
    (event.attempt ?? 1) > 1 ? `${name} started, try ${String(event.attempt)}` : `${name} started`,
  ],
  "step.waiting": (name, event) => ["waiting", `${name} waits${waitsFor(event)}`],
  "step.reopened": (name) => ["pending", `${name} waits for its inputs again`],
  "step.progress": (name, event) => ["running", `${name}: ${progressed(event)}`],
  "step.succeeded": (name, event) => ["succeeded", succeeded(name, event)],
  "step.failed": (name, event) => ["failed", `${name}: ${errorText(event)}`],
  "step.retrying": (name, event) => [
    "failed",
    `${name}: ${errorText(event).replace(/\.$/, "")}${again(event)}`,
  ],
  "step.lost": (name) => ["held", `${name} lost its worker, runs again elsewhere`],
  "step.skipped": (name, event) => ["skipped", withReason(`${name} skipped`, event)],
  "step.cancelled": (name, event) => ["cancelled", withReason(`${name} cancelled`, event)],
  "step.held": (name, event) => ["held", withReason(`${name} is held`, event)],
};

const WAITS_FOR: Readonly<Record<string, string>> = {
  time: " for its time",
  signal: " for its signal",
  workflow: " for the run of another workflow",
};

function waitsFor(event: RunEvent): string {
  const cause = event.data["for"];
  return typeof cause === "string" ? (WAITS_FOR[cause] ?? "") : "";
}

function progressed(event: RunEvent): string {
  const { total, done, failed, begun } = event.data;
  const count = (value: Json | undefined) => (typeof value === "number" ? value : 0);
  return progressWords({
    total: typeof total === "number" ? total : null,
    begun: count(begun),
    done: count(done),
    failed: count(failed),
  });
}

function changed(event: RunEvent): string {
  const { operations, by } = event.data;
  const number = Array.isArray(operations) ? operations.length : 0;
  const what = number === 1 ? "1 operation" : `${number} operations`;
  return `The graph was changed by a ${typeof by === "string" ? "step" : "person"}: ${what}`;
}

/** Say an event in one sentence; events that only repeat others give null. */
export function sentence(event: RunEvent, nameOf: (node: string) => string): Sentence | null {
  const teller = TELLERS[event.type];
  const name = event.node === null ? "" : itemName(nameOf(event.node), event);
  const [state, text] = teller ? teller(name, event) : (["pending", `${name} ${event.type}`.trim()] as const);
  return { seq: event.seq, at: Date.parse(event.at), state, text, stepId: event.step_id };
}

function itemName(name: string, event: RunEvent): string {
  return event.path !== null && event.path !== event.node ? `${name} (${event.path})` : name;
}

function succeeded(name: string, event: RunEvent): string {
  const ports = event.data["ports"];
  const chosen = Array.isArray(ports) ? ports.filter((port) => port !== "out").map(String) : [];
  if (chosen.length) return `${name} chose ${chosen.join(", ")}`;
  return (event.attempt ?? 1) > 1 ? `${name} succeeded on try ${String(event.attempt)}` : `${name} succeeded`;
}

function errorText(event: RunEvent): string {
  return readError(event.data["error"])?.message ?? "failed without a message";
}

function again(event: RunEvent): string {
  const until = event.data["not_before"];
  if (typeof until !== "string") return ", tries again";
  const wait = Math.max(0, Date.parse(until) - Date.parse(event.at)) / 1000;
  return `, again in ${wait.toFixed(wait < 10 ? 1 : 0)} s`;
}

function withReason(text: string, event: RunEvent): string {
  const reason: Json | undefined = event.data["reason"];
  return typeof reason === "string" && reason ? `${text}: ${reason}` : text;
}
