/** A card's second line in a run: the state's shape, then its time or its reason. */
import { formatDuration } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { Icon } from "../icon";
import { StateIcon } from "../state-icon";
import classes from "./card-node.module.css";
import type { CardRun } from "@/run/card";

export function CardLine({ run }: { run: CardRun }) {
  return (
    <small className={classes["line"]}>
      <StateIcon state={run.state} size={12} />
      <span className={classes["cut"]}>
        {run.since === null ? run.words : <Counting since={run.since} words={run.words} />}
      </span>
      {(run.retried || run.end) && (
        <span className={classes["end"]}>
          {run.retried && (
            <>
              <Icon name="retry" size={12} />
              {run.retried}
            </>
          )}
          {run.end}
        </span>
      )}
    </small>
  );
}

function Counting({ since, words }: { since: number; words: string }) {
  const now = useNow();
  const time = formatDuration(Math.max(0, Math.round((now - since) / 1000)));
  return <>{words ? `${time} · ${words}` : time}</>;
}
