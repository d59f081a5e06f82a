/** Small documents and kinds for tests of the editor and the run page. */

import type { GraphDocument } from "@/graph/graph";
import { indexKinds } from "@/graph/kinds";
import type { Kinds, NodeKind } from "@/graph/kinds";

export function aKind(kind: string, overrides: Partial<NodeKind> = {}): NodeKind {
  return {
    kind,
    version: 1,
    title: kind,
    summary: "",
    family: "data",
    icon: "set",
    lane: "io",
    inline: true,
    effects: "none",
    deterministic: true,
    in_ports: [{ name: "in", title: "" }],
    out_ports: [{ name: "out", title: "" }],
    dynamic_ports: null,
    container: null,
    deferred: [],
    config_schema: { type: "object", properties: {} },
    ui: {},
    ...overrides,
  };
}

export const KINDS: Kinds = indexKinds([
  aKind("io.input", { title: "Input", family: "in_out", in_ports: [] }),
  aKind("io.output", { title: "Output", family: "in_out", out_ports: [] }),
  aKind("data.template", { title: "Template" }),
  aKind("llm.chat", { title: "Model call", family: "calls" }),
  aKind("flow.map", { title: "Map", family: "control", container: "map", deferred: ["result"] }),
  aKind("flow.loop", { title: "Loop", family: "control", container: "loop", deferred: ["next", "result"] }),
  aKind("flow.join", { title: "Join", family: "control" }),
  aKind("flow.branch", {
    title: "Branch",
    family: "control",
    dynamic_ports: { field: "cases", key: "port", also: "default" },
  }),
]);

/** start → a, b → join → end */
export function diamond(): GraphDocument {
  return {
    schema: "heddle/1",
    name: "Diamond",
    inputs: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
    nodes: [
      { id: "start", kind: "io.input", label: "Start" },
      { id: "a", kind: "llm.chat", label: "Optimist", config: { prompt: "For {{ inputs.topic }}" } },
      { id: "b", kind: "llm.chat", label: "Sceptic", config: { prompt: "Against {{ inputs.topic }}" } },
      { id: "join", kind: "data.template", label: "Both", config: { text: "{{ nodes.a.output.text }}" } },
      { id: "end", kind: "io.output", label: "Result", config: { value: "{{ nodes.join.output }}" } },
    ],
    edges: [
      { from: "start", to: "a" },
      { from: "start", to: "b" },
      { from: "a", to: "join" },
      { from: "b", to: "join" },
      { from: "join", to: "end" },
    ],
    ui: { direction: "down", nodes: { a: { x: 0, y: 80 }, b: { x: 192, y: 80 } } },
  };
}

/** start → route → (yes) left, (no) right → merge */
export function branching(): GraphDocument {
  return {
    schema: "heddle/1",
    name: "Branching",
    nodes: [
      { id: "start", kind: "io.input" },
      { id: "route", kind: "flow.branch", config: { cases: [{ port: "yes", when: "True" }], default: "no" } },
      { id: "left", kind: "data.template" },
      { id: "right", kind: "data.template" },
      { id: "merge", kind: "flow.join" },
    ],
    edges: [
      { from: "start", to: "route" },
      { from: "route:yes", to: "left" },
      { from: "route:no", to: "right" },
      { from: "left", to: "merge" },
      { from: "right", to: "merge" },
    ],
  };
}

/** start → each [fetch → short] → end */
export function mapping(): GraphDocument {
  return {
    schema: "heddle/1",
    name: "Mapping",
    nodes: [
      { id: "start", kind: "io.input" },
      { id: "each", kind: "flow.map", label: "Each topic", config: { over: "{{ inputs.topics }}" } },
      { id: "fetch", kind: "llm.chat", parent: "each", label: "Fetch" },
      { id: "short", kind: "data.template", parent: "each", label: "Short" },
      { id: "end", kind: "io.output" },
    ],
    edges: [
      { from: "start", to: "each" },
      { from: "fetch", to: "short" },
      { from: "each", to: "end" },
    ],
  };
}
