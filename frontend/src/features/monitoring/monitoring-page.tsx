/** The state of the installation, live. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { monitoringQuery } from "@/api/monitoring";
import type { Monitoring } from "@/api/types";
import { ErrorState } from "@/components/error-state";
import { PageHeader } from "@/components/page-header";
import { TableSkeleton } from "@/components/skeletons";
import { StateBadge } from "@/components/state-badge";
import { formatAgo, formatCount } from "@/lib/format";
import type { SocketState } from "@/lib/socket";
import { useNow } from "@/lib/use-now";
import { useSocket } from "@/lib/use-socket";
import { Card } from "./card";
import classes from "./cards.module.css";
import chart from "./chart.module.css";
import { FailuresCard } from "./failures-card";
import { figuresOf } from "./figures";
import { HealthCard } from "./health-card";
import { LanesCard } from "./lanes-card";
import { RunsCard } from "./runs-card";
import { ThroughputChart } from "./throughput-chart";
import { WorkersCard } from "./workers-card";

export function MonitoringPage() {
  const queryClient = useQueryClient();
  const query = useQuery(monitoringQuery);
  const state = useSocket("/ws/monitoring/", (frame) => {
    const monitoring = monitoringOf(frame);
    if (monitoring) queryClient.setQueryData(monitoringQuery.queryKey, monitoring);
  });
  return (
    <>
      <PageHeader title="Monitoring" beside={query.data && <Warnings monitoring={query.data} />}>
        <Freshness state={state} at={query.dataUpdatedAt} />
      </PageHeader>
      <Content monitoring={query.data} error={query.error} retry={() => void query.refetch()} />
    </>
  );
}

function monitoringOf(frame: unknown): Monitoring | null {
  if (typeof frame !== "object" || frame === null || !("monitoring" in frame)) return null;
  return frame.monitoring as Monitoring;
}

function Freshness({ state, at }: { state: SocketState; at: number }) {
  const now = useNow();
  if (at === 0) return null;
  const ago = formatAgo(new Date(at).toISOString(), now);
  const words = state === "open" ? `live, ${ago}` : `reconnecting, figures of ${ago}`;
  return <span className="hd-small hd-muted">{words}</span>;
}

/** What an administrator should look at first. */
function Warnings({ monitoring }: { monitoring: Monitoring }) {
  const lost = monitoring.workers.filter((worker) => worker.state === "dead").length;
  const waiting = monitoring.lanes.filter((lane) => (lane.oldest_wait_s ?? 0) > 5);
  const down = Object.values(monitoring.health).filter((store) => !store.ok).length;
  return (
    <>
      {down > 0 && <StateBadge state="failed" word={`${formatCount(down, "store")} down`} />}
      {lost > 0 && <StateBadge state="failed" word={`${formatCount(lost, "worker")} lost`} />}
      {waiting.map((lane) => (
        <StateBadge key={lane.lane} state="waiting" word={`${lane.lane} lane is behind`} />
      ))}
    </>
  );
}

interface ContentProps {
  monitoring: Monitoring | undefined;
  error: Error | null;
  retry: () => void;
}

function Content({ monitoring, error, retry }: ContentProps) {
  if (monitoring) return <Cards monitoring={monitoring} />;
  if (error) return <ErrorState title="The figures could not be loaded" error={error} retry={retry} />;
  return <TableSkeleton label="Loading the figures" />;
}

function Cards({ monitoring }: { monitoring: Monitoring }) {
  return (
    <div className={classes["grid"]}>
      <dl className={classes["figures"]} aria-label="Now">
        {figuresOf(monitoring).map((figure) => (
          <div key={figure.title}>
            <dt>{figure.title}</dt>
            <dd>
              <b>{figure.value}</b>
              <small>{figure.beside}</small>
            </dd>
          </div>
        ))}
      </dl>
      <Card
        title="Throughput"
        span={8}
        beside={
          <>
            <span className={chart["key"]}>steps</span>
            <span className={chart["key"]} data-series="second">
              runs
            </span>
            a minute
          </>
        }
      >
        <ThroughputChart minutes={monitoring.throughput.per_minute} />
      </Card>
      <RunsCard runs={monitoring.runs} />
      <WorkersCard workers={monitoring.workers} />
      <LanesCard lanes={monitoring.lanes} workers={monitoring.workers} />
      <FailuresCard failures={monitoring.failures} />
      <HealthCard health={monitoring.health} />
    </div>
  );
}
