/** What a new workflow holds: an input and an output, connected, so that it runs from the start. */
import type { GraphDocument } from "@/graph/graph";

export function newDocument(name = "Untitled workflow"): GraphDocument {
  return {
    schema: "heddle/1",
    name,
    inputs: { type: "object", properties: {} },
    nodes: [
      { id: "start", kind: "io.input", label: "Start" },
      { id: "result", kind: "io.output", label: "Result", config: { value: "{{ nodes.start.output }}" } },
    ],
    edges: [{ from: "start", to: "result" }],
    ui: { direction: "down", nodes: { start: { x: 0, y: 0 }, result: { x: 0, y: 240 } } },
  };
}
