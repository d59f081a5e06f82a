import { expect, it } from "vitest";
import { expiryOf } from "./lifetimes";

const now = Date.parse("2026-01-01T00:00:00Z");

it("counts the days of a key from now", () => {
  expect(expiryOf("30", now)).toBe("2026-01-31T00:00:00.000Z");
});

it("leaves a key without an end without a date", () => {
  expect(expiryOf("never", now)).toBeUndefined();
});
