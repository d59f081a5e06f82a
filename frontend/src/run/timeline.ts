/** The timeline: a row per step, with its bars, its waits and what they waited for. */

import type { GraphDocument } from "@/graph/graph";
import { nameOf, predecessors } from "@/graph/adjacency";
import type { StepStatus } from "@/lib/states";
import { progressWords } from "./progress";
import type { Attempt, RunView, StepView } from "./view";
import { isFinalStep, stepOfNode } from "./view";

export interface Bar {
  /** `work` runs, `wait` stands ready without a place, `pause` waits for a retry, a time or a person. */
  kind: "work" | "wait" | "pause";
  state: StepStatus;
  /** Milliseconds from the run's beginning. */
  from: number;
  to: number;
  open: boolean;
}

export interface Row {
  stepId: string;
  node: string;
  name: string;
  status: StepStatus;
  bars: Bar[];
  critical: boolean;
  /** Words beside the bars: what a pending step needs, why it waited, how its tries went. */
  note: string;
}

export interface Timeline {
  rows: Row[];
  /** Milliseconds from the beginning to the last bar's end, or to now while the run goes on. */
  span: number;
  /** Where now lies, while the run goes on. */
  now: number | null;
}

/** A wait shorter than this is not worth a bar or a word. */
const NOTICEABLE_MS = 50;

/** Lay out all steps, in order of their start, pending ones last in the order of the graph. */
export function timeline(
  document: GraphDocument,
  view: RunView,
  critical: readonly string[],
  now: number,
): Timeline {
  const origin = view.startedAt ?? view.createdAt ?? now;
  const over = view.finishedAt !== null;
  const end = view.finishedAt ?? now;
  const onPath = new Set(critical);
  const place = new Map(document.nodes.map((node, index) => [node.id, index]));
  const steps = [...view.steps.values()].sort((left, right) => compare(left, right, place));
  const rows = steps.map((step) =>
    toRow(step, { document, view, origin, end, critical: onPath.has(step.node) }),
  );
  const last = Math.max(0, ...rows.flatMap((row) => row.bars.map((bar) => bar.to)));
  return { rows, span: Math.max(over ? last : end - origin, 1), now: over ? null : end - origin };
}

function compare(left: StepView, right: StepView, place: ReadonlyMap<string, number>): number {
  const begun = (step: StepView) => step.attempts[0]?.startedAt ?? step.startedAt ?? step.readyAt ?? Infinity;
  const [first, second] = [begun(left), begun(right)];
  if (first !== second) return first < second ? -1 : 1;
  return (
    (place.get(left.node) ?? Infinity) - (place.get(right.node) ?? Infinity) ||
    left.path.localeCompare(right.path)
  );
}

interface RowContext {
  document: GraphDocument;
  view: RunView;
  origin: number;
  end: number;
  critical: boolean;
}

function toRow(step: StepView, context: RowContext): Row {
  return {
    stepId: step.id,
    node: step.node,
    name: step.path === step.node ? nameOf(context.document, step.node) : step.path,
    status: step.status,
    bars: bars(step, context),
    critical: context.critical,
    note: note(step, context),
  };
}

function bars(step: StepView, { origin, end }: RowContext): Bar[] {
  const stretch = (kind: Bar["kind"], state: StepStatus, from: number, to: number, open = false): Bar => ({
    kind,
    state,
    from: Math.max(0, from - origin),
    to: Math.max(0, to - origin),
    open,
  });
  const drawn = attemptsOf(step).flatMap((attempt, index, all): Bar[] => {
    const wait = waitBefore(attempt, all[index - 1], stretch);
    const to = attempt.finishedAt ?? end;
    const open = attempt.finishedAt === null;
    const state = attempt.outcome === "lost" ? "held" : attempt.outcome;
    if (attempt.parkedAt === null) return [...wait, stretch("work", state, attempt.startedAt, to, open)];
    const worked = stretch("work", "succeeded", attempt.startedAt, attempt.parkedAt);
    return [...wait, worked, stretch("pause", "waiting", attempt.parkedAt, to, open)];
  });
  return [...drawn, ...queueNow(step, end, stretch)];
}

