/** Runs on a phone: one touchable row each. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { Ago } from "@/components/ago";
import { StateIcon } from "@/components/state-icon";
import { formatDuration } from "@/lib/format";
import { stateOfRun } from "@/lib/states";
import classes from "./runs-page.module.css";

export function PhoneRuns({ rows }: { rows: readonly Run[] }) {
  return (
    <ul className={classes["phone"]}>
      {rows.map((run) => (
        <li key={run.id}>
          <Link to="/runs/$id" params={{ id: run.id }}>
            <StateIcon state={stateOfRun(run.status)} size={16} />
            <span className={classes["name"]}>
              <span className="hd-cut">{run.workflow_name}</span>
              <span className="hd-small hd-muted">
                {run.status} · <Ago at={run.created_at} />
              </span>
            </span>
            <span className="hd-small hd-muted">{formatDuration(run.timings?.wall_s)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
