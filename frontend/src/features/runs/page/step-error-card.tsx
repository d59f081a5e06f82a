/** An error of a step in words, with what to do about it. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { CopyButton } from "@/components/copy-button";
import { StateIcon } from "@/components/state-icon";
import type { RunError, StepView } from "@/run/view";
import { useOpenRun } from "../stream/run-context";
import classes from "./step-panel.module.css";

export function StepErrorCard({ step, error }: { step: StepView; error: RunError }) {
  const { run } = useOpenRun();
  const credential = error.code.startsWith("credential") || error.code === "model_missing";
  return (
    <section className={classes["error"]} role="alert">
      <p className={classes["errorTitle"]}>
        <StateIcon state="failed" decorative />
        {step.attempts.length > 1 ? `Failed after ${step.attempts.length} tries` : "Failed"}
      </p>
      <p className={classes["errorText"]}>{error.message}</p>
      <p className={classes["errorHint"]}>{hintOf(error)}</p>
      <div className={classes["errorActions"]}>
        {credential && (
          <Button size="xs" component={Link} to="/credentials">
            Open the credentials
          </Button>
        )}
        <Button size="xs" variant="default" component={Link} to={`/workflows/${run.workflow_id}`}>
          Edit the workflow
        </Button>
        <span className="hd-grow" />
        <CopyButton
          text={JSON.stringify({ run: run.id, step: step.path, ...error }, null, 2)}
          label="Copy details"
        />
      </div>
    </section>
  );
}

function hintOf(error: RunError): string {
  if (error.retryable) return "Such an error may pass: run again, or allow more tries in the node's policy.";
  return "Trying again would give the same: change the node or its inputs, then run again.";
}
