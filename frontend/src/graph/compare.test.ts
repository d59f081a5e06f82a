import { expect, test } from "vitest";

import { diamond } from "@/testing/graphs";
import { setConfig } from "./commands";
import { compareDocuments } from "./compare";
import { apply } from "./edit";

test("added, removed and changed nodes are named by their labels", () => {
  const before = diamond();
  const changed = apply(before, setConfig(before, "a", "prompt", "Hello")).document;
  const after = {
    ...changed,
    nodes: [...changed.nodes.filter((node) => node.id !== "b"), { id: "new", kind: "data.set" }],
  };

  expect(compareDocuments(before, after)).toEqual({
    added: ["new"],
    removed: ["Sceptic"],
    changed: ["Optimist"],
  });
});
