import Elk from "elkjs/lib/elk.bundled.js";
import { describe, expect, test } from "vitest";

import { KINDS, mapping } from "@/testing/graphs";
import { boxesOf, LEAST_CONTAINER, PADDING } from "./boxes";
import { copyText, parseFragment, paste } from "./clipboard";
import { addNode, addNodeAfter, deleteParts, insertOnEdge } from "./commands";
import { checkConnection } from "./connect";
import { dropNodes } from "./drop";
import { apply } from "./edit";
import type { GraphDocument } from "./graph";
import { tidy, type LayoutEngine } from "./layout";
import { placeReason } from "./nesting";
import { completions, referenceProblem } from "./references";
import { rowLayout } from "./rows";
import { spotFor } from "./spot";

const PLACES = {
  start: { x: 0, y: 0 },
  each: { x: 0, y: 80 },
  fetch: { x: 24, y: 72 },
  short: { x: 24, y: 152 },
  end: { x: 400, y: 600 },
};
const chat = KINDS.get("llm.chat");
if (!chat) throw new Error("The kinds of the tests have no model call.");

function parentIn(document: GraphDocument, id: string) {
  return document.nodes.find((node) => node.id === id)?.parent;
}

function dropped(landed: Record<string, { x: number; y: number }>, document = mapping()) {
  const result = dropNodes(document, KINDS, PLACES, landed);
  if (!result.ok) throw new Error(result.reason);
  return { ...result, document: apply(document, result.edit).document };
}

describe("boxes", () => {
  test("a container is as large as what it holds, and its cards lie inside it on the canvas", () => {
    const boxes = boxesOf(mapping(), KINDS, PLACES);

    expect(boxes.get("each")).toEqual({ x: 0, y: 80, width: LEAST_CONTAINER.width, height: 152 + 48 + 16 });
    expect(boxes.get("short")).toMatchObject({ x: 24, y: 232 });
  });

  test.each([
    ["by rows", (document: GraphDocument) => Promise.resolve(rowLayout(document, KINDS))],
    ["by ELK", (document: GraphDocument) => tidy(document, KINDS, new Elk() as unknown as LayoutEngine)],
  ])(
    "laid out %s nothing inside leaves its container, and what follows stands below it",
    async (_way, lay) => {
      const boxes = boxesOf(mapping(), KINDS, await lay(mapping()));

      const box = (id: string) => boxes.get(id) ?? { x: NaN, y: NaN, width: NaN, height: NaN };
      expect(box("fetch").y).toBeGreaterThanOrEqual(box("each").y + PADDING.top);
      expect(box("fetch").x).toBeGreaterThanOrEqual(box("each").x + PADDING.side);
      expect(box("short").y).toBeGreaterThanOrEqual(box("fetch").y + 48);
      expect(box("end").y).toBeGreaterThanOrEqual(box("each").y + box("each").height);
    },
  );
});

describe("adding", () => {
  test("into a container a node goes below what is there", () => {
    const spot = spotFor(
      { document: mapping(), kinds: KINDS, places: PLACES },
      { at: null, inside: "each" },
      () => ({ x: 0, y: 0 }),
    );
    const { document } = apply(mapping(), addNode(mapping(), { kind: chat, ...spot }).edit);

    expect(spot).toEqual({ parent: "each", at: { x: PADDING.side, y: 232 } });
    expect(parentIn(document, "chat")).toBe("each");
  });

  test("at a point of the canvas it goes into the container that is there", () => {
    const graph = { document: mapping(), kinds: KINDS, places: PLACES };
    const at = (x: number, y: number) => spotFor(graph, { at: { x, y } }, () => ({ x: 0, y: 0 }));

    expect(at(30, 240)).toEqual({ parent: "each", at: { x: 30, y: 160 } });
    expect(at(600, 240).parent).toBeUndefined();
  });

  test("behind a node, and into an edge, it stands where that node stands", () => {
    const edge = { from: "fetch", to: "short" };
    const at = { x: 0, y: 0 };
    const after = addNodeAfter(mapping(), KINDS, { kind: chat, at, from: { node: "short", port: "out" } });
    const between = insertOnEdge(mapping(), KINDS, { kind: chat, at, edge });

    expect(parentIn(apply(mapping(), after.edit).document, "chat")).toBe("each");
    expect(parentIn(apply(mapping(), between.edit).document, "chat")).toBe("each");
  });

  test("what begins and ends a run stays at the top", () => {
    expect(placeReason(mapping(), KINDS, "io.output", "each")).toContain("cannot go into Each topic");
    expect(placeReason(mapping(), KINDS, "io.output", undefined)).toBeNull();
  });
});

