import { expect, test } from "vitest";

import { branching, diamond, KINDS } from "@/testing/graphs";
import { toCards, toThreads } from "./flow";
import { labelPoint, roundedPath, route } from "./route";

test("a card carries its name, its one line and its issues", () => {
  const issue = { code: "x", message: "", node_id: "a", path: "", severity: "error" as const };

  const [start, a] = toCards(diamond(), KINDS, [issue, { ...issue, severity: "warning" }]);

  expect(start).toMatchObject({ name: "Start", summary: "topic", ins: [] });
  expect(a).toMatchObject({
    name: "Optimist",
    summary: "default · For {{ inputs.topic }}",
    errors: 1,
    warnings: 1,
  });
});

test("an unknown kind stays as a card with its ports", () => {
  const document = { ...diamond(), nodes: [{ id: "x", kind: "slack.post" }] };

  expect(toCards(document, KINDS, [])[0]).toMatchObject({
    known: false,
    summary: "unknown kind, data kept",
    ins: [{ name: "in" }],
  });
});

test("a branch's threads carry their port's name, plain ones nothing", () => {
  expect(toThreads(branching(), KINDS).map((thread) => thread.label)).toEqual([
    null,
    "yes",
    "no",
    null,
    null,
  ]);
});

test("an edge whose end is missing is not drawn", () => {
  expect(toThreads({ ...diamond(), edges: [{ from: "ghost", to: "a" }] }, KINDS)).toEqual([]);
});

const ends = { fromNode: "a", toNode: "b" };

test("a straight way stays straight", () => {
  const points = route({ from: { x: 0, y: 0 }, to: { x: 0, y: 32 }, ...ends }, [], "down");

  expect(roundedPath(points)).toBe("M0 0L0 32");
});

test("a long way goes around the card between its ends", () => {
  const card = { id: "c", x: -88, y: 80, width: 176, height: 48 };

  const points = route({ from: { x: 0, y: 48 }, to: { x: 0, y: 160 }, ...ends }, [card], "down");

  const crosses = points.some((point, index) => {
    const next = points[index + 1];
    return next?.x === point.x && point.x > -88 && point.x < 88 && point.y < 80 && next.y > 128;
  });
  expect(crosses).toBe(false);
  expect(labelPoint(points).x).not.toBe(0);
});

test("a graph to the right bends the other way round", () => {
  const points = route({ from: { x: 0, y: 0 }, to: { x: 40, y: 30 }, ...ends }, [], "right");

  expect(points.map((point) => point.y)).toEqual([0, 0, 30, 30]);
});
