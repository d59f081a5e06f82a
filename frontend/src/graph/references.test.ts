import { expect, test } from "vitest";

import { diamond } from "@/testing/graphs";
import { completions, referencedNodes, referenceProblem, renameReferences } from "./references";

function labels(nodeId: string, samples = {}) {
  return completions(diamond(), nodeId, samples).map((completion) => completion.label);
}

test("inputs and the outputs of nodes that come before are offered, nothing else", () => {
  const offered = labels("a");

  expect(offered).toContain("inputs.topic");
  expect(offered).toContain("nodes.start.output");
  expect(offered.some((label) => label.startsWith("nodes.b") || label.startsWith("nodes.join"))).toBe(false);
});

test("keys of the last run's outputs are offered below their node", () => {
  const offered = completions(diamond(), "join", { a: { text: "hello", usage: { input_tokens: 3 } } });

  expect(offered).toContainEqual({ label: "nodes.a.output.text", detail: "text", kind: "key", nodeId: "a" });
  expect(offered.map((completion) => completion.label)).toContain("nodes.a.output.usage.input_tokens");
});

test("references in a text are found once each", () => {
  expect(referencedNodes("{{ nodes.a.output }} {{ nodes.a.output.x + nodes.b.output }}")).toEqual(["a", "b"]);
});

test("a broken reference says what to do", () => {
  expect(referenceProblem(diamond(), "join", "ghost")).toContain("No node has the id ghost");
  expect(referenceProblem(diamond(), "a", "b")).toContain("connect it first");
  expect(referenceProblem(diamond(), "a", "a")).toContain("own output");
  expect(referenceProblem(diamond(), "join", "a")).toBeNull();
});

test("references follow renamed nodes at any depth and leave similar names alone", () => {
  const config = { list: [{ text: "{{ nodes.a.output }} {{ nodes.ab.output }}" }] };

  expect(renameReferences(config, new Map([["a", "z"]]))).toEqual({
    list: [{ text: "{{ nodes.z.output }} {{ nodes.ab.output }}" }],
  });
});
