import { expect, it } from "vitest";
import { sketch } from "./sketch";

const node = (id: string) => ({ id, kind: "data.set" });

it("puts every node below all that it needs", () => {
  const { boxes } = sketch({
    nodes: [node("end"), node("a"), node("b"), node("start")],
    edges: [
      { from: "start", to: "a" },
      { from: "start:yes", to: "b" },
      { from: "a", to: "end" },
      { from: "b", to: "end:left" },
    ],
  });

  const yOf = (id: string) => boxes.find((box) => box.id === id)?.y ?? Number.NaN;
  expect(yOf("start")).toBeLessThan(yOf("a"));
  expect(yOf("a")).toBe(yOf("b"));
  expect(yOf("b")).toBeLessThan(yOf("end"));
});

it("draws a line for every edge whose ends exist", () => {
  const { lines } = sketch({
    nodes: [node("a"), node("b")],
    edges: [
      { from: "a", to: "b" },
      { from: "a", to: "gone" },
    ],
  });

  expect(lines).toHaveLength(1);
});

it("keeps inside the picture, even for a circle", () => {
  const { boxes } = sketch({
    nodes: [node("a"), node("b")],
    edges: [
      { from: "a", to: "b" },
      { from: "b", to: "a" },
    ],
  });

  expect(boxes.every((box) => box.x >= 0 && box.x + box.width <= 216 && box.y + box.height <= 96)).toBe(true);
});
