import { expect, test } from "vitest";

import { aKind } from "@/testing/graphs";
import { fieldOfPath, formFields, isShown } from "./form";

const kind = aKind("x.y", {
  config_schema: {
    type: "object",
    properties: {
      mode: {
        type: "string",
        enum: ["all", "n"],
        default: "all",
        title: "Wait for",
        "x-heddle": { widget: "select" },
      },
      n: {
        anyOf: [{ type: "integer" }, { type: "null" }],
        default: null,
        "x-heddle": { shown_if: { mode: "n" } },
      },
      body: {},
    },
    required: ["mode"],
  },
});

test("each setting is a field with its widget, the optional ones by what they are when they are there", () => {
  expect(formFields(kind).map((field) => [field.name, field.title, field.widget, field.required])).toEqual([
    ["mode", "Wait for", "select", true],
    ["n", "n", "number", false],
    ["body", "body", "json", false],
  ]);
});

test("the order of the screen is the kind's own", () => {
  expect(formFields({ ...kind, ui: { order: ["n", "mode", "gone"] } }).map((field) => field.name)).toEqual([
    "n",
    "mode",
  ]);
});

test("a field that depends on another is shown while that one fits, defaults included", () => {
  const fields = formFields(kind);
  const n = fields.find((field) => field.name === "n");

  expect(n && [isShown(n, {}, fields), isShown(n, { mode: "n" }, fields)]).toEqual([false, true]);
});

test("an issue's path names its setting", () => {
  expect(fieldOfPath("nodes[3].config.cases[0].when")).toBe("cases");
  expect(fieldOfPath("edges[0].to")).toBeNull();
});
