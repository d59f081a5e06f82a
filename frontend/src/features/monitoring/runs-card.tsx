/** Runs by their state: those that are open now, and those that ended in the last hour. */
import type { Monitoring } from "@/api/types";
import { StateIcon } from "@/components/state-icon";
import { formatNumber } from "@/lib/format";
import { stateOfRun, stateWord, type RunStatus } from "@/lib/states";
import { Card } from "./card";
import classes from "./cards.module.css";

const order: readonly RunStatus[] = ["running", "queued", "paused", "succeeded", "failed", "cancelled"];

export function RunsCard({ runs }: { runs: Monitoring["runs"] }) {
  return (
    <Card title="Runs" span={4} beside={`ended within ${Math.round(runs.finished_within_s / 3_600)} h`}>
      <ul className={classes["runs"]}>
        {order.map((status) => (
          <li key={status}>
            <StateIcon state={stateOfRun(status)} decorative /> {stateWord(status)}
            <span className="hd-grow" />
            <b>{formatNumber(runs.by_status[status] ?? 0)}</b>
          </li>
        ))}
      </ul>
    </Card>
  );
}
