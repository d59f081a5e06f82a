/** Simple object schemas as rows a person can edit, and forms made from them. */

import { isObject } from "./json";
import type { Json, JsonObject } from "./json";

export const FIELD_TYPES = ["string", "number", "integer", "boolean", "array", "object"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const TYPE_WORDS: Readonly<Record<FieldType, string>> = {
  string: "Text",
  number: "Number",
  integer: "Whole number",
  boolean: "Yes or no",
  array: "List",
  object: "Object",
};

export interface SchemaField {
  name: string;
  type: FieldType;
  required: boolean;
  description: string;
  /** Everything else the schema says of the field, kept as it is. */
  rest: JsonObject;
}

const COMBINING = ["oneOf", "anyOf", "allOf", "$ref"];

/** Read an object schema as rows; null where it says more than rows can show. */
export function readFields(schema: JsonObject | undefined): SchemaField[] | null {
  if (!schema || !Object.keys(schema).length) return [];
  if (schema["type"] !== "object" || COMBINING.some((key) => key in schema)) return null;
  const properties = schema["properties"] ?? {};
  if (!isObject(properties)) return null;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const fields = Object.entries(properties).map(([name, property]) =>
    readField(name, property, required.includes(name)),
  );
  return fields.every((field) => field !== null) ? fields : null;
}

function readField(name: string, property: Json, required: boolean): SchemaField | null {
  if (!isObject(property)) return null;
  const { type, description, ...rest } = property;
  if (!isFieldType(type)) return null;
  return { name, type, required, description: typeof description === "string" ? description : "", rest };
}

function isFieldType(type: unknown): type is FieldType {
  return FIELD_TYPES.some((known) => known === type);
}

const ROWS_SAY = new Set(["type", "properties", "required"]);

/** Write rows back into a schema, keeping what the rows do not show. */
export function writeFields(schema: JsonObject | undefined, fields: readonly SchemaField[]): JsonObject {
  const rest = Object.fromEntries(Object.entries(schema ?? {}).filter(([key]) => !ROWS_SAY.has(key)));
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return {
    type: "object",
    ...rest,
    properties: Object.fromEntries(fields.map((field) => [field.name, writeField(field)])),
    ...(required.length ? { required } : {}),
  };
}

function writeField({ type, description, rest }: SchemaField): JsonObject {
  return { type, ...(description ? { description } : {}), ...rest };
}

/** What a form begins with: remembered values where they still fit, else the schema's defaults. */
export function initialInputs(fields: readonly SchemaField[], remembered: JsonObject): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field): [string, Json][] => {
      const value = remembered[field.name] ?? field.rest["default"];
      if (value !== undefined) return [[field.name, value]];
      return field.type === "boolean" && field.required ? [[field.name, false]] : [];
    }),
  );
}

/** What is wrong with the values of a form, by field; empty when the run may start. */
export function checkInputs(fields: readonly SchemaField[], values: JsonObject): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const problem = problemOf(field, values[field.name]);
      return problem === null ? [] : [[field.name, problem]];
    }),
  );
}

function problemOf(field: SchemaField, value: Json | undefined): string | null {
  if (value === undefined || value === null || value === "")
    return field.required ? "This input is required." : null;
  const rule = RULES[field.type];
  return rule.fits(value) ? null : rule.message;
}

const RULES: Readonly<Record<FieldType, { fits: (value: Json) => boolean; message: string }>> = {
  string: { fits: (value) => typeof value === "string", message: "Give a text." },
  integer: { fits: (value) => Number.isInteger(value), message: "Give a whole number." },
  number: { fits: (value) => typeof value === "number", message: "Give a number." },
  boolean: { fits: (value) => typeof value === "boolean", message: "Choose yes or no." },
  array: { fits: (value) => Array.isArray(value), message: "Give a JSON list, such as [1, 2]." },
  object: { fits: isObject, message: 'Give a JSON object, such as {"key": "value"}.' },
};

/** Values without the fields that were left empty, so that defaults apply on the server. */
export function withoutEmpty(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== null));
}
