import { expect, test } from "vitest";

import { applyDeltas, NO_STREAMS, streamTail, streamText } from "./deltas";

function delta(offset: number, text: string, attempt = 1) {
  return { step_id: "s", attempt, offset, text };
}

function textOf(...deltas: ReturnType<typeof delta>[]) {
  const stream = applyDeltas(NO_STREAMS, deltas).get("s");
  return stream ? streamText(stream) : "";
}

test("pieces join, and one that comes twice or overlaps counts once", () => {
  expect(textOf(delta(0, "Hello"), delta(5, " world"), delta(0, "Hello"), delta(3, "lo world!"))).toBe(
    "Hello world!",
  );
});

test("a hole is visible until its piece comes", () => {
  const holed = [delta(0, "one"), delta(6, "three")];

  expect(textOf(...holed)).toBe("one … three");
  expect(textOf(...holed, delta(3, "two"))).toBe("onetwothree");
});

test("a newer try begins anew and the older one's late pieces are dropped", () => {
  expect(textOf(delta(0, "old"), delta(0, "new", 2), delta(3, "er", 1))).toBe("new");
});

test("offsets count characters, not halves of them", () => {
  expect(textOf(delta(0, "🙂"), delta(1, "!"))).toBe("🙂!");
});

test("the tail keeps the last words whole", () => {
  const stream = applyDeltas(NO_STREAMS, [delta(0, "the quick brown fox jumps")]).get("s");

  expect(stream && streamTail(stream, 12)).toBe("…fox jumps");
  expect(stream && streamTail(stream, 100)).toBe("the quick brown fox jumps");
});
