/** The tries of a step: when, how long, and how each ended. */
import { StateBadge } from "@/components/state-badge";
import { formatDuration, formatExact } from "@/lib/format";
import type { State } from "@/lib/states";
import type { Attempt, StepView } from "@/run/view";
import classes from "./step-panel.module.css";

const STATES: Record<Attempt["outcome"], State> = {
  running: "running",
  waiting: "waiting",
  succeeded: "succeeded",
  failed: "failed",
  lost: "held",
  cancelled: "cancelled",
};

export function AttemptsTab({ step }: { step: StepView }) {
  if (!step.attempts.length) {
    const inline = step.startedAt !== null;
    return (
      <p className="hd-muted">
        {inline
          ? "This kind is computed on the spot: it has one try without a queue."
          : "It was not tried yet."}
      </p>
    );
  }
  return (
    <ol className={classes["attempts"]}>
      {step.attempts.map((attempt) => (
        <li key={`${attempt.number} ${attempt.startedAt}`}>
          <p className={classes["attemptHead"]}>
            <b>Try {attempt.number}</b>
            <StateBadge
              state={STATES[attempt.outcome]}
              word={attempt.outcome === "lost" ? "worker lost" : attempt.outcome}
            />
            <span className="hd-grow" />
            <span className="hd-muted" title={formatExact(new Date(attempt.startedAt).toISOString())}>
              {attempt.finishedAt === null
                ? "runs"
                : formatDuration((attempt.finishedAt - attempt.startedAt) / 1000)}
            </span>
          </p>
          {attempt.error && <p className={classes["errorText"]}>{attempt.error.message}</p>}
        </li>
      ))}
    </ol>
  );
}
