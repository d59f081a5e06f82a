/** The form of a kind's settings, read from its schema: one field for each setting, with its widget. */

import { isObject } from "./json";
import type { Json, JsonObject } from "./json";
import type { NodeKind } from "./kinds";

export interface FormField {
  name: string;
  title: string;
  description: string;
  widget: string;
  schema: JsonObject;
  required: boolean;
  defaultValue: Json | undefined;
  placeholder: string;
  rows: number;
  /** Kinds of credential that fit. */
  credentialKinds: string[];
  options: string[];
  shownIf: JsonObject | null;
}

export function formFields(kind: NodeKind): FormField[] {
  const properties = asObject(kind.config_schema["properties"]);
  const required = asList(kind.config_schema["required"]);
  const order = kind.ui.order ?? Object.keys(properties);
  return order.flatMap((name) => {
    const schema = properties[name];
    return isObject(schema) ? [formField(name, schema, required.includes(name))] : [];
  });
}

function formField(name: string, schema: JsonObject, required: boolean): FormField {
  const hints = asObject(schema["x-heddle"]);
  const core = withoutNull(schema);
  return {
    name,
    title: asText(schema["title"]) || name,
    description: asText(schema["description"]),
    widget: asText(hints["widget"]) || widgetFor(core),
    schema: core,
    required,
    defaultValue: schema["default"],
    placeholder: asText(hints["placeholder"]),
    rows: typeof hints["rows"] === "number" ? hints["rows"] : 1,
    credentialKinds: asList(hints["kinds"]).filter((each) => typeof each === "string"),
    options: asList(core["enum"]).filter((each) => typeof each === "string"),
    shownIf: isObject(hints["shown_if"]) ? hints["shown_if"] : null,
  };
}

/** What an optional setting is when it is there: `anyOf: [X, null]` means X. */
function withoutNull(schema: JsonObject): JsonObject {
  const choices = asList(schema["anyOf"]).filter(isObject);
  const real = choices.filter((choice) => choice["type"] !== "null");
  return real.length === 1 && real[0] ? { ...schema, ...real[0] } : schema;
}

function widgetFor(schema: JsonObject): string {
  if (Array.isArray(schema["enum"])) return "select";
  const widgets: Record<string, string> = {
    boolean: "switch",
    number: "number",
    integer: "number",
    string: "text",
  };
  return widgets[asText(schema["type"])] ?? "json";
}

/** A field that depends on another setting is shown only while that one has the value it needs. */
export function isShown(field: FormField, config: JsonObject, fields: readonly FormField[]): boolean {
  return Object.entries(field.shownIf ?? {}).every(([name, wanted]) => {
    const other = fields.find((each) => each.name === name);
    return (config[name] ?? other?.defaultValue) === wanted;
  });
}

/** The setting an issue's path points at: `nodes[3].config.cases[0].when` gives `cases`. */
export function fieldOfPath(path: string): string | null {
  return /\.config\.([A-Za-z_]\w*)/.exec(path)?.[1] ?? null;
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function asList(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
