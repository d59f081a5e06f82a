/** References in settings: which nodes an expression may name, which it names, and renaming them. */

import { upstream } from "./connect";
import { findNode, nodeName } from "./graph";
import type { GraphDocument, GraphNode } from "./graph";
import { isObject } from "./json";
import { childrenOf, containersAround, parentOf } from "./nesting";
import type { Json, JsonObject } from "./json";

export interface Completion {
  /** What is inserted: a path such as `nodes.a.output`. */
  label: string;
  detail: string;
  kind: "input" | "node" | "key" | "run" | "item";
  nodeId?: string;
}

/** Outputs of the last run by node, from which keys are completed. */
export type SampleOutputs = Readonly<Record<string, unknown>>;

const REFERENCE = /\bnodes\.([A-Za-z_]\w*)/g;

/** Everything an expression of this node may begin with, nearest upstream nodes last in the graph first. */
export function completions(
  document: GraphDocument,
  nodeId: string,
  samples: SampleOutputs,
  deferred = false,
): Completion[] {
  return [
    ...containerNames(document, nodeId, deferred),
    ...inputCompletions(document),
    ...nodeCompletions(document, nodeId, samples, deferred),
    ...RUN,
  ];
}

/** What containers give: the names of the nearest, and by their ids those further out. */
function containerNames(document: GraphDocument, nodeId: string, deferred: boolean): Completion[] {
  const around = [...(deferred ? [nodeId] : []), ...containersAround(document, nodeId)];
  const given = new Set<string>();
  return around.flatMap((id) => {
    const node = findNode(document, id);
    if (!node) return [];
    return namesOf(node).map(([name, detail]): Completion => {
      const short = !given.has(name);
      given.add(name);
      const label = short ? name : `nodes.${id}.${name}`;
      return { label, detail: `${detail} of ${nodeName(node)}`, kind: "item", nodeId: id };
    });
  });
}

function namesOf(node: GraphNode): [string, string][] {
  const item: [string, string][] = [
    ["item", "the item"],
    ["index", "its place from 0"],
  ];
  if (node.kind !== "flow.loop") return item;
  const round: [string, string][] = [
    ["state", "the state"],
    ["round", "the round from 0"],
  ];
  return node.config?.["over"] == null ? round : [...round, ...item];
}

/** The nodes whose outputs a node may read: those before it, before its containers, and inside for later settings. */
export function readableNodes(document: GraphDocument, nodeId: string, deferred = false): Set<string> {
  const readable = new Set<string>();
  for (const id of [nodeId, ...containersAround(document, nodeId)])
    for (const before of upstream(document, id)) readable.add(before);
  if (deferred) for (const node of childrenOf(document, nodeId)) readable.add(node.id);
  return readable;
}

const RUN: Completion[] = [
  { label: "run.id", detail: "text", kind: "run" },
  { label: "run.started_at", detail: "time as text", kind: "run" },
  { label: "run.workflow", detail: "name of the workflow", kind: "run" },
];

function inputCompletions(document: GraphDocument): Completion[] {
  const properties = document.inputs?.["properties"];
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => ({
    label: `inputs.${name}`,
    detail: typeOfSchema(schema),
    kind: "input" as const,
  }));
}

function nodeCompletions(
  document: GraphDocument,
  nodeId: string,
  samples: SampleOutputs,
  deferred: boolean,
): Completion[] {
  const before = readableNodes(document, nodeId, deferred);
  return [...document.nodes].reverse().flatMap((node) => {
    if (!before.has(node.id)) return [];
    const path = `nodes.${node.id}.output`;
    const whole: Completion = { label: path, detail: nodeName(node), kind: "node", nodeId: node.id };
    return [whole, ...keyCompletions(path, samples[node.id] ?? null, node.id)];
  });
}

function keyCompletions(path: string, sample: unknown, nodeId: string, depth = 0): Completion[] {
  if (!isObject(sample) || depth > 2) return [];
  return Object.entries(sample)
    .filter(([key]) => /^[A-Za-z_]\w*$/.test(key))
    .slice(0, 40)
    .flatMap(([key, value]) => {
      const own: Completion = { label: `${path}.${key}`, detail: describeValue(value), kind: "key", nodeId };
      return [own, ...keyCompletions(`${path}.${key}`, value, nodeId, depth + 1)];
    });
}

function typeOfSchema(schema: unknown): string {
  const type = isObject(schema) ? schema["type"] : undefined;
  return typeof type === "string" ? typeWord(type) : "any value";
}

function typeWord(type: string): string {
  const words: Record<string, string> = {
    string: "text",
    array: "list",
    boolean: "yes or no",
    integer: "whole number",
  };
  return words[type] ?? type;
}

/** Say what a value is in a word or two, for the completion's right side. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return `list of ${String(value.length)}`;
  if (isObject(value)) return "object";
  return typeof value === "string" ? "text" : typeof value;
}

/** Names of the nodes a text refers to. */
export function referencedNodes(text: string): string[] {
  return [...new Set([...text.matchAll(REFERENCE)].map((match) => match[1] ?? ""))];
}

/** Why a reference of this node cannot be followed, or null if it can. */
export function referenceProblem(
  document: GraphDocument,
  nodeId: string,
  referenced: string,
  deferred = false,
): string | null {
  const target = findNode(document, referenced);
  if (!target) return `No node has the id ${referenced}.`;
  // A container around it gives item, index, state or round by its id.
  if (containersAround(document, nodeId).includes(referenced)) return null;
  if (referenced === nodeId) return deferred ? null : "A node cannot read its own output.";
  if (parentOf(document, referenced) !== undefined && !isNear(document, nodeId, referenced, deferred))
    return `${nodeName(target)} stands in a container: read the output of the container.`;
  if (!readableNodes(document, nodeId, deferred).has(referenced)) {
    return `${nodeName(target)} does not come before this node: connect it first.`;
  }
  return null;
}

/** Whether the other node stands in one of the containers that this one looks out of. */
function isNear(document: GraphDocument, nodeId: string, other: string, deferred: boolean): boolean {
  const parent = parentOf(document, other);
  return (
    (deferred && parent === nodeId) || containersAround(document, nodeId).some((around) => around === parent)
  );
}

/** Let every reference in a setting follow nodes that got new ids. */
export function renameReferences(config: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return renameIn(config, names) as JsonObject;
}

function renameIn(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") {
    return value.replace(REFERENCE, (whole, id: string) =>
      names.has(id) ? `nodes.${names.get(id) ?? id}` : whole,
    );
  }
  if (Array.isArray(value)) return value.map((item) => renameIn(item, names));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, renameIn(held, names)]));
  return value;
}
