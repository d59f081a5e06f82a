import { expect, test } from "vitest";

import { branching, diamond, KINDS } from "@/testing/graphs";
import { checkConnection, downstream, upstream } from "./connect";
import type { Endpoint } from "./graph";

function verdict(from: Endpoint, to: string, document = diamond()) {
  return checkConnection(document, KINDS, { from, to: { node: to, port: "in" } });
}

const out = (node: string, port = "out"): Endpoint => ({ node, port });

test("a new edge between free ports is allowed and written without default ports", () => {
  expect(verdict(out("a"), "end")).toEqual({ ok: true, edge: { from: "a", to: "end" } });
});

test("a branch's port is named in the edge", () => {
  const document = branching();

  expect(verdict(out("route", "yes"), "merge", document)).toEqual({
    ok: true,
    edge: { from: "route:yes", to: "merge" },
  });
});

test.each([
  ["a node to itself", out("a"), "a", "cannot follow itself"],
  ["the same edge twice", out("a"), "join", "connected already"],
  ["an edge that closes a circle", out("join"), "a", "close a circle"],
  ["an edge into the input", out("a"), "start", "nothing can lead into it"],
  ["an edge out of the output", out("end"), "a", "nothing can follow it"],
  ["a port that does not exist", out("a", "maybe"), "end", "no port “maybe”"],
  ["a node that does not exist", out("ghost"), "end", "not in the graph"],
])("%s is refused with its reason", (_what, from, to, reason) => {
  const answer = verdict(from, to);

  expect(answer.ok).toBe(false);
  expect(answer.ok ? "" : answer.reason).toContain(reason);
});

test("an edge across the border of a container is refused", () => {
  const document = diamond();
  document.nodes.push({ id: "inner", kind: "data.template", parent: "each" });

  expect(verdict(out("a"), "inner", document)).toMatchObject({ ok: false });
});

test("the error port exists only while the policy routes errors", () => {
  const document = diamond();
  expect(verdict(out("a", "error"), "end", document).ok).toBe(false);

  document.nodes = document.nodes.map((node) =>
    node.id === "a" ? { ...node, policy: { on_error: "route" } } : node,
  );

  expect(verdict(out("a", "error"), "end", document)).toEqual({
    ok: true,
    edge: { from: "a:error", to: "end" },
  });
});

test("what lies before and after a node is found along the edges", () => {
  expect([...upstream(diamond(), "join")].sort()).toEqual(["a", "b", "start"]);
  expect([...downstream(diamond(), "a")].sort()).toEqual(["end", "join"]);
});
