/** What a step gave, what it gives right now, or why it gives nothing yet. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { stepQuery } from "@/api/runs";
import { ErrorState } from "@/components/error-state";
import { Icon } from "@/components/icon";
import { Markdown } from "@/components/markdown";
import { LinesSkeleton } from "@/components/skeletons";
import { ValueView } from "@/components/value-view";
import { streamText } from "@/run/deltas";
import { isFinalStep, type StepView } from "@/run/view";
import { useOpenRun, useRunState } from "../stream/run-context";
import { StepErrorCard } from "./step-error-card";
import classes from "./step-panel.module.css";
import { WhyWaiting } from "./why-waiting";

export function StepOutput({ step }: { step: StepView }) {
  return (
    <>
      {step.childRunId !== null && (
        <Link className={classes["child"]} to="/runs/$id" params={{ id: step.childRunId }}>
          <Icon name="k-workflow" size={14} />
          Open the run that it called
        </Link>
      )}
      <OutputNow step={step} />
    </>
  );
}

function OutputNow({ step }: { step: StepView }) {
  const stream = useRunState((state) => state.streams.get(step.id));
  if (step.status === "failed" && step.error) return <FailedStep step={step} />;
  if (step.status === "succeeded") return <FinishedOutput step={step} />;
  if (stream?.attempt === step.attempt && step.status === "running")
    return <StreamingText text={streamText(stream)} />;
  if (step.status === "skipped" || step.status === "cancelled") {
    return <p className="hd-muted">{step.reason || `This step was ${step.status}, so it has no output.`}</p>;
  }
  return <WhyWaiting step={step} />;
}

function FailedStep({ step }: { step: StepView }) {
  const wentOn = step.ports.length > 0;
  return (
    <>
      {step.error && <StepErrorCard step={step} error={step.error} />}
      {wentOn && (
        <p className="hd-muted">
          {step.ports.includes("error")
            ? "The run went on along the error port."
            : "The run went on without its output."}
        </p>
      )}
    </>
  );
}

function FinishedOutput({ step }: { step: StepView }) {
  const { run } = useOpenRun();
  const detail = useQuery({ ...stepQuery(run.id, step.id), staleTime: Infinity });
  if (detail.isError) {
    return (
      <ErrorState
        title="The output could not be read"
        error={detail.error}
        retry={() => void detail.refetch()}
      />
    );
  }
  if (!detail.data) return <LinesSkeleton label="Reading the output" />;
  // An answer read while the step still ran holds no output yet.
  if (!isFinalStep(detail.data.status)) return <Stale refetch={() => void detail.refetch()} />;
  return (
    <>
      {detail.data.output_truncated && (
        <p className="hd-muted">The output is large: this is its beginning.</p>
      )}
      <ValueView value={detail.data.output} />
    </>
  );
}

function Stale({ refetch }: { refetch: () => void }) {
  return (
    <p className="hd-muted">
      The output is on its way.{" "}
      <button type="button" className={classes["link"]} onClick={refetch}>
        Read it now
      </button>
    </p>
  );
}

function StreamingText({ text }: { text: string }) {
  return (
    <div className={classes["streaming"]} aria-live="off">
      <Markdown text={text} />
    </div>
  );
}
