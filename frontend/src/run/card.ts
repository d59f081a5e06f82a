/** How a node's card looks in a run: its state, its time or its reason, its tries and its cost. */

import { predecessors } from "@/graph/adjacency";
import type { GraphDocument } from "@/graph/graph";
import { containersAround, parentOf } from "@/graph/nesting";
import { formatDuration, formatMoney } from "@/lib/format";
import type { State } from "@/lib/states";
import type { Stream } from "./deltas";
import { streamTail } from "./deltas";
import type { Progress, RunView, StepView, Tally } from "./view";
import { isFinalStep, itemOf, stepOfNode } from "./view";

export interface CardRun {
  state: State;
  /** When the work that goes on now began, so that the card can count. */
  since: number | null;
  words: string;
  end: string;
  retried: string;
  stream: string | null;
  progress: Progress | null;
}

/** What the engine writes of steps that only wait because their run is paused. */
export const PAUSED = "The run is paused.";
const STREAM_CHARACTERS = 84;

export function cardRun(
  document: GraphDocument,
  view: RunView,
  node: string,
  stream: Stream | undefined,
): CardRun {
  const step = stepOfNode(view, node);
  if (!step) return { ...NOTHING, ...manyOf(document, view, node) };
  const running = step.status === "running";
  return {
    state: step.status,
    since: running ? step.startedAt : null,
    words: wordsOf(step, document, view),
    end: typeof step.usage?.cost === "number" && step.usage.cost > 0 ? formatMoney(step.usage.cost) : "",
    retried: step.attempt > 1 ? `${ordinal(step.attempt)} try` : "",
    progress: step.progress,
    stream: running && stream?.attempt === step.attempt ? streamTail(stream, STREAM_CHARACTERS) : null,
  };
}

const NOTHING: Omit<CardRun, "state" | "words"> = {
  since: null,
  end: "",
  retried: "",
  stream: null,
  progress: null,
};

/** A node without a step: it stands inside a container, and is many steps or none. */
function manyOf(document: GraphDocument, view: RunView, node: string): Pick<CardRun, "state" | "words"> {
  const outermost = containersAround(document, node).at(-1);
  if (outermost === undefined) return { state: "pending", words: "not in this run" };
  const around = stepOfNode(view, outermost)?.status ?? "pending";
  return insideOpened(document, view, node) ?? tallied(view.tallies.get(node), around);
}

/** With no item opened, a card shows what became of all its steps. */
function tallied(tally: Tally | undefined, around: StepView["status"]): Pick<CardRun, "state" | "words"> {
  if (!tally) return { state: around === "skipped" ? "skipped" : "pending", words: "none yet" };
  const { succeeded, failed } = tally;
  const words = [succeeded && `${succeeded} done`, failed && `${failed} failed`].filter(Boolean).join(" · ");
  if (failed) return { state: "failed", words };
  return { state: isFinalStep(around) ? "succeeded" : "running", words };
}

/** In an opened item, a container whose own items are not opened: how often what is inside it ran there. */
function insideOpened(
  document: GraphDocument,
  view: RunView,
  node: string,
): Pick<CardRun, "state" | "words"> | null {
  const parent = parentOf(document, node);
  const step = parent === undefined ? undefined : stepOfNode(view, parent);
  if (!step || itemOf(step.path) === "") return null;
  if (!step.progress) return { state: isFinalStep(step.status) ? step.status : "pending", words: "none" };
  const { begun } = step.progress;
  return { state: step.status, words: begun === 1 ? "once" : `${begun} times` };
}

function wordsOf(step: StepView, document: GraphDocument, view: RunView): string {
  const words: Partial<Record<StepView["status"], () => string>> = {
    pending: () => pendingWords(document, view, step.node),
    ready: () => (step.notBefore === null ? "waits for a free place" : "tries again soon"),
    running: () => "",
    waiting: () => waitingWords(step),
    held: () => (step.reason === PAUSED ? "held while paused" : "needs a decision"),
    succeeded: () => [chosenPorts(step), durationOf(step)].filter(Boolean).join(" · "),
    failed: () => step.error?.message ?? "failed",
  };
  return words[step.status]?.() ?? step.status;
}

function waitingWords(step: StepView): string {
  if (step.waitsFor === "workflow" || step.childRunId !== null) return "runs a workflow";
  if (step.waitsFor === "signal") return "waits for its signal";
  return step.waitingUntil === null ? "waits" : `until ${clock(step.waitingUntil)}`;
}

function pendingWords(document: GraphDocument, view: RunView, node: string): string {
  const open = new Set(
    predecessors(document, node).filter((id) => !isFinalStep(stepOfNode(view, id)?.status ?? "pending")),
  );
  return open.size && view.finishedAt === null ? `needs ${open.size} more` : "pending";
}

function chosenPorts(step: StepView): string {
  return step.ports.filter((port) => port !== "out").join(", ");
}

/** How long the last try took. */
export function durationOf(step: StepView): string {
  if (step.startedAt === null || step.finishedAt === null) return "";
  return formatDuration((step.finishedAt - step.startedAt) / 1000);
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB");
}

export function ordinal(number: number): string {
  const tens = number % 100;
  const suffix = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${suffix}`;
}
