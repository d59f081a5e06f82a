/** The cases of a branch: a port and when to take it, in the order in which they are tried. */
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { Icon } from "@/components/icon";
import { isObject, type Json } from "@/graph/json";
import { nextId } from "@/graph/ids";
import { ExpressionEditor } from "../expression/expression-editor";
import type { FieldProps } from "./field-props";
import classes from "./fields.module.css";

interface Case {
  port: string;
  when: string;
}

export function CasesField({ value, onChange, labelId }: FieldProps) {
  const cases = readCases(value);
  const change = (next: Case[]) => onChange(next.length ? next.map((each) => ({ ...each })) : undefined);
  const set = (index: number, part: Partial<Case>) =>
    change(cases.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <div className={classes["rows"]} role="group" aria-labelledby={labelId}>
      {cases.map((each, index) => (
        <div key={index} className={classes["box"]}>
          <div className={classes["boxHead"]}>
            <TextInput
              size="xs"
              aria-label={`Port of case ${index + 1}`}
              value={each.port}
              onChange={(event) => set(index, { port: event.currentTarget.value })}
            />
            <CaseButtons
              index={index}
              count={cases.length}
              onMove={(to) => change(moved(cases, index, to))}
              onRemove={() => change(cases.filter((_, at) => at !== index))}
            />
          </div>
          <ExpressionEditor
            mode="bare"
            label={`Condition of ${each.port || `case ${index + 1}`}`}
            placeholder="nodes.check.output.status >= 400"
            value={each.when}
            onChange={(when) => set(index, { when })}
          />
        </div>
      ))}
      <Button
        className={classes["add"] ?? ""}
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() =>
          change([...cases, { port: nextId("case", new Set(cases.map(({ port }) => port))), when: "" }])
        }
      >
        Add a case
      </Button>
    </div>
  );
}

interface CaseButtonsProps {
  index: number;
  count: number;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function CaseButtons({ index, count, onMove, onRemove }: CaseButtonsProps) {
  return (
    <>
      <ActionIcon
        size="xs"
        aria-label={`Try case ${index + 1} earlier`}
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
      >
        <Icon name="up" size={14} />
      </ActionIcon>
      <ActionIcon
        size="xs"
        aria-label={`Try case ${index + 1} later`}
        disabled={index === count - 1}
        onClick={() => onMove(index + 1)}
      >
        <Icon name="down" size={14} />
      </ActionIcon>
      <ActionIcon size="xs" aria-label={`Remove case ${index + 1}`} onClick={onRemove}>
        <Icon name="x" size={14} />
      </ActionIcon>
    </>
  );
}

function moved(cases: readonly Case[], from: number, to: number): Case[] {
  const next = [...cases];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

function readCases(value: Json | undefined): Case[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((row) => ({
    port: typeof row["port"] === "string" ? row["port"] : "",
    when: typeof row["when"] === "string" ? row["when"] : "",
  }));
}
