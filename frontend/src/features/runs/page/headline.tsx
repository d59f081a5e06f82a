/** The run in figures. */
import type { RunDetail } from "@/api/types";
import { formatCompact, formatCount, formatDuration, formatMoney, formatPercent } from "@/lib/format";
import { stateOfRun, stateWord } from "@/lib/states";
import { StateIcon } from "@/components/state-icon";
import type { RunSummary } from "@/run/summary";
import { useOpenRun, useRunState } from "../stream/run-context";
import { useCriticalPath, useFigures } from "../stream/use-figures";
import { budgetUsed } from "./figures-panel";
import classes from "./run-page.module.css";

export function Headline() {
  const status = useRunState((state) => state.view.status);
  const error = useRunState((state) => state.view.error);
  const reason = useRunState((state) => state.view.reason);
  const interrupted = useRunState((state) => state.socket === "interrupted");
  const critical = useCriticalPath();
  const { run } = useOpenRun();
  const figures = useFigures();
  const state = stateOfRun(status);
  return (
    <section className={classes["headline"]} aria-label="Run in figures">
      <span className={classes["status"]} data-state={state} role="status">
        <StateIcon state={state} decorative />
        {stateWord(status)}
      </span>
      {facts(figures, critical.length, run).map(({ before, figure, after }) => (
        <span key={before + after} className={classes["fact"]}>
          {before} <b>{figure}</b> {after}
        </span>
      ))}
      <span className="hd-grow" />
      {interrupted && <span className={classes["note"]}>Connection lost, trying again</span>}
      {(error ?? reason) && <span className={classes["note"]}>{error?.message ?? reason}</span>}
    </section>
  );
}

interface Fact {
  before: string;
  figure: string;
  after: string;
}

function facts(figures: RunSummary, criticalSteps: number, run: RunDetail): Fact[] {
  const { wallMs, workMs, speedUp, done, total } = figures;
  const list: (Fact | false)[] = [
    wallMs !== null && { before: "wall", figure: formatDuration(wallMs / 1000), after: "" },
    workMs > 0 && { before: "work", figure: formatDuration(workMs / 1000), after: "" },
    speedUp !== null &&
      speedUp >= 1.05 && { before: "", figure: `${speedUp.toFixed(1)}×`, after: "faster than in sequence" },
    ...spendings(figures),
    criticalSteps > 1 && { before: "critical path", figure: formatCount(criticalSteps, "step"), after: "" },
    ...budgetFacts(run),
    total > 0 && { before: "", figure: `${done}/${total}`, after: "done" },
  ];
  return list.filter((fact) => fact !== false);
}

function budgetFacts({ budget, waited }: RunDetail): Fact[] {
  const used = budgetUsed(budget);
  const list: (Fact | false)[] = [
    waited.limit_s >= 1 && { before: "waited", figure: formatDuration(waited.limit_s), after: "for a limit" },
    used !== null && { before: "budget", figure: formatPercent(used), after: "used" },
  ];
  return list.filter((fact) => fact !== false);
}

function spendings({ cost, inputTokens, outputTokens }: RunSummary): Fact[] {
  const tokens = inputTokens + outputTokens;
  const words = tokens ? `${formatCompact(tokens)} tokens` : "";
  if (cost !== null) return [{ before: "", figure: formatMoney(cost), after: words && `· ${words}` }];
  return tokens ? [{ before: "", figure: formatCompact(tokens), after: "tokens" }] : [];
}
