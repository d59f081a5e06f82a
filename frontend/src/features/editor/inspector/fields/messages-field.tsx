/** A conversation so far: who says what, in order. */
import { ActionIcon, Button, Select } from "@mantine/core";
import { Icon } from "@/components/icon";
import { isObject, type Json } from "@/graph/json";
import { ExpressionEditor } from "../expression/expression-editor";
import type { FieldProps } from "./field-props";
import classes from "./fields.module.css";

interface Message {
  role: string;
  content: string;
}

const ROLES = [
  { value: "system", label: "Instructions" },
  { value: "user", label: "User" },
  { value: "assistant", label: "Model" },
];

export function MessagesField({ value, onChange, labelId }: FieldProps) {
  const messages = readMessages(value);
  const change = (next: Message[]) => onChange(next.length ? next.map((each) => ({ ...each })) : undefined);
  const set = (index: number, part: Partial<Message>) =>
    change(messages.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <div className={classes["rows"]} role="group" aria-labelledby={labelId}>
      {messages.map((each, index) => (
        <div key={index} className={classes["box"]}>
          <div className={classes["boxHead"]}>
            <Select
              size="xs"
              aria-label={`Who says message ${index + 1}`}
              data={ROLES}
              value={each.role}
              allowDeselect={false}
              onChange={(role) => set(index, { role: role ?? "user" })}
            />
            <ActionIcon
              size="xs"
              aria-label={`Remove message ${index + 1}`}
              onClick={() => change(messages.filter((_, at) => at !== index))}
            >
              <Icon name="x" size={14} />
            </ActionIcon>
          </div>
          <ExpressionEditor
            mode="template"
            label={`Text of message ${index + 1}`}
            value={each.content}
            onChange={(content) => set(index, { content })}
            rows={2}
          />
        </div>
      ))}
      <Button
        className={classes["add"] ?? ""}
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => change([...messages, { role: "user", content: "" }])}
      >
        Add a message
      </Button>
    </div>
  );
}

function readMessages(value: Json | undefined): Message[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((row) => ({
    role: typeof row["role"] === "string" ? row["role"] : "user",
    content: typeof row["content"] === "string" ? row["content"] : "",
  }));
}
