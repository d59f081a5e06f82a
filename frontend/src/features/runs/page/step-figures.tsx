/** One line about a step: tokens, cost, time at work, time waited. */
import { formatDuration, formatMoney, formatNumber } from "@/lib/format";
import { workOf } from "@/run/summary";
import type { StepView } from "@/run/view";
import classes from "./step-panel.module.css";

export function StepFigures({ step }: { step: StepView }) {
  const figures = figuresOf(step);
  if (!figures.length) return null;
  return (
    <p className={classes["figures"]}>
      {figures.map(([word, figure]) => (
        <span key={word}>
          {word} <b>{figure}</b>
        </span>
      ))}
    </p>
  );
}

const NOTICEABLE_MS = 50;

function figuresOf(step: StepView): [string, string][] {
  const { usage, finishedAt } = step;
  const waited = waitedOf(step);
  const list: ([string, string] | false)[] = [
    usage?.input_tokens !== undefined && ["in", formatNumber(usage.input_tokens)],
    usage?.output_tokens !== undefined && ["out", formatNumber(usage.output_tokens)],
    typeof usage?.cost === "number" && ["cost", formatMoney(usage.cost)],
    finishedAt !== null &&
      step.attempts.length > 0 && ["work", formatDuration(workOf(step, finishedAt) / 1000)],
    waited > NOTICEABLE_MS && ["waited for a place", formatDuration(waited / 1000)],
  ];
  return list.filter((figure) => figure !== false);
}

function waitedOf(step: StepView): number {
  return step.attempts.reduce((sum, attempt, index) => {
    const from = step.attempts[index - 1]?.finishedAt ?? attempt.readyAt;
    return from === null || index > 0 ? sum : sum + Math.max(0, attempt.startedAt - from);
  }, 0);
}
