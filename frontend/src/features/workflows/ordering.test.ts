import { expect, it } from "vitest";
import { sortingOf, toggled } from "./ordering";

it("reads an order as the API writes it", () => {
  expect([sortingOf("-updated_at"), sortingOf("name")]).toEqual([
    { column: "updated_at", descending: true },
    { column: "name", descending: false },
  ]);
});

it("turns the order of the same column round", () => {
  expect([toggled("name", "name"), toggled("-name", "name")]).toEqual(["-name", "name"]);
});

it("starts names at A and times at the newest", () => {
  expect([toggled("-updated_at", "name"), toggled("name", "updated_at")]).toEqual(["name", "-updated_at"]);
});