type Stretch = (kind: Bar["kind"], state: StepStatus, from: number, to: number, open?: boolean) => Bar;

/** Inline steps may come with their end alone: one attempt without a length. */
function attemptsOf(step: StepView): readonly Attempt[] {
  if (step.attempts.length || step.startedAt === null || !isFinalStep(step.status)) return step.attempts;
  const outcome = step.status === "skipped" ? "cancelled" : (step.status as Attempt["outcome"]);
  return [
    {
      number: 1,
      readyAt: step.readyAt,
      startedAt: step.startedAt,
      parkedAt: null,
      finishedAt: step.finishedAt,
      outcome,
      error: step.error,
    },
  ];
}

function waitBefore(attempt: Attempt, previous: Attempt | undefined, stretch: Stretch): Bar[] {
  const from = previous?.finishedAt ?? attempt.readyAt;
  if (from === null || attempt.startedAt - from < NOTICEABLE_MS) return [];
  const retry = previous?.outcome === "failed";
  return [stretch(retry ? "pause" : "wait", retry ? "failed" : "ready", from, attempt.startedAt)];
}

function queueNow(step: StepView, end: number, stretch: Stretch): Bar[] {
  if (step.status !== "ready" || step.readyAt === null || end - step.readyAt < NOTICEABLE_MS) return [];
  const pausing = step.notBefore !== null && step.notBefore > end;
  return [stretch(pausing ? "pause" : "wait", pausing ? "failed" : "ready", step.readyAt, end, true)];
}

function note(step: StepView, { document, view, end }: RowContext): string {
  switch (step.status) {
    case "pending":
      return needs(document, view, step.node);
    case "skipped":
      return step.reason ? `skipped: ${step.reason}` : "skipped";
    case "waiting":
      return step.waitingUntil === null
        ? step.childRunId === null
          ? "waits for a signal"
          : "waits for the run of another workflow"
        : `goes on in ${seconds(step.waitingUntil - end)}`;
    case "ready":
      return readyNote(step, end);
    case "held":
      return step.reason;
    default:
      return triesNote(step);
  }
}

function needs(document: GraphDocument, view: RunView, node: string): string {
  const missing = predecessors(document, node).filter(
    (id) => !isFinalStep(stepOfNode(view, id)?.status ?? "pending"),
  );
  const names = [...new Set(missing)].map((id) => nameOf(document, id));
  return names.length ? `needs ${listed(names)}` : "not started";
}

/** Join names as a sentence does; more than three become a number. */
export function listed(names: readonly string[]): string {
  if (names.length > 3) return `${names.slice(0, 2).join(", ")} and ${String(names.length - 2)} more`;
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

function readyNote(step: StepView, end: number): string {
  if (step.notBefore !== null && step.notBefore > end)
    return `tries again in ${seconds(step.notBefore - end)}`;
  return step.readyAt === null ? "" : `ready for ${seconds(end - step.readyAt)}, waits for a free place`;
}

function triesNote(step: StepView): string {
  const failures = step.attempts.filter((attempt) => attempt.outcome === "failed").length;
  const losses = step.attempts.filter((attempt) => attempt.outcome === "lost").length;
  if (step.status === "succeeded" && failures) return `try ${String(failures + 1)} worked`;
  if (step.status === "failed") return step.error?.message ?? "";
  if (step.progress) return progressWords(step.progress);
  if (losses) return `its worker was lost ${losses === 1 ? "once" : `${String(losses)} times`}`;
  return "";
}

function seconds(milliseconds: number): string {
  return `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`;
}

const STEPS = [1, 2, 5];

/** Round marks of the axis, at most `count` of them. */
export function axisMarks(span: number, count: number): number[] {
  let size = 1;
  for (let power = 1; span / size > count; power *= 10) {
    size = STEPS.map((step) => step * power).find((step) => span / step <= count) ?? size * 10;
    if (power > 1e12) break;
  }
  return Array.from({ length: Math.floor(span / size) + 1 }, (_, index) => index * size);
}
