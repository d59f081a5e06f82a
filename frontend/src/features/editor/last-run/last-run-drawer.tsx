/** One line at the bottom: how the last run went, and the way to it. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Icon } from "@/components/icon";
import { Kbd } from "@/components/kbd";
import { StateIcon } from "@/components/state-icon";
import { Ago } from "@/components/ago";
import type { Run } from "@/api/types";
import { formatDuration, formatMoney } from "@/lib/format";
import { stateOfRun } from "@/lib/states";
import classes from "../editor.module.css";
import { useLastRun } from "./use-last-run";

export function LastRunDrawer({ onShortcuts }: { onShortcuts: () => void }) {
  const run = useLastRun();
  return (
    <footer className={classes["drawer"]}>
      {run ? <LastRun run={run} /> : <span className="hd-muted">No runs yet</span>}
      <span className="hd-grow" />
      <Button size="xs" variant="subtle" color="gray" onClick={onShortcuts}>
        Shortcuts&nbsp;<Kbd>?</Kbd>
      </Button>
    </footer>
  );
}

function LastRun({ run }: { run: Run }) {
  return (
    <Link to="/runs/$id" params={{ id: run.id }} className={classes["lastRun"]}>
      <Icon name="up" size={14} />
      Last run
      <StateIcon state={stateOfRun(run.status)} decorative />
      <span>
        {run.status} <Ago at={run.finished_at ?? run.created_at} />
      </span>
      <span className={classes["lastFigures"]}>{figures(run)}</span>
    </Link>
  );
}

function figures(run: Run): string {
  if (!run.timings) return "";
  const { wall_s, work_s, speed_up } = run.timings;
  const faster =
    speed_up !== null && speed_up >= 1.05 ? `${speed_up.toFixed(1)}× faster than in sequence` : "";
  const cost = typeof run.usage?.cost === "number" ? formatMoney(run.usage.cost) : "";
  return [`wall ${formatDuration(wall_s)}`, `work ${formatDuration(work_s)}`, faster, cost]
    .filter(Boolean)
    .join(" · ");
}
