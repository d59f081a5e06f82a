import { describe, expect, it } from "vitest";
import { areaOf, pathOf, scaleFor } from "./chart-scale";

const frame = { left: 0, right: 100, top: 0, bottom: 50 };

describe("the scale", () => {
  it.each([
    [0, [0, 2, 4]],
    [1, [0, 1, 2]],
    [3, [0, 1, 2, 3]],
    [95, [0, 25, 50, 75, 100]],
    [390, [0, 100, 200, 300, 400]],
    [12_000, [0, 5_000, 10_000, 15_000]],
  ])("for %d has the ticks %j", (largest, ticks) => {
    expect(scaleFor(largest).ticks).toEqual(ticks);
  });

  it("always reaches the largest value", () => {
    for (let largest = 1; largest < 5_000; largest = Math.ceil(largest * 1.3)) {
      expect(scaleFor(largest).top).toBeGreaterThanOrEqual(largest);
    }
  });
});

describe("the line", () => {
  it("runs over the whole frame", () => {
    expect(pathOf([0, 4, 2], { top: 4, ticks: [] }, frame)).toBe("M0.0 50.0L50.0 0.0L100.0 25.0");
  });

  it("is nothing for no values", () => {
    expect([pathOf([], scaleFor(1), frame), areaOf([], scaleFor(1), frame)]).toEqual(["", ""]);
  });

  it("closes along the bottom for the tint", () => {
    expect(areaOf([4], { top: 4, ticks: [] }, frame)).toBe("M0.0 0.0L100 50L0 50Z");
  });
});
