/** A paused run with a budget goes on with the same budget, or with a larger one. */
import { useState } from "react";
import { BudgetFields, budgetOrNone } from "@/components/budget-fields";
import { FormDialog } from "@/components/form-dialog";
import type { Budget } from "@/graph/graph";
import { sameJson } from "@/graph/json";
import { useOpenRun, useRunState } from "../stream/run-context";
import type { Steering } from "./use-steering";

export function ResumeDialog({ steering: { resume }, onClose }: { steering: Steering; onClose: () => void }) {
  const { run } = useOpenRun();
  const reason = useRunState((state) => state.view.reason);
  const before = boundsOf(run.budget);
  const [budget, setBudget] = useState<Budget>(before);
  return (
    <FormDialog
      opened
      title="Resume this run"
      verb="Resume"
      busy={resume.isPending}
      error={resume.error}
      onClose={onClose}
      onSubmit={(event) => {
        event?.preventDefault();
        const changed = sameJson(budget, before) ? undefined : budgetOrNone(budget);
        resume.mutate(changed, { onSuccess: onClose });
      }}
    >
      {reason && <p>{reason}</p>}
      <BudgetFields budget={budget} onChange={setBudget} names={["tokens", "cost", "steps"]} />
    </FormDialog>
  );
}

function boundsOf(budget: ReturnType<typeof useOpenRun>["run"]["budget"]): Budget {
  if (!budget) return {};
  const { tokens, cost, steps } = budget.limits;
  return {
    ...(tokens === null ? {} : { tokens }),
    ...(cost === null ? {} : { cost }),
    ...(steps === null ? {} : { steps }),
    on_exceeded: budget.on_exceeded,
  };
}
