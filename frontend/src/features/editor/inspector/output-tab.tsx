/** What the node gave in the last run. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { stepQuery } from "@/api/runs";
import type { Run, Step } from "@/api/types";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { ValueView } from "@/components/value-view";
import { LinesSkeleton } from "@/components/skeletons";
import { StateBadge } from "@/components/state-badge";
import { Ago } from "@/components/ago";
import { useLastRun, useLastSteps } from "../last-run/use-last-run";
import classes from "./inspector.module.css";

export function OutputTab({ nodeId }: { nodeId: string }) {
  const run = useLastRun();
  const steps = useLastSteps();
  if (!run) {
    return (
      <EmptyState
        title="No past runs yet"
        text="Run the workflow once, and this tab shows what this node gave."
      />
    );
  }
  if (!steps) return <LinesSkeleton label="Reading the last run" />;
  const step = steps.find((each) => each.path === nodeId);
  if (!step) {
    return (
      <EmptyState
        title="Not in the last run"
        text="This node is newer than the last run. Run again to see its output."
      />
    );
  }
  return <LastOutput run={run} step={step} />;
}

function LastOutput({ run, step }: { run: Run; step: Step }) {
  const detail = useQuery(stepQuery(run.id, step.id));
  return (
    <>
      <p className={classes["outputHead"]}>
        <StateBadge state={step.status} />
        <Link to="/runs/$id" params={{ id: run.id }}>
          Last run
        </Link>
        <span className="hd-muted">
          <Ago at={run.created_at} />
        </span>
      </p>
      {step.error && <p className={classes["outputError"]}>{step.error.message}</p>}
      {detail.isPending && <LinesSkeleton label="Reading the output" />}
      {detail.isError && (
        <ErrorState
          title="The output could not be read"
          error={detail.error}
          retry={() => void detail.refetch()}
        />
      )}
      {detail.data && <ValueView value={detail.data.output} />}
    </>
  );
}
