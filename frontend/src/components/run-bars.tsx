/** Past runs as bars: height is the time a run took, grey succeeded, a mark below failed. */
import { stateOfRun, type RunStatus } from "@/lib/states";
import { barHeights, barsInWords } from "./run-bars-figures";
import classes from "./run-bars.module.css";

export interface PastRun {
  id: string;
  status: RunStatus;
  wall_s: number | null;
}

export function RunBars({ runs }: { runs: readonly PastRun[] }) {
  if (runs.length === 0) return <span className="hd-small hd-muted">No runs yet</span>;
  const heights = barHeights(runs.map((run) => run.wall_s));
  return (
    <span className={classes["bars"]} role="img" aria-label={barsInWords(runs.map((run) => run.status))}>
      {runs.map((run, index) => (
        <i key={run.id} data-state={stateOfRun(run.status)} style={{ height: heights[index] }} />
      ))}
    </span>
  );
}
