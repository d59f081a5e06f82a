/** Boxes for text with expressions, bare Python, and free JSON. */
import { useState } from "react";
import { sameJson } from "@/graph/json";
import { readLoose, writeLoose } from "@/graph/loose-value";
import { ExpressionEditor } from "../expression/expression-editor";
import { asText, type FieldProps } from "./field-props";

/** Text with expressions; a setting that may be any value takes JSON in the same box. */
export function TemplateField(props: FieldProps) {
  return props.field.schema["type"] === "string" ? <TextTemplate {...props} /> : <AnyTemplate {...props} />;
}

function AnyTemplate({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  const [text, setText] = useState(() => writeLoose(value));
  const shown = sameJson(readLoose(text) ?? null, value ?? null) ? text : writeLoose(value);
  return (
    <ExpressionEditor
      mode="template"
      labelledBy={labelId}
      describedBy={hintId}
      placeholder={field.placeholder}
      value={shown}
      onChange={(next) => {
        setText(next);
        onChange(readLoose(next));
      }}
      invalid={problem !== null}
      rows={Math.min(field.rows, 5)}
      numbers={field.rows > 3}
    />
  );
}

function TextTemplate({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  return (
    <ExpressionEditor
      mode="template"
      labelledBy={labelId}
      describedBy={hintId}
      placeholder={field.placeholder}
      value={asText(value)}
      onChange={(text) => onChange(text === "" ? undefined : text)}
      invalid={problem !== null}
      rows={Math.min(field.rows, 5)}
      numbers={field.rows > 3}
    />
  );
}

export function ExpressionField({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  return (
    <ExpressionEditor
      mode="bare"
      labelledBy={labelId}
      describedBy={hintId}
      placeholder={field.placeholder}
      value={asText(value)}
      onChange={(text) => onChange(text === "" ? undefined : text)}
      invalid={problem !== null}
      rows={field.rows}
      numbers={field.rows > 3}
    />
  );
}

/** JSON, or a text with expressions: what reads as JSON is JSON. */
export function JsonField({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  const [text, setText] = useState(() => writeLoose(value));
  const shown = sameJson(readLoose(text) ?? null, value ?? null) ? text : writeLoose(value);
  return (
    <ExpressionEditor
      mode="template"
      labelledBy={labelId}
      describedBy={hintId}
      placeholder={field.placeholder}
      value={shown}
      onChange={(next) => {
        setText(next);
        onChange(readLoose(next));
      }}
      invalid={problem !== null}
      rows={Math.max(3, field.rows)}
    />
  );
}
