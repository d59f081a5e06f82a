/** Runs, newest first: all of them, or those of one workflow; live. */
import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { runsQuery } from "@/api/runs";
import type { Run } from "@/api/types";
import { workflowQuery } from "@/api/workflows";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { PageHeader } from "@/components/page-header";
import { TableSkeleton } from "@/components/skeletons";
import { CrumbSeparator, WorkflowBar, WorkflowTabs } from "@/components/workflow-bar";
import type { RunStatus } from "@/lib/states";
import { usePhone } from "@/lib/use-narrow";
import { PhoneRuns } from "./phone-runs";
import classes from "./runs-page.module.css";
import { RunsTable } from "./runs-table";
import { useLiveRuns } from "./use-live-runs";

const FILTERS: { value: RunStatus | "all"; label: string }[] = [
  { value: "all", label: "All" },
  { value: "running", label: "Running" },
  { value: "queued", label: "Queued" },
  { value: "succeeded", label: "Succeeded" },
  { value: "failed", label: "Failed" },
  { value: "cancelled", label: "Cancelled" },
];

export function RunsPage() {
  return (
    <>
      <PageHeader title="Runs" />
      <RunList />
    </>
  );
}

export function WorkflowRunsPage({ id }: { id: string }) {
  const { data } = useQuery(workflowQuery(id));
  return (
    <div className={classes["wide"]}>
      <title>{`Runs of ${data?.name ?? ""} · Heddle`}</title>
      <WorkflowBar
        crumbs={
          <>
            <Link to="/workflows">Workflows</Link>
            <CrumbSeparator />
            <b>{data?.name}</b>
          </>
        }
        tabs={<WorkflowTabs id={id} />}
      />
      <main className={classes["page"]}>
        <RunList workflow={id} />
      </main>
    </div>
  );
}

function RunList({ workflow }: { workflow?: string }) {
  const [status, setStatus] = useState<RunStatus | "all">("all");
  const runs = useInfiniteQuery(
    runsQuery({ ...(workflow === undefined ? {} : { workflow }), ...(status === "all" ? {} : { status }) }),
  );
  useLiveRuns();
  const rows = runs.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <>
      <div className={classes["filters"]}>
        <SegmentedControl
          size="xs"
          data={FILTERS}
          value={status}
          onChange={(next) => setStatus(next)}
          aria-label="Which runs"
        />
      </div>
      {runs.isPending && <TableSkeleton label="Reading the runs" />}
      {runs.isError && (
        <ErrorState title="The runs could not be read" error={runs.error} retry={() => void runs.refetch()} />
      )}
      {runs.data && <Rows rows={rows} workflow={workflow} filtered={status !== "all"} />}
      {runs.hasNextPage && (
        <Button
          variant="default"
          className={classes["more"] ?? ""}
          loading={runs.isFetchingNextPage}
          onClick={() => void runs.fetchNextPage()}
        >
          Show older runs
        </Button>
      )}
    </>
  );
}

interface RowsProps {
  rows: readonly Run[];
  workflow: string | undefined;
  filtered: boolean;
}

function Rows({ rows, workflow, filtered }: RowsProps) {
  const phone = usePhone();
  if (rows.length)
    return phone ? (
      <PhoneRuns rows={rows} />
    ) : (
      <RunsTable rows={rows} showWorkflow={workflow === undefined} />
    );
  if (filtered) return <EmptyState title="No such runs" text="Choose another state to see more." />;
  return (
    <EmptyState
      picture
      title="No runs yet"
      text="Run a workflow once, and every run stays here with its graph, its timeline and its results."
    >
      <Button component={Link} to={workflow === undefined ? "/workflows" : `/workflows/${workflow}`}>
        {workflow === undefined ? "Open the workflows" : "Open the editor"}
      </Button>
    </EmptyState>
  );
}
