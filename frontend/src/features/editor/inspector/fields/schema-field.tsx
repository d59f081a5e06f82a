/** A JSON Schema: rows of fields where rows can show it, else the schema itself. */
import { ActionIcon, Button, Checkbox, SegmentedControl, Select, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { CodeEditor } from "@/components/code-editor";
import { Icon } from "@/components/icon";
import { nextId } from "@/graph/ids";
import { isObject, sameJson, type JsonObject } from "@/graph/json";
import { FIELD_TYPES, readFields, TYPE_WORDS, writeFields, type SchemaField as Row } from "@/graph/schema";
import type { FieldProps } from "./field-props";
import { FieldNote } from "./field-frame";
import classes from "./fields.module.css";

/** Off: the answer is text. On: its fields. */
export function SchemaField({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  const on = isObject(value);
  return (
    <div className={classes["rows"]} data-field={field.name}>
      <div className={classes["inline"]}>
        <div className={classes["inlineWords"]}>
          <div id={labelId} className={classes["strong"]}>
            Structured output
          </div>
          <FieldNote
            id={hintId}
            hint={on ? "On: the answer is checked and given as data" : "Off: the answer is text"}
            problem={problem}
          />
        </div>
        <Switch
          classNames={{ track: classes["track"] ?? "" }}
          aria-labelledby={labelId}
          checked={on}
          onChange={(event) =>
            onChange(event.currentTarget.checked ? { type: "object", properties: {} } : undefined)
          }
        />
      </div>
      {on && <SchemaBuilder schema={value} onChange={onChange} what="field" />}
    </div>
  );
}

interface SchemaBuilderProps {
  schema: JsonObject | undefined;
  onChange: (schema: JsonObject) => void;
  /** What a row is: an input, a field. */
  what: "input" | "field";
}

export function SchemaBuilder({ schema, onChange, what }: SchemaBuilderProps) {
  const rows = readFields(schema);
  const [view, setView] = useState<string>(rows ? "Form" : "JSON");
  const shown = rows ? view : "JSON";
  return (
    <div className={classes["rows"]}>
      <SegmentedControl
        size="xs"
        className={classes["segments"] ?? ""}
        data={["Form", "JSON"]}
        value={shown}
        onChange={setView}
        disabled={!rows}
        aria-label="How the schema is shown"
      />
      {shown === "Form" && rows ? (
        <Rows rows={rows} what={what} onChange={(next) => onChange(writeFields(schema, next))} />
      ) : (
        <SchemaText schema={schema ?? {}} onChange={onChange} />
      )}
    </div>
  );
}

function SchemaText({ schema, onChange }: { schema: JsonObject; onChange: (schema: JsonObject) => void }) {
  const [text, setText] = useState(() => JSON.stringify(schema, null, 2));
  const read = readSchema(text);
  const shown = read && !sameJson(read, schema) ? JSON.stringify(schema, null, 2) : text;
  return (
    <>
      <CodeEditor
        language="json"
        label="Schema as JSON"
        value={shown}
        rows={6}
        invalid={!read}
        onChange={(next) => {
          setText(next);
          const parsed = readSchema(next);
          if (parsed) onChange(parsed);
        }}
      />
      {!read && (
        <FieldNote
          id="schema-problem"
          hint={undefined}
          problem="This is no JSON object yet: it is kept when it is one."
        />
      )}
    </>
  );
}

function readSchema(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

interface RowsProps {
  rows: readonly Row[];
  what: string;
  onChange: (rows: Row[]) => void;
}

function Rows({ rows, what, onChange }: RowsProps) {
  const set = (index: number, part: Partial<Row>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const add = () => {
    const name = nextId(what, new Set(rows.map((row) => row.name)));
    onChange([...rows, { name, type: "string", required: true, description: "", rest: {} }]);
  };
  return (
    <>
      {rows.map((row, index) => (
        <RowBox
          key={index}
          row={row}
          taken={rows.some((other, at) => at !== index && other.name === row.name)}
          onChange={(part) => set(index, part)}
          onRemove={() => onChange(rows.filter((_, at) => at !== index))}
        />
      ))}
      <Button
        className={classes["add"] ?? ""}
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={add}
      >
        Add {what === "input" ? "an input" : "a field"}
      </Button>
    </>
  );
}

interface RowBoxProps {
  row: Row;
  taken: boolean;
  onChange: (part: Partial<Row>) => void;
  onRemove: () => void;
}

function RowBox({ row, taken, onChange, onRemove }: RowBoxProps) {
  const [name, setName] = useState(row.name);
  const [shownFor, setShownFor] = useState(row.name);
  if (shownFor !== row.name) {
    setShownFor(row.name);
    setName(row.name);
  }
  return (
    <div className={classes["box"]}>
      <div className={classes["boxHead"]}>
        <TextInput
          size="xs"
          aria-label="Name"
          value={name}
          error={taken || name === ""}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => (name.trim() ? onChange({ name: name.trim() }) : setName(row.name))}
        />
        <Select
          size="xs"
          w={116}
          aria-label={`Type of ${row.name}`}
          data={FIELD_TYPES.map((type) => ({ value: type, label: TYPE_WORDS[type] }))}
          value={row.type}
          allowDeselect={false}
          onChange={(type) => onChange({ type: type ?? "string" })}
        />
        <ActionIcon size="xs" aria-label={`Remove ${row.name}`} onClick={onRemove}>
          <Icon name="x" size={14} />
        </ActionIcon>
      </div>
      <TextInput
        size="xs"
        aria-label={`Description of ${row.name}`}
        placeholder="What it is"
        value={row.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Checkbox
        size="xs"
        label="Required"
        checked={row.required}
        onChange={(event) => onChange({ required: event.currentTarget.checked })}
      />
    </div>
  );
}
