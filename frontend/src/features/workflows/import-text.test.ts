import { expect, it } from "vitest";
import { formatOf, problemOfText } from "./import-text";

it.each([
  ["name: a", "flow.json", "json"],
  ["{}", "flow.YML", "yaml"],
  ['  {"schema": "heddle/1"}', "", "json"],
  ["schema: heddle/1", "notes.txt", "yaml"],
])("reads %j of %j as %s", (text, name, format) => {
  expect(formatOf(text, name)).toBe(format);
});

it("sends nothing that cannot be a document", () => {
  expect([problemOfText("  "), problemOfText("a\u0000b"), problemOfText("x".repeat(2_000_001))]).toEqual([
    "Paste a workflow's JSON or YAML, or choose a file.",
    "This is not a text file. Choose a workflow exported as JSON or YAML.",
    "This is larger than 2 MB, more than one workflow may be.",
  ]);
  expect(problemOfText("schema: heddle/1")).toBeNull();
});
