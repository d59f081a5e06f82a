/** What a run asks for: a form made from the workflow's inputs. */
import { Checkbox, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { CodeEditor } from "@/components/code-editor";
import { FormDialog } from "@/components/form-dialog";
import { isObject, type Json, type JsonObject } from "@/graph/json";
import { readLoose, writeLoose } from "@/graph/loose-value";
import { checkInputs, initialInputs, readFields, withoutEmpty, type SchemaField } from "@/graph/schema";
import classes from "./dialogs.module.css";
import { MoreFields, moreOf, type RunMore } from "./more-fields";

interface RunDialogProps {
  schema: JsonObject | undefined;
  remembered: JsonObject;
  busy: boolean;
  error: unknown;
  onRun: (inputs: JsonObject, more: RunMore) => void;
  onClose: () => void;
}

export function RunDialog({ schema, remembered, busy, error, onRun, onClose }: RunDialogProps) {
  const fields = readFields(schema);
  return fields ? (
    <FieldsForm {...{ fields, remembered, busy, error, onRun, onClose }} />
  ) : (
    <JsonForm {...{ remembered, busy, error, onRun, onClose }} />
  );
}

type FormProps = Omit<RunDialogProps, "schema">;

function FieldsForm({
  fields,
  remembered,
  busy,
  error,
  onRun,
  onClose,
}: FormProps & { fields: readonly SchemaField[] }) {
  const [values, setValues] = useState<JsonObject>(() => initialInputs(fields, remembered));
  const [tried, setTried] = useState(false);
  const [more, setMore] = useState<RunMore>({});
  const problems = checkInputs(fields, values);
  return (
    <FormDialog
      opened
      title="Run with"
      verb="Run"
      busy={busy}
      error={error}
      size={520}
      onClose={onClose}
      onSubmit={(event) => {
        event?.preventDefault();
        setTried(true);
        if (!Object.keys(problems).length) onRun(withoutEmpty(values), moreOf(more));
      }}
    >
      {fields.map((field, index) => (
        <InputField
          key={field.name}
          field={field}
          first={index === 0}
          value={values[field.name]}
          problem={tried ? problems[field.name] : undefined}
          onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      {!fields.length && <p className="hd-muted">This workflow asks for nothing.</p>}
      <MoreFields more={more} onChange={setMore} />
    </FormDialog>
  );
}

interface InputFieldProps {
  field: SchemaField;
  first: boolean;
  value: Json | undefined;
  problem: string | undefined;
  onChange: (value: Json) => void;
}

function InputField(props: InputFieldProps) {
  switch (props.field.type) {
    case "boolean":
      return <YesNo {...props} />;
    case "number":
    case "integer":
      return <Numeric {...props} />;
    case "array":
    case "object":
      return <JsonInput {...props} />;
    default:
      return <TextOrChoice {...props} />;
  }
}

function wordsOf(field: SchemaField) {
  const title = field.rest["title"];
  return {
    label: typeof title === "string" ? title : field.name,
    description: field.description || undefined,
    withAsterisk: field.required,
  };
}

function TextOrChoice({ field, first, value, problem, onChange }: InputFieldProps) {
  const shared = {
    ...wordsOf(field),
    error: problem,
    value: typeof value === "string" ? value : "",
    ...(first ? { "data-autofocus": true } : {}),
  };
  if (field.rest["format"] === "line")
    return <TextInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />;
  return (
    <Textarea
      {...shared}
      autosize
      minRows={1}
      maxRows={14}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Numeric({ field, first, value, problem, onChange }: InputFieldProps) {
  return (
    <NumberInput
      {...wordsOf(field)}
      {...(first ? { "data-autofocus": true } : {})}
      error={problem}
      value={typeof value === "number" ? value : ""}
      allowDecimal={field.type === "number"}
      onChange={(next) => onChange(next === "" ? "" : Number(next))}
    />
  );
}

function YesNo({ field, value, onChange }: InputFieldProps) {
  const { label, description } = wordsOf(field);
  return (
    <Checkbox
      label={label}
      description={description}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function JsonInput({ field, value, problem, onChange }: InputFieldProps) {
  const [text, setText] = useState(() => writeLoose(value));
  const { label, description } = wordsOf(field);
  return (
    <div>
      <p className={classes["inputLabel"]}>
        {label} {field.required && <span className="hd-muted">required</span>}
      </p>
      {description && <p className={classes["small"]}>{description}</p>}
      <CodeEditor
        language="json"
        label={label}
        value={text}
        rows={3}
        invalid={problem !== undefined}
        onChange={(next) => {
          setText(next);
          onChange(readLoose(next) ?? null);
        }}
      />
      {problem && <p className={classes["problem"]}>{problem}</p>}
    </div>
  );
}

/** Inputs whose schema is no plain form are given as JSON. */
function JsonForm({ remembered, busy, error, onRun, onClose }: FormProps) {
  const [text, setText] = useState(() => JSON.stringify(remembered, null, 2));
  const value = readLoose(text);
  const [tried, setTried] = useState(false);
  const [more, setMore] = useState<RunMore>({});
  return (
    <FormDialog
      opened
      title="Run with"
      verb="Run"
      busy={busy}
      error={error}
      size={560}
      onClose={onClose}
      onSubmit={(event) => {
        event?.preventDefault();
        setTried(true);
        if (isObject(value)) onRun(value, moreOf(more));
      }}
    >
      <CodeEditor
        language="json"
        label="Inputs as JSON"
        value={text}
        rows={8}
        numbers
        invalid={tried && !isObject(value)}
        onChange={setText}
      />
      {tried && !isObject(value) && <p className={classes["problem"]}>Give a JSON object with the inputs.</p>}
      <MoreFields more={more} onChange={setMore} />
    </FormDialog>
  );
}
