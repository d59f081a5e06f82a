/** The worker processes: how full they are and when they were last heard of. */
import type { WorkerRow } from "@/api/types";
import { StateIcon } from "@/components/state-icon";
import { formatAgo, formatCount, formatExact } from "@/lib/format";
import type { State } from "@/lib/states";
import { useNow } from "@/lib/use-now";
import classes from "./cards.module.css";
import { Card, Meter } from "./card";

const states: Record<WorkerRow["state"], { state: State; word: string }> = {
  alive: { state: "succeeded", word: "Working" },
  stopping: { state: "held", word: "Finishing what it has" },
  stopped: { state: "cancelled", word: "Stopped" },
  dead: { state: "failed", word: "Lost; its steps run elsewhere" },
};

export function WorkersCard({ workers }: { workers: readonly WorkerRow[] }) {
  const now = useNow();
  const alive = workers.filter((worker) => worker.state === "alive" || worker.state === "stopping");
  const machines = new Set(alive.map((worker) => worker.host)).size;
  return (
    <Card
      title="Workers"
      span={7}
      beside={`${formatCount(alive.length, "process", "processes")} on ${formatCount(machines, "machine")}`}
    >
      {workers.length === 0 ? (
        <p className={classes["nothing"]}>No worker has reported yet. Start one, and steps begin to run.</p>
      ) : (
        <div className={classes["scroll"]} role="group" aria-label="Workers, all columns" tabIndex={0}>
          <table className={classes["table"]} aria-label="Workers">
            <thead>
              <tr>
                <th scope="col">Process</th>
                <th scope="col">Lane</th>
                <th scope="col">Slots</th>
                <th scope="col" data-number>
                  Heartbeat
                </th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {workers.map((worker) => (
                <Row key={worker.id} worker={worker} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

function Row({ worker, now }: { worker: WorkerRow; now: number }) {
  const { state, word } = states[worker.state];
  return (
    <tr>
      <td>
        <code title={`Started ${formatExact(worker.started_at)}`}>
          {worker.host}/{worker.pid}
        </code>
      </td>
      <td>{worker.lane}</td>
      <td>
        <Meter used={worker.in_use} of={worker.slots} label={`Slots of ${worker.host}/${worker.pid}`} />
      </td>
      <td data-number title={formatExact(worker.heartbeat_at)}>
        {formatAgo(worker.heartbeat_at, now)}
      </td>
      <td>
        <span className="hd-row">
          <StateIcon state={state} decorative /> {word}
        </span>
      </td>
    </tr>
  );
}
