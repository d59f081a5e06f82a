/** A number with its label: emptied it is not set, and what is no number stays in the box with its problem. */
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { FieldFrame } from "./field-frame";

interface NumberRowProps {
  label: string;
  hint: string;
  placeholder?: string;
  whole?: boolean;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

export function NumberRow({ label, hint, placeholder, whole = false, value, onChange }: NumberRowProps) {
  const [text, setText] = useState(written(value));
  const read = readNumber(text, whole);
  const shown = read === "wrong" || read === value ? text : written(value);
  const problem =
    read === "wrong" ? (whole ? "Give a whole number of at least 1." : "Give a number of at least 0.") : null;
  return (
    <FieldFrame label={label} hint={hint} problem={problem}>
      {({ labelId, hintId }) => (
        <TextInput
          aria-labelledby={labelId}
          aria-describedby={hintId}
          inputMode="decimal"
          placeholder={placeholder}
          value={shown}
          error={problem !== null}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setText(next);
            const number = readNumber(next, whole);
            if (number !== "wrong") onChange(number);
          }}
        />
      )}
    </FieldFrame>
  );
}

function written(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

function readNumber(text: string, whole: boolean): number | undefined | "wrong" {
  if (text.trim() === "") return undefined;
  const number = Number(text);
  const fits = whole ? Number.isInteger(number) && number >= 1 : number >= 0 && Number.isFinite(number);
  return fits ? number : "wrong";
}
