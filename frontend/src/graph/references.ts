/** References in settings: which nodes an expression may name, which it names, and renaming them. */

import { upstream } from "./connect";
import { findNode, nodeName } from "./graph";
import type { GraphDocument } from "./graph";
import { isObject } from "./json";
import type { Json, JsonObject } from "./json";

export interface Completion {
  /** What is inserted: a path such as `nodes.a.output`. */
  label: string;
  detail: string;
  kind: "input" | "node" | "key" | "run";
  nodeId?: string;
}

/** Outputs of the last run by node, from which keys are completed. */
export type SampleOutputs = Readonly<Record<string, unknown>>;

const REFERENCE = /\bnodes\.([A-Za-z_]\w*)/g;

/** Everything an expression of this node may begin with, nearest upstream nodes last in the graph first. */
export function completions(document: GraphDocument, nodeId: string, samples: SampleOutputs): Completion[] {
  return [...inputCompletions(document), ...nodeCompletions(document, nodeId, samples), ...RUN];
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

function nodeCompletions(document: GraphDocument, nodeId: string, samples: SampleOutputs): Completion[] {
  const before = upstream(document, nodeId);
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
export function referenceProblem(document: GraphDocument, nodeId: string, referenced: string): string | null {
  const target = findNode(document, referenced);
  if (!target) return `No node has the id ${referenced}.`;
  if (referenced === nodeId) return "A node cannot read its own output.";
  if (!upstream(document, nodeId).has(referenced)) {
    return `${nodeName(target)} does not come before this node: connect it first.`;
  }
  return null;
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