describe("moving", () => {
  test("a card dropped into a container stands in it, and its edges across the border are taken off", () => {
    const { document, cut } = dropped(
      { end: { x: 30, y: 200 } },
      {
        ...mapping(),
        nodes: mapping().nodes.map((node) => (node.id === "end" ? { ...node, kind: "llm.chat" } : node)),
      },
    );

    expect(parentIn(document, "end")).toBe("each");
    expect(cut).toBe(1);
    expect(document.edges).not.toContainEqual({ from: "each", to: "end" });
    expect(document.ui?.nodes?.["end"]).toEqual({ x: 30, y: 120 });
  });

  test("a card dragged out of its container stands at the top, and undo brings everything back", () => {
    const { document, edit } = dropped({ short: { x: 500, y: 200 } });

    expect(parentIn(document, "short")).toBeUndefined();
    expect(document.ui?.nodes?.["short"]).toEqual({ x: 500, y: 280 });
    const before = mapping();
    expect(apply(document, apply(before, edit).inverse).document).toEqual(before);
  });

  test("a card moved within its container keeps off its head and sides", () => {
    const { document, cut } = dropped({ fetch: { x: 3, y: 20 } });

    expect(document.ui?.nodes?.["fetch"]).toEqual({ x: PADDING.side, y: PADDING.top });
    expect([parentIn(document, "fetch"), cut]).toEqual(["each", 0]);
  });

  test("an output that is dropped into a container is refused", () => {
    expect(dropNodes(mapping(), KINDS, PLACES, { end: { x: 30, y: 200 } }).ok).toBe(false);
  });
});

test("a container is deleted with everything inside and with the edges of all of them", () => {
  const { document } = apply(mapping(), deleteParts(mapping(), ["each"], []));

  expect(document.nodes.map((node) => node.id)).toEqual(["start", "end"]);
  expect(document.edges).toEqual([]);
});

test("an edge across the border of a container is refused with what to do", () => {
  const verdict = checkConnection(mapping(), KINDS, {
    from: { node: "short", port: "out" },
    to: { node: "end", port: "in" },
  });

  expect(verdict).toMatchObject({ ok: false });
  expect(verdict.ok ? "" : verdict.reason).toContain("connect the container");
});

test("a container is copied with what it holds, which keeps its place inside", () => {
  const fragment = parseFragment(copyText(mapping(), ["each"], PLACES));
  if (!fragment) throw new Error("Nothing was copied.");
  const { edit, ids } = paste(mapping(), fragment, { x: 600, y: 0 });
  const { document } = apply(mapping(), edit);

  expect(ids).toEqual(["each_2"]);
  expect(parentIn(document, "fetch_2")).toBe("each_2");
  expect(document.ui?.nodes).toMatchObject({ each_2: { x: 600, y: 0 }, fetch_2: PLACES.fetch });
});

describe("expressions", () => {
  const labels = (id: string, deferred = false) =>
    completions(mapping(), id, {}, deferred).map((completion) => completion.label);

  test("inside a map they read its item and what runs before the map", () => {
    expect(labels("short")).toEqual(
      expect.arrayContaining(["item", "index", "nodes.fetch.output", "nodes.start.output"]),
    );
    expect(labels("end")).not.toContain("item");
    expect(referenceProblem(mapping(), "short", "each")).toBeNull();
  });

  test("what an item results in is computed from what is inside, other settings are not", () => {
    expect(labels("each", true)).toEqual(expect.arrayContaining(["item", "nodes.short.output"]));
    expect(labels("each")).not.toContain("nodes.short.output");
    expect(referenceProblem(mapping(), "each", "short", true)).toBeNull();
  });

  test("from outside the output of the container is read, not what is inside", () => {
    expect(referenceProblem(mapping(), "end", "short")).toContain("read the output of the container");
  });
});
