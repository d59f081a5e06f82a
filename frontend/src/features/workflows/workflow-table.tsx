/** The workflows of a workspace, one a row. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { WorkflowRow } from "@/api/types";
import { Ago } from "@/components/ago";
import { Chip } from "@/components/chip";
import { DataTable, rowLink, type Column } from "@/components/data-table";
import { RunBars } from "@/components/run-bars";
import { StateIcon } from "@/components/state-icon";
import { formatCount, formatDuration } from "@/lib/format";
import { stateOfRun, stateWord } from "@/lib/states";
import { useSlimTables } from "@/lib/use-narrow";
import { sortingOf, toggled } from "./ordering";
import { WorkflowMenu } from "./workflow-menu";
import classes from "./workflow-table.module.css";

interface WorkflowTableProps {
  rows: readonly WorkflowRow[];
  ordering: string;
  onOrdering: (ordering: string) => void;
  more: { wanted: boolean; loading: boolean; load: () => void };
}

export function WorkflowTable({ rows, ordering, onOrdering, more }: WorkflowTableProps) {
  const slim = useSlimTables();
  return (
    <DataTable
      label="Workflows"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      sorting={sortingOf(ordering)}
      onSort={(column) => onOrdering(toggled(ordering, column))}
      foot={slim && !more.wanted ? undefined : <Foot slim={slim} more={more} />}
    />
  );
}

function Foot({ slim, more }: { slim: boolean; more: WorkflowTableProps["more"] }) {
  return (
    <>
      <span>
        {!slim &&
          "A bar is a run, its height the time it took. Grey succeeded; a mark below means it failed."}
      </span>
      {more.wanted && (
        <Button variant="default" size="xs" loading={more.loading} onClick={more.load}>
          Show more
        </Button>
      )}
    </>
  );
}

const columns: readonly Column<WorkflowRow>[] = [
  { id: "name", title: "Name", sortable: true, cell: (row) => <NameCell row={row} /> },
  { id: "last_run", title: "Last run", width: 168, from: "narrow", cell: (row) => <LastRunCell row={row} /> },
  {
    id: "recent_runs",
    title: "Past 16 runs",
    width: 152,
    from: "narrow",
    cell: (row) => <RunBars runs={row.recent_runs} />,
  },
  {
    id: "median_s",
    title: "Median",
    width: 104,
    number: true,
    from: "narrow",
    cell: (row) => formatDuration(row.median_s),
  },
  {
    id: "updated_at",
    title: "Updated",
    width: 128,
    from: "narrow",
    sortable: true,
    cell: (row) => (
      <span className="hd-muted">
        <Ago at={row.updated_at} />
      </span>
    ),
  },
  {
    id: "actions",
    title: "Actions",
    hiddenTitle: true,
    width: 56,
    cell: (row) => <WorkflowMenu workflow={row} />,
  },
];

function NameCell({ row }: { row: WorkflowRow }) {
  return (
    <div className={classes["name"]}>
      <div className={classes["title"]}>
        <Link to="/workflows/$id" params={{ id: row.id }} className={`${rowLink} hd-cut`}>
          {row.name}
        </Link>
        {row.latest_version === null && <Chip>draft</Chip>}
        {row.issue_count > 0 && (
          <span className={classes["issues"]}>{formatCount(row.issue_count, "issue")}</span>
        )}
      </div>
      <div className={classes["run"]}>
        <LastRunCell row={row} />
      </div>
      <div className={`${classes["about"] ?? ""} hd-small hd-muted hd-cut`}>
        {row.description === "" ? formatCount(row.node_count, "node") : row.description}
      </div>
    </div>
  );
}

function LastRunCell({ row }: { row: WorkflowRow }) {
  const run = row.last_run;
  if (run === null) return <span className="hd-muted">Never run</span>;
  return (
    <span className="hd-row">
      <StateIcon state={stateOfRun(run.status)} decorative />
      <span className={classes["lastRun"]}>
        <span>{stateWord(run.status)}</span>
        <span className="hd-micro hd-muted">
          <Ago at={run.finished_at ?? run.created_at} />
        </span>
      </span>
    </span>
  );
}
