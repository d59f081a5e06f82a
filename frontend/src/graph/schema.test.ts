import { expect, test } from "vitest";

import { checkInputs, initialInputs, readFields, withoutEmpty, writeFields } from "./schema";

const schema = {
  type: "object",
  title: "Question",
  properties: {
    topic: { type: "string", description: "What about", maxLength: 9 },
    depth: { type: "integer", default: 2 },
  },
  required: ["topic"],
};

test("rows written back give the same schema, also what rows do not show", () => {
  const fields = readFields(schema);

  expect(fields?.map((field) => field.name)).toEqual(["topic", "depth"]);
  expect(writeFields(schema, fields ?? [])).toEqual(schema);
});

test.each([
  { type: "array" },
  { type: "object", oneOf: [] },
  { type: "object", properties: { a: { type: ["string", "null"] } } },
])("a schema that rows cannot show is left to the JSON view", (other) => {
  expect(readFields(other)).toBeNull();
});

test("a form begins with remembered values, else with defaults", () => {
  const fields = readFields(schema) ?? [];

  expect(initialInputs(fields, { topic: "tea", gone: 1 })).toEqual({ topic: "tea", depth: 2 });
});

test("a form says what is missing or of the wrong type", () => {
  const fields = readFields(schema) ?? [];

  expect(checkInputs(fields, { depth: 1.5 })).toEqual({
    topic: "This input is required.",
    depth: "Give a whole number.",
  });
  expect(checkInputs(fields, { topic: "tea" })).toEqual({});
  expect(withoutEmpty({ topic: "", depth: 1 })).toEqual({ depth: 1 });
});
