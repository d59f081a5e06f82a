import { expect, it } from "vitest";
import { barHeights, barsInWords } from "./run-bars-figures";

it("lets the longest run fill the strip and keeps the shortest visible", () => {
  expect(barHeights([100, 25, 0, null])).toEqual([22, 13, 4, 4]);
});

it("draws runs of no length alike", () => {
  expect(barHeights([0, 0])).toEqual([4, 4]);
});

it("tells the same in words", () => {
  expect(barsInWords(["succeeded", "failed", "running", "queued", "cancelled"])).toBe(
    "Past runs: 1 succeeded, 1 failed, 1 cancelled, 2 not finished",
  );
});
