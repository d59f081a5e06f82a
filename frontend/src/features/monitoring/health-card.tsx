/** The stores Heddle stands on. */
import type { Monitoring } from "@/api/types";
import { StateIcon } from "@/components/state-icon";
import { dash, formatBytes, formatDuration } from "@/lib/format";
import { Card } from "./card";
import classes from "./cards.module.css";

interface Store {
  name: string;
  ok: boolean;
  latency_ms: number | null;
  version: string | null;
  size: string;
}

export function HealthCard({ health }: { health: Monitoring["health"] }) {
  const stores: Store[] = [
    { name: "PostgreSQL", ...health.postgres, size: `${formatBytes(health.postgres.size_bytes)} on disk` },
    { name: "Redis", ...health.redis, size: `${formatBytes(health.redis.memory_bytes)} in memory` },
  ];
  return (
    <Card title="Health" span={5}>
      <ul className={classes["stores"]}>
        {stores.map((store) => (
          <li key={store.name}>
            <StateIcon state={store.ok ? "succeeded" : "failed"} decorative />
            <span>
              <b>{store.name}</b> <span className="hd-muted">{store.version ?? dash}</span>
            </span>
            <span className="hd-grow" />
            {store.ok ? (
              <span className="hd-muted">
                {store.size} · answers in {answerTime(store.latency_ms)}
              </span>
            ) : (
              <span className={classes["bad"]}>does not answer</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function answerTime(milliseconds: number | null): string {
  if (milliseconds === null) return dash;
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : formatDuration(milliseconds / 1_000);
}
