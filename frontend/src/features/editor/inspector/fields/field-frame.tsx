/** A field of the inspector: its label above, then the control, then its problem or its hint. */
import { useId, type ReactNode } from "react";
import { Icon } from "@/components/icon";
import classes from "./fields.module.css";

interface FieldFrameProps {
  label: string;
  name?: string;
  hint?: string;
  problem?: string | null;
  required?: boolean;
  mark?: ReactNode;
  children: (ids: { labelId: string; hintId: string }) => ReactNode;
}

export function FieldFrame({ label, name, hint, problem, required, mark, children }: FieldFrameProps) {
  const labelId = useId();
  const hintId = useId();
  return (
    <div className={classes["field"]} data-field={name}>
      <div className={classes["label"]}>
        <span id={labelId}>
          {label}
          {required && <span className={classes["required"]}> required</span>}
        </span>
        {mark}
      </div>
      {children({ labelId, hintId })}
      <FieldNote id={hintId} hint={hint} problem={problem} />
    </div>
  );
}

interface FieldNoteProps {
  id: string;
  hint: string | undefined;
  problem: string | null | undefined;
  severity?: "error" | "warning";
}

export function FieldNote({ id, hint, problem, severity = "error" }: FieldNoteProps) {
  if (problem) {
    return (
      <p id={id} className={classes["problem"]} data-severity={severity}>
        <Icon name="alert" size={14} />
        {problem}
      </p>
    );
  }
  return hint ? (
    <p id={id} className={classes["hint"]}>
      {hint}
    </p>
  ) : null;
}

/** Says that a box takes expressions. */
export function ExpressionMark() {
  return (
    <span className={classes["mark"]} title="Expressions: Python between {{ and }}">
      <Icon name="fx" size={14} />
      Expression
    </span>
  );
}
