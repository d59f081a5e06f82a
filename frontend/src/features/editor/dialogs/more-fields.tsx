/** What holds for one run alone: its deadline, priority and budget; folded away until it is asked for. */
import { Collapse, NumberInput, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { BudgetFields, budgetOrNone } from "@/components/budget-fields";
import { Icon } from "@/components/icon";
import type { Budget } from "@/graph/graph";
import classes from "./dialogs.module.css";

export interface RunMore {
  deadline_s?: number;
  priority?: number;
  budget?: Budget;
}

interface MoreFieldsProps {
  more: RunMore;
  onChange: (more: RunMore) => void;
}

export function MoreFields({ more, onChange }: MoreFieldsProps) {
  const [open, setOpen] = useState(false);
  const { deadline_s: deadline, priority, budget } = more;
  return (
    <div>
      <UnstyledButton className={classes["more"] ?? ""} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "down" : "right"} size={14} />
        More
      </UnstyledButton>
      <Collapse expanded={open} keepMounted={false}>
        <div className={classes["moreFields"]}>
          <NumberInput
            label="Deadline"
            description="Seconds until it has to be done; else the workflow's own."
            placeholder="none"
            min={0.1}
            hideControls
            value={deadline ?? ""}
            onChange={(value) => onChange(withNumber(more, "deadline_s", value))}
          />
          <NumberInput
            label="Priority"
            description="From -100 to 100: of runs that wait, higher ones go first."
            placeholder="0"
            min={-100}
            max={100}
            allowDecimal={false}
            value={priority ?? ""}
            onChange={(value) => onChange(withNumber(more, "priority", value))}
          />
          <BudgetFields budget={budget ?? {}} onChange={(next) => onChange({ ...more, budget: next })} />
        </div>
      </Collapse>
    </div>
  );
}

function withNumber(more: RunMore, name: "deadline_s" | "priority", value: number | string): RunMore {
  const rest = Object.fromEntries(Object.entries(more).filter(([key]) => key !== name)) as RunMore;
  return value === "" ? rest : { ...rest, [name]: Number(value) };
}

/** What is sent: a budget that bounds nothing is left out, so that the workflow's own holds. */
export function moreOf({ budget, ...rest }: RunMore): RunMore {
  const kept = budgetOrNone(budget ?? {});
  return kept ? { ...rest, budget: kept } : rest;
}
