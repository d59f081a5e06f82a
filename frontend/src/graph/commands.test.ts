import { describe, expect, test } from "vitest";

import { aKind, branching, diamond, KINDS } from "@/testing/graphs";
import { copyText, parseFragment, paste } from "./clipboard";
import {
  addNode,
  addNodeAfter,
  bypassNodes,
  connect,
  deleteParts,
  disconnect,
  insertOnEdge,
  moveNodes,
  renameNode,
  renameWorkflow,
  setConfig,
  setDisabled,
  setInputs,
  setPolicy,
} from "./commands";
import { apply } from "./edit";
import type { Edit } from "./edit";
import { findNode } from "./graph";
import type { GraphDocument } from "./graph";

const kind = aKind("data.template", { title: "Template" });
const at = { x: 8, y: 8 };

const everyEdit: [string, GraphDocument, (document: GraphDocument) => Edit][] = [
  ["adding a node", diamond(), (document) => addNode(document, { kind, at }).edit],
  [
    "adding a node behind another",
    diamond(),
    (document) => addNodeAfter(document, KINDS, { kind, at, from: { node: "a", port: "out" } }).edit,
  ],
  [
    "inserting a node into an edge",
    diamond(),
    (document) => insertOnEdge(document, KINDS, { kind, at, edge: { from: "a", to: "join" } }).edit,
  ],
  ["deleting a node with its edges", diamond(), (document) => deleteParts(document, ["join"], [])],
  [
    "deleting several nodes and an edge",
    diamond(),
    (document) => deleteParts(document, ["a", "end"], ["start:out->b:in"]),
  ],
  [
    "deleting a node and joining its neighbours",
    diamond(),
    (document) => bypassNodes(document, KINDS, ["join"]),
  ],
  ["connecting", diamond(), (document) => connect(document, { from: "a", to: "end" })],
  ["disconnecting", diamond(), () => disconnect({ from: "a", to: "join" })],
  ["moving", diamond(), () => moveNodes({ a: { x: 1, y: 2 }, join: { x: 3, y: 4 } })],
  ["renaming a node", diamond(), () => renameNode("a", "Believer")],
  ["emptying a node's name", diamond(), () => renameNode("a", " ")],
  ["renaming the workflow", diamond(), () => renameWorkflow("Other")],
  ["setting a setting", diamond(), (document) => setConfig(document, "a", "prompt", "Hello")],
  ["taking a setting away", diamond(), (document) => setConfig(document, "a", "prompt", undefined)],
  [
    "renaming a branch's port",
    branching(),
    (document) => setConfig(document, "route", "cases", [{ port: "sure", when: "True" }]),
  ],
  ["setting a policy", diamond(), () => setPolicy("a", { timeout_s: 5, on_error: "route" })],
  ["emptying a policy", withPolicy(), () => setPolicy("a", {})],
  ["setting the workflow's inputs", diamond(), () => setInputs({ type: "object", properties: {} })],
  ["switching nodes off", diamond(), () => setDisabled(["a", "b"], true)],
  ["pasting", diamond(), (document) => pasted(document).edit],
];

function withPolicy(): GraphDocument {
  return apply(diamond(), setPolicy("a", { timeout_s: 5 })).document;
}

function pasted(document: GraphDocument) {
  const fragment = parseFragment(
    copyText(document, ["a", "join"], { a: { x: 0, y: 0 }, join: { x: 0, y: 80 } }),
  );
  if (!fragment) throw new Error("not a fragment");
  return paste(document, fragment, at);
}

describe.each(everyEdit)("%s", (_what, before, command) => {
  const done = apply(before, command(before));

  test("changes the document", () => {
    expect(done.document).not.toEqual(before);
  });

  test("is undone exactly, order and places included", () => {
    const undone = apply(done.document, done.inverse);

    expect(undone.document).toEqual(before);
    expect(undone.document.nodes.map((node) => node.id)).toEqual(before.nodes.map((node) => node.id));
  });

  test("is redone exactly after it was undone", () => {
    const undone = apply(done.document, done.inverse);

    expect(apply(undone.document, undone.inverse).document).toEqual(done.document);
  });
});

test("an added node gets an id of its kind and the next number", () => {
  const first = addNode(diamond(), { kind, at });
  const second = addNode(apply(diamond(), first.edit).document, { kind, at });

  expect([first.id, second.id]).toEqual(["template", "template_2"]);
});

test("a node inserted into an edge stands between its ends", () => {
  const { edit, id } = insertOnEdge(diamond(), KINDS, { kind, at, edge: { from: "a", to: "join" } });

  const { edges } = apply(diamond(), edit).document;

  expect(edges).not.toContainEqual({ from: "a", to: "join" });
  expect(edges).toContainEqual({ from: "a", to: id });
  expect(edges).toContainEqual({ from: id, to: "join" });
});

test("deleting a container deletes what it holds", () => {
  const document = diamond();
  document.nodes.push(
    { id: "each", kind: "flow.map" },
    { id: "inner", kind: "data.template", parent: "each" },
  );

  const next = apply(document, deleteParts(document, ["each"], [])).document;

  expect(findNode(next, "inner")).toBeUndefined();
});

test("deleting and joining leads what came before to what came after, once", () => {
  const next = apply(diamond(), bypassNodes(diamond(), KINDS, ["join"])).document;

  expect(next.edges.filter((edge) => edge.to === "end")).toEqual([
    { from: "a", to: "end" },
    { from: "b", to: "end" },
  ]);
});

test("edges follow a branch's port when it is renamed", () => {
  const edit = setConfig(branching(), "route", "cases", [{ port: "sure", when: "True" }]);

  expect(apply(branching(), edit).document.edges).toContainEqual({ from: "route:sure", to: "left" });
});

test("a pasted part has new ids, its inner references follow and its outer ones stay", () => {
  const { edit, ids } = pasted(diamond());
  const next = apply(diamond(), edit).document;

  expect(ids).toEqual(["a_2", "join_2"]);
  expect(findNode(next, "join_2")?.config).toEqual({ text: "{{ nodes.a_2.output.text }}" });
  expect(findNode(next, "a_2")?.config).toEqual({ prompt: "For {{ inputs.topic }}" });
  expect(next.edges).toContainEqual({ from: "a_2", to: "join_2" });
});

test("text that is no graph is not pasted", () => {
  expect(parseFragment("hello")).toBeNull();
  expect(parseFragment('{"schema": "heddle/1", "nodes": []}')).toBeNull();
});
