import { expect, it } from "vitest";
import { placeAfterSignIn } from "./place-after-sign-in";

it("returns to the page that was wanted", () => {
  expect(placeAfterSignIn("/runs/1?tab=events#last")).toBe("/runs/1?tab=events#last");
});

it.each([
  undefined,
  "https://elsewhere.example/",
  "//elsewhere.example",
  "javascript:alert(1)",
  "/sign-in",
  "/\\evil",
])("never leaves the application for %s", (wanted) => {
  expect(placeAfterSignIn(wanted)).toBe("/workflows");
});
