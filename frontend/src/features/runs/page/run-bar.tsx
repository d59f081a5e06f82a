/** The run's top bar: the way here, who started it, and what can be done to it. */
import { Link } from "@tanstack/react-router";
import { CrumbSeparator, WorkflowBar } from "@/components/workflow-bar";
import { formatExact } from "@/lib/format";
import { useOpenRun } from "../stream/run-context";
import { shortId } from "../short-id";
import { RunActions } from "./run-actions";
import classes from "./run-page.module.css";

export function RunBar() {
  const { run } = useOpenRun();
  return (
    <WorkflowBar
      crumbs={
        <>
          <Link to="/workflows/$id/runs" params={{ id: run.workflow_id }}>
            Runs
          </Link>
          <CrumbSeparator />
          <Link to="/workflows/$id" params={{ id: run.workflow_id }}>
            {run.workflow_name}
          </Link>
          <CrumbSeparator />
          {run.parent_run_id !== null && <ParentLink id={run.parent_run_id} />}
          <b>Run {shortId(run.id)}</b>
        </>
      }
      status={<span className={classes["origin"]}>{originOf(run)}</span>}
    >
      <RunActions size="xs" />
    </WorkflowBar>
  );
}

function ParentLink({ id }: { id: string }) {
  return (
    <>
      <Link to="/runs/$id" params={{ id }}>
        Called by {shortId(id)}
      </Link>
      <CrumbSeparator />
    </>
  );
}

export function originOf(run: ReturnType<typeof useOpenRun>["run"]): string {
  const what = run.version === null ? "draft" : `v${run.version}`;
  const ways = {
    browser: "",
    api: " over the API",
    cli: " from the command line",
    workflow: " by another run",
  };
  const who = run.created_by ? ` by ${run.created_by.name}` : "";
  return `${what} · started${who}${ways[run.trigger]} on ${formatExact(run.created_at)}`;
}
