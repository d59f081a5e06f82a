import { expect, test } from "vitest";

import { readLoose, writeLoose } from "./loose-value";

test.each([3, true, "hello", "3", "{{ inputs.x }}", { a: [1, null] }, [], "two\nlines", '{"not": json'])(
  "%j written and read is the same",
  (value) => {
    expect(readLoose(writeLoose(value))).toEqual(value);
  },
);

test("nothing written is no value", () => {
  expect(readLoose("  ")).toBeUndefined();
  expect(writeLoose(null)).toBe("");
});
