/** Names with values: headers, queries, parameters, values to set. */
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { Icon } from "@/components/icon";
import { isObject, sameJson, type Json, type JsonObject } from "@/graph/json";
import { readLoose, writeLoose } from "@/graph/loose-value";
import { ExpressionEditor } from "../expression/expression-editor";
import type { FieldProps } from "./field-props";
import classes from "./fields.module.css";

interface Pair {
  name: string;
  text: string;
}

export function KeyValuesField({ field, value, onChange, labelId }: FieldProps) {
  const textsOnly =
    isObject(field.schema["additionalProperties"]) &&
    field.schema["additionalProperties"]["type"] === "string";
  const [pairs, setPairs] = useState<Pair[]>(() => toPairs(value, textsOnly));
  const shown = sameJson(toObject(pairs, textsOnly) ?? {}, value ?? {}) ? pairs : toPairs(value, textsOnly);

  const change = (next: Pair[]) => {
    setPairs(next);
    onChange(toObject(next, textsOnly));
  };
  const set = (index: number, part: Partial<Pair>) =>
    change(shown.map((pair, at) => (at === index ? { ...pair, ...part } : pair)));

  return (
    <div className={classes["rows"]} role="group" aria-labelledby={labelId}>
      {shown.map((pair, index) => (
        <div key={index} className={classes["pair"]}>
          <TextInput
            aria-label={`Name ${index + 1}`}
            placeholder="name"
            value={pair.name}
            error={isTaken(shown, index)}
            onChange={(event) => set(index, { name: event.currentTarget.value })}
          />
          <ExpressionEditor
            mode="template"
            label={`Value of ${pair.name || `row ${index + 1}`}`}
            placeholder="value"
            value={pair.text}
            onChange={(text) => set(index, { text })}
          />
          <ActionIcon
            size="xs"
            aria-label={`Remove ${pair.name || `row ${index + 1}`}`}
            onClick={() => change(shown.filter((_, at) => at !== index))}
          >
            <Icon name="x" size={14} />
          </ActionIcon>
        </div>
      ))}
      <Button
        className={classes["add"] ?? ""}
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setPairs([...shown, { name: "", text: "" }])}
      >
        Add a row
      </Button>
    </div>
  );
}

function isTaken(pairs: readonly Pair[], index: number): boolean {
  const name = pairs[index]?.name;
  return name !== "" && pairs.some((pair, at) => at < index && pair.name === name);
}

function toPairs(value: Json | undefined, textsOnly: boolean): Pair[] {
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, held]) => ({
    name,
    text: textsOnly && typeof held === "string" ? held : writeLoose(held),
  }));
}

function toObject(pairs: readonly Pair[], textsOnly: boolean): JsonObject | undefined {
  const named = pairs.filter((pair) => pair.name !== "");
  if (!named.length) return undefined;
  return Object.fromEntries(
    named.map(({ name, text }): [string, Json] => [name, textsOnly ? text : (readLoose(text) ?? "")]),
  );
}
