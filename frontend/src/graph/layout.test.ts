import Elk from "elkjs/lib/elk.bundled.js";
import { expect, test } from "vitest";

import { branching, diamond, KINDS } from "@/testing/graphs";
import { edgeSource, edgeTarget } from "./graph";
import type { GraphDocument } from "./graph";
import { NODE_HEIGHT, NODE_WIDTH } from "./boxes";
import { tidy } from "./layout";
import type { LayoutEngine } from "./layout";
import { freePlace, rowLayout } from "./rows";

const engine = new Elk() as unknown as LayoutEngine;

test.each([diamond(), branching()])(
  "tidy puts every node below what leads to it, and none over another",
  async (document: GraphDocument) => {
    const places = await tidy(document, KINDS, engine);

    for (const edge of document.edges) {
      const above = places[edgeSource(edge).node];
      const below = places[edgeTarget(edge).node];
      expect((below?.y ?? 0) - (above?.y ?? 0)).toBeGreaterThanOrEqual(NODE_HEIGHT + 32);
    }
    const cards = Object.values(places);
    for (const card of cards) {
      const hit = cards.filter(
        (other) => Math.abs(other.x - card.x) < NODE_WIDTH && Math.abs(other.y - card.y) < NODE_HEIGHT,
      );
      expect(hit).toEqual([card]);
    }
  },
);

test("a branch's first port leads to the left", async () => {
  const places = await tidy(branching(), KINDS, engine);

  expect(places["left"]?.x).toBeLessThan(places["right"]?.x ?? 0);
});

test("a graph that runs to the right grows to the right", async () => {
  const places = await tidy({ ...diamond(), ui: { direction: "right" } }, KINDS, engine);

  expect(places["end"]?.x).toBeGreaterThan(places["start"]?.x ?? 0);
});

test("an empty graph and one with a circle are laid out without complaint", async () => {
  expect(await tidy({ ...diamond(), nodes: [], edges: [] }, KINDS, engine)).toEqual({});
  const circle = {
    ...diamond(),
    edges: [...diamond().edges, { from: "end", to: "a" }, { from: "ghost", to: "a" }],
  };
  expect(Object.keys(await tidy(circle, KINDS, engine))).toHaveLength(5);
});

test("rows follow the longest way from the start", () => {
  const places = rowLayout(diamond(), KINDS);

  expect([places["start"]?.y, places["a"]?.y, places["join"]?.y, places["end"]?.y]).toEqual([
    0, 80, 160, 240,
  ]);
});

test("a new node takes the wished place or the next free one beside it", () => {
  expect(freePlace([], { x: 3, y: 5 })).toEqual({ x: 0, y: 8 });
  expect(freePlace([{ x: 0, y: 0, width: 176, height: 48 }], { x: 0, y: 0 })).toEqual({ x: 192, y: 0 });
});

test("a row of hundreds is broken into lines", () => {
  const nodes = Array.from({ length: 60 }, (_, index) => ({ id: `n${index}`, kind: "data.set" }));

  const places = rowLayout({ ...diamond(), nodes, edges: [] }, KINDS);

  expect(new Set(Object.values(places).map((place) => place.y))).toEqual(new Set([0, 80, 160]));
});
