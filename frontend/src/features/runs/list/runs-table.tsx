/** The table of runs; the whole row opens the run. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { Ago } from "@/components/ago";
import { DataTable, rowLink, type Column } from "@/components/data-table";
import { RunState } from "@/components/state-badge";
import { formatDuration, formatMoney } from "@/lib/format";
import { shortId } from "../short-id";
import classes from "./runs-page.module.css";

export function RunsTable({ rows, showWorkflow }: { rows: readonly Run[]; showWorkflow: boolean }) {
  return <DataTable label="Runs" columns={columns(showWorkflow)} rows={rows} rowKey={(run) => run.id} />;
}

function columns(showWorkflow: boolean): Column<Run>[] {
  return [
    {
      id: "run",
      title: showWorkflow ? "Workflow" : "Run",
      cell: (run) => (
        <span className={classes["name"]}>
          <Link to="/runs/$id" params={{ id: run.id }} className={rowLink}>
            {showWorkflow ? run.workflow_name : `Run ${shortId(run.id)}`}
          </Link>
          {showWorkflow && <span className="hd-small hd-muted">Run {shortId(run.id)}</span>}
        </span>
      ),
    },
    { id: "status", title: "State", width: 130, cell: (run) => <RunState status={run.status} /> },
    { id: "steps", title: "Steps", width: 90, number: true, from: "narrow", cell: stepsOf },
    {
      id: "wall",
      title: "Wall",
      width: 100,
      number: true,
      cell: (run) => formatDuration(run.timings?.wall_s),
    },
    { id: "speed", title: "In parallel", width: 110, number: true, from: "wide", cell: speedOf },
    {
      id: "cost",
      title: "Cost",
      width: 90,
      number: true,
      from: "wide",
      cell: (run) => formatMoney(run.usage?.cost),
    },
    {
      id: "version",
      title: "Version",
      width: 90,
      from: "wide",
      cell: (run) => (run.version === null ? "draft" : `v${run.version}`),
    },
    { id: "who", title: "Started by", width: 150, from: "wide", cell: (run) => run.created_by?.name ?? "–" },
    { id: "created", title: "Started", width: 120, cell: (run) => <Ago at={run.created_at} /> },
  ];
}

function stepsOf(run: Run): string {
  const { total, succeeded, failed, skipped, cancelled } = run.steps;
  return `${succeeded + failed + skipped + cancelled}/${total}`;
}

function speedOf(run: Run): string {
  const speed = run.timings?.speed_up;
  return speed == null ? "–" : `${speed.toFixed(1)}× faster`;
}
