import { expect, it } from "vitest";
import { opensAtFirst, shortText, sizeInWords } from "./json-parts";

it("shows a closed value in one line", () => {
  expect(shortText({ a: 1, b: "two", c: [1], d: {} })).toBe('{a: 1, b: "two", c: […], d: { }}');
});

it("cuts what does not fit", () => {
  expect(shortText(Array.from({ length: 5_000 }, (_, index) => index))).toMatch(/^\[0, 1, .*, …\]$/u);
});

it("says how much is inside", () => {
  expect([sizeInWords([1]), sizeInWords({ a: 1, b: 2 })]).toEqual(["1 entry", "2 keys"]);
});

it("opens small values near the top only", () => {
  const large = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, index]));

  expect([opensAtFirst({ a: 1 }, 1), opensAtFirst({ a: 1 }, 2), opensAtFirst(large, 1)]).toEqual([
    true,
    false,
    false,
  ]);
});
