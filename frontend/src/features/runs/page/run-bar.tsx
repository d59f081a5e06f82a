/** The run's top bar: the way here, who started it, cancel and run again. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { CrumbSeparator, WorkflowBar } from "@/components/workflow-bar";
import { Icon } from "@/components/icon";
import { formatExact } from "@/lib/format";
import { useOpenRun } from "../stream/run-context";
import { useIsLive } from "../stream/use-figures";
import { shortId } from "../short-id";
import { CancelDialog } from "./cancel-dialog";
import classes from "./run-page.module.css";
import { useRunAgain } from "./use-run-again";

export function RunBar() {
  const { run } = useOpenRun();
  const live = useIsLive();
  const again = useRunAgain();
  const [cancelling, setCancelling] = useState(false);
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
          <b>Run {shortId(run.id)}</b>
        </>
      }
      status={<span className={classes["origin"]}>{originOf(run)}</span>}
    >
      {live ? (
        <Button
          size="xs"
          variant="default"
          className={classes["danger"] ?? ""}
          leftSection={<Icon name="stop" size={14} />}
          onClick={() => setCancelling(true)}
        >
          Cancel run
        </Button>
      ) : (
        <Button
          size="xs"
          variant="default"
          loading={again.isPending}
          leftSection={<Icon name="retry" size={14} />}
          onClick={() => again.mutate()}
        >
          Run again
        </Button>
      )}
      <CancelDialog opened={cancelling && live} onClose={() => setCancelling(false)} />
    </WorkflowBar>
  );
}

export function originOf(run: ReturnType<typeof useOpenRun>["run"]): string {
  const what = run.version === null ? "draft" : `v${run.version}`;
  const ways = { browser: "", api: " over the API", cli: " from the command line" };
  const who = run.created_by ? ` by ${run.created_by.name}` : "";
  return `${what} · started${who}${ways[run.trigger]} on ${formatExact(run.created_at)}`;
}
