/** What the run's steps waited for, and what of its budget is used. */
import type { RunBudget, RunDetail } from "@/api/types";
import { formatCompact, formatDuration, formatMoney } from "@/lib/format";
import { useOpenRun } from "../stream/run-context";
import classes from "./figures-panel.module.css";

export function FiguresPanel() {
  const { run } = useOpenRun();
  return (
    <div className={classes["figures"]}>
      <Waits waited={run.waited} />
      {run.budget && <BudgetMeter budget={run.budget} />}
    </div>
  );
}

const CAUSES: readonly { key: keyof RunDetail["waited"]; word: string; hint: string }[] = [
  { key: "inputs_s", word: "for inputs", hint: "until what comes before had ended" },
  { key: "slot_s", word: "for a place", hint: "ready, and no worker was free" },
  { key: "limit_s", word: "for a limit", hint: "ready, and a limit had no room" },
  { key: "retry_s", word: "for a retry", hint: "before they were tried again" },
];

function Waits({ waited }: { waited: RunDetail["waited"] }) {
  const most = Math.max(...CAUSES.map(({ key }) => waited[key]), 0.001);
  return (
    <section aria-label="Waits">
      <h3>Steps waited</h3>
      <dl className={classes["rows"]}>
        {CAUSES.map(({ key, word, hint }) => (
          <div key={key} title={hint}>
            <dt>{word}</dt>
            <dd className={classes["bar"]}>
              <i style={{ width: `${(waited[key] / most) * 100}%` }} />
            </dd>
            <dd className={classes["number"]}>{formatDuration(waited[key])}</dd>
          </div>
        ))}
      </dl>
      <p className={classes["hint"]}>Summed over all steps.</p>
    </section>
  );
}

interface Use {
  word: string;
  limit: number | null;
  spent: number;
  reserved: number;
  format: (value: number) => string;
}

function usesOf({ limits, spent, reserved }: RunBudget): Use[] {
  return [
    {
      word: "tokens",
      limit: limits.tokens,
      spent: spent.tokens,
      reserved: reserved.tokens,
      format: formatCompact,
    },
    { word: "money", limit: limits.cost, spent: spent.cost, reserved: reserved.cost, format: formatMoney },
    { word: "steps", limit: limits.steps, spent: spent.steps, reserved: 0, format: formatCompact },
  ];
}

function BudgetMeter({ budget }: { budget: RunBudget }) {
  return (
    <section aria-label="Budget">
      <h3>Budget</h3>
      <dl className={classes["rows"]}>
        {usesOf(budget).map((use) => (
          <UseRow key={use.word} use={use} />
        ))}
      </dl>
      <p className={classes["hint"]}>
        When it is used up the run {budget.on_exceeded === "pause" ? "pauses" : "fails"}.
      </p>
    </section>
  );
}

function UseRow({ use: { word, limit, spent, reserved, format } }: { use: Use }) {
  const words = [
    limit === null ? `${format(spent)} spent` : `${format(spent)} of ${format(limit)}`,
    reserved > 0 && `${format(reserved)} reserved`,
  ];
  const share = (value: number) => `${Math.min(100, limit ? (value / limit) * 100 : 0)}%`;
  return (
    <div>
      <dt>{word}</dt>
      <dd
        className={classes["bar"]}
        data-full={(limit !== null && spent + reserved >= limit) || undefined}
        role={limit === null ? undefined : "meter"}
        aria-label={limit === null ? undefined : `Budget of ${word}`}
        aria-valuemin={0}
        aria-valuemax={limit ?? undefined}
        aria-valuenow={limit === null ? undefined : spent}
      >
        {limit !== null && (
          <>
            <i style={{ width: share(spent) }} />
            <i data-reserved style={{ width: share(reserved) }} />
          </>
        )}
      </dd>
      <dd className={classes["number"]}>{words.filter(Boolean).join(" · ")}</dd>
    </div>
  );
}

/** How much of the tightest bound is used, for the headline; null without one. */
export function budgetUsed(budget: RunBudget | null): number | null {
  if (!budget) return null;
  const shares = usesOf(budget).flatMap(({ limit, spent }) => (limit ? [spent / limit] : []));
  return shares.length ? Math.max(...shares) : null;
}
