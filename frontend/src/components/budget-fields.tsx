/** What a run may use up: tokens, money, steps, time, and what happens then. */
import { NumberInput, Select } from "@mantine/core";
import type { Budget } from "@/graph/graph";
import classes from "./budget-fields.module.css";

type Bound = "tokens" | "cost" | "steps" | "wall_s";

const BOUNDS: readonly { name: Bound; label: string; hint: string; whole: boolean }[] = [
  { name: "tokens", label: "Tokens", hint: "of all model calls", whole: true },
  { name: "cost", label: "Money", hint: "by the credentials' prices", whole: false },
  { name: "steps", label: "Steps", hint: "that may start", whole: true },
  { name: "wall_s", label: "Seconds", hint: "until it has to be done", whole: false },
];
const ON_EXCEEDED = [
  { value: "fail", label: "Fail the run" },
  { value: "pause", label: "Pause the run" },
];

interface BudgetFieldsProps {
  budget: Budget;
  onChange: (budget: Budget) => void;
  /** The bounds alone that are named, and not what happens then: a paused run is given a larger budget. */
  names?: readonly Bound[];
}

export function BudgetFields({ budget, onChange, names }: BudgetFieldsProps) {
  const set = (part: { [K in keyof Budget]?: Budget[K] | undefined }) =>
    onChange(
      Object.fromEntries(Object.entries({ ...budget, ...part }).filter(([, value]) => value !== undefined)),
    );
  return (
    <fieldset className={classes["budget"]}>
      <legend>Budget</legend>
      {BOUNDS.filter(({ name }) => names?.includes(name) ?? true).map(({ name, label, hint, whole }) => (
        <NumberInput
          key={name}
          label={label}
          description={hint}
          inputWrapperOrder={["label", "input", "description"]}
          placeholder="no bound"
          min={0}
          allowDecimal={!whole}
          allowNegative={false}
          hideControls
          value={budget[name] ?? ""}
          onChange={(value) => set({ [name]: value === "" ? undefined : Number(value) })}
        />
      ))}
      {names === undefined && (
        <Select
          className={classes["wide"] ?? ""}
          label="When it is used up"
          data={ON_EXCEEDED}
          value={budget.on_exceeded ?? "fail"}
          allowDeselect={false}
          disabled={!bounds(budget)}
          onChange={(chosen) => set({ on_exceeded: chosen === "pause" ? "pause" : undefined })}
        />
      )}
    </fieldset>
  );
}

function bounds(budget: Budget): boolean {
  return BOUNDS.some(({ name }) => budget[name] !== undefined);
}

/** The budget as it is kept and sent: nothing where it bounds nothing. */
export function budgetOrNone(budget: Budget): Budget | undefined {
  return bounds(budget) ? budget : undefined;
}
