/** Fields of one line: text, number, switch, choice. */
import { Select, Switch, TextInput } from "@mantine/core";
import type { Json } from "@/graph/json";
import { asText, type FieldProps } from "./field-props";
import { FieldNote } from "./field-frame";
import classes from "./fields.module.css";

export function TextField({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  return (
    <TextInput
      aria-labelledby={labelId}
      aria-describedby={hintId}
      placeholder={field.placeholder || asText(field.defaultValue)}
      value={asText(value)}
      error={problem !== null}
      onChange={(event) => onChange(event.currentTarget.value || emptied(field.defaultValue))}
    />
  );
}

/** Emptying a field that has a default means empty, not the default. */
function emptied(defaultValue: Json | undefined): Json | undefined {
  return defaultValue === undefined || defaultValue === null ? undefined : null;
}

export function NumberField({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  return (
    <TextInput
      aria-labelledby={labelId}
      aria-describedby={hintId}
      inputMode="decimal"
      placeholder={field.placeholder || asText(field.defaultValue)}
      value={asText(value)}
      error={problem !== null}
      onChange={(event) => onChange(readNumber(event.currentTarget.value))}
    />
  );
}

/** A number where it is one; anything else is kept as written, so that an expression can stand here too. */
export function readNumber(text: string): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}

export function SelectField({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  return (
    <Select
      aria-labelledby={labelId}
      aria-describedby={hintId}
      data={field.options}
      value={asText(value ?? field.defaultValue) || null}
      error={problem !== null}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}

/** A switch brings its own words: title at the left, the switch at the right. */
export function SwitchField({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  const on = (value ?? field.defaultValue) === true;
  return (
    <div className={classes["inline"]} data-field={field.name}>
      <div className={classes["inlineWords"]}>
        <div id={labelId} className={classes["strong"]}>
          {field.title}
        </div>
        <FieldNote id={hintId} hint={field.description} problem={problem} />
      </div>
      <Switch
        classNames={{ track: classes["track"] ?? "" }}
        aria-labelledby={labelId}
        aria-describedby={hintId}
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}
