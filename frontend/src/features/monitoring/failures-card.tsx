/** What failed in the last hour, the most frequent first, each with its latest run. */
import { Link } from "@tanstack/react-router";
import type { FailureRow } from "@/api/types";
import { Ago } from "@/components/ago";
import { formatCount, formatNumber } from "@/lib/format";
import { Card } from "./card";
import classes from "./cards.module.css";
import { sum } from "./figures";

export function FailuresCard({ failures }: { failures: readonly FailureRow[] }) {
  const total = sum(failures.map((each) => each.count));
  const most = Math.max(1, ...failures.map((each) => each.count));
  return (
    <Card title="Failures by kind" span={7} beside={`${formatCount(total, "step")} in the last hour`}>
      {failures.length === 0 ? (
        <p className={classes["nothing"]}>Nothing failed in the last hour.</p>
      ) : (
        <ul className={classes["failures"]}>
          {failures.map((failure) => (
            <li key={`${failure.kind} ${failure.code}`}>
              <span className="hd-cut" title={`${failure.kind}: ${failure.code}`}>
                {wordsOf(failure.code)} <span className="hd-muted">{failure.kind}</span>
              </span>
              <span className={classes["bar"]} data-state="failed" aria-hidden>
                <i style={{ width: `${(failure.count / most) * 100}%` }} />
              </span>
              <span className={classes["count"]}>{formatNumber(failure.count)}</span>
              <Link to="/runs/$id" params={{ id: failure.last_run_id }} className={classes["last"]}>
                Last run, <Ago at={failure.last_at} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** `rate_limited` as a person would write it. */
function wordsOf(code: string): string {
  const words = code.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
