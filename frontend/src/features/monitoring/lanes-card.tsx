/** The lanes: what runs, what waits, and for how long. */
import type { LaneRow, WorkerRow } from "@/api/types";
import { formatDuration, formatNumber } from "@/lib/format";
import { Card, Meter } from "./card";
import classes from "./cards.module.css";
import { sum } from "./figures";

interface LanesCardProps {
  lanes: readonly LaneRow[];
  workers: readonly WorkerRow[];
}

export function LanesCard({ lanes, workers }: LanesCardProps) {
  const slotsOf = (lane: string) =>
    sum(workers.filter((each) => each.lane === lane && each.state === "alive").map((each) => each.slots));
  return (
    <Card title="Lanes" span={5} beside="now">
      <div className={classes["scroll"]} role="group" aria-label="Lanes, all columns" tabIndex={0}>
        <table className={classes["table"]} aria-label="Lanes">
          <thead>
            <tr>
              <th scope="col">Lane</th>
              <th scope="col">Running</th>
              <th scope="col" data-number>
                Ready
              </th>
              <th scope="col" data-number>
                Oldest wait
              </th>
            </tr>
          </thead>
          <tbody>
            {lanes.map((lane) => (
              <tr key={lane.lane}>
                <td>{lane.lane}</td>
                <td>
                  <Meter
                    used={lane.running}
                    of={slotsOf(lane.lane)}
                    label={`Slots of the lane ${lane.lane}`}
                  />
                </td>
                <td data-number>{formatNumber(lane.ready)}</td>
                <td data-number>{formatDuration(lane.oldest_wait_s)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
