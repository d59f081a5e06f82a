/** Which widget edits which setting; a widget nobody knows is edited as JSON. */
import type { ComponentType, ReactNode } from "react";
import type { FormField } from "@/graph/form";
import { CasesField } from "./cases-field";
import { CredentialField, ModelField } from "./credential-fields";
import { ExpressionMark } from "./field-frame";
import type { FieldProps } from "./field-props";
import { KeyValuesField } from "./key-values-field";
import { MessagesField } from "./messages-field";
import { SchemaField } from "./schema-field";
import { NumberField, SelectField, SwitchField, TextField } from "./simple-fields";
import { ExpressionField, JsonField, TemplateField } from "./text-fields";
import { VersionField, WorkflowField } from "./workflow-fields";

interface Widget {
  component: ComponentType<FieldProps>;
  /** Widgets without a frame bring their own title and hint. */
  framed: boolean;
  /** Widgets that say more exactly what the description says. */
  ownHint?: boolean;
  mark?: ReactNode;
}

const JSON_WIDGET: Widget = { component: JsonField, framed: true };

const WIDGETS: Readonly<Record<string, Widget>> = {
  text: { component: TextField, framed: true },
  number: { component: NumberField, framed: true },
  select: { component: SelectField, framed: true },
  switch: { component: SwitchField, framed: false },
  template: { component: TemplateField, framed: true, mark: <ExpressionMark /> },
  expression: { component: ExpressionField, framed: true, mark: <ExpressionMark /> },
  code: { component: ExpressionField, framed: true },
  json: JSON_WIDGET,
  "key-values": { component: KeyValuesField, framed: true },
  schema: { component: SchemaField, framed: false },
  messages: { component: MessagesField, framed: true },
  cases: { component: CasesField, framed: true },
  model: { component: ModelField, framed: true, ownHint: true },
  credential: { component: CredentialField, framed: true },
};

/** Settings that need more than their schema says: what they name is chosen from a list. */
const OF_KIND: Readonly<Record<string, Readonly<Record<string, Widget>>>> = {
  "flow.workflow": {
    workflow: { component: WorkflowField, framed: true, ownHint: true },
    version: { component: VersionField, framed: true },
  },
};

export function widgetOf(field: FormField, kind: string): Widget {
  return OF_KIND[kind]?.[field.name] ?? WIDGETS[field.widget] ?? JSON_WIDGET;
}
