/** The figures at the top of the page, made of what the server measured. */
import type { Monitoring } from "@/api/types";
import { formatCompact, formatDuration, formatNumber, formatPercent } from "@/lib/format";

export interface Figure {
  title: string;
  value: string;
  beside: string;
}

export function figuresOf(monitoring: Monitoring): Figure[] {
  return [
    running(monitoring),
    finished(monitoring),
    waiting(monitoring),
    started(monitoring),
    runTime(monitoring),
    failed(monitoring),
  ];
}

function running({ workers, lanes }: Monitoring): Figure {
  const slots = sum(workers.filter((worker) => worker.state === "alive").map((worker) => worker.slots));
  return {
    title: "Running steps",
    value: formatNumber(sum(lanes.map((lane) => lane.running))),
    beside: `of ${formatNumber(slots)} slots`,
  };
}

/** The minute that is going on is not whole yet, so the one before it is shown. */
function finished({ throughput }: Monitoring): Figure {
  const minutes = throughput.per_minute;
  const last = minutes.at(-2)?.steps ?? 0;
  return {
    title: "Steps finished, last minute",
    value: formatCompact(last),
    beside: `${formatCompact(sum(minutes.map((each) => each.steps)))} in the last hour`,
  };
}

function waiting({ lanes }: Monitoring): Figure {
  const oldest = Math.max(0, ...lanes.map((lane) => lane.oldest_wait_s ?? 0));
  const ready = sum(lanes.map((lane) => lane.ready));
  return {
    title: "Waiting to start",
    value: formatNumber(ready),
    beside: ready === 0 ? "nothing is held up" : `oldest ${formatDuration(oldest)}`,
  };
}

function started({ latency }: Monitoring): Figure {
  return {
    title: "Ready to started, p95",
    value: formatDuration(latency.wait.p95),
    beside:
      latency.wait.p50 === null ? "no steps in the last hour" : `p50 ${formatDuration(latency.wait.p50)}`,
  };
}

function runTime({ latency }: Monitoring): Figure {
  return {
    title: "Run time, p95",
    value: formatDuration(latency.run.p95),
    beside: latency.run.p50 === null ? "no runs in the last hour" : `p50 ${formatDuration(latency.run.p50)}`,
  };
}

function failed({ failures, throughput }: Monitoring): Figure {
  const count = sum(failures.map((each) => each.count));
  const steps = sum(throughput.per_minute.map((each) => each.steps));
  const of = Math.max(steps, count);
  return {
    title: "Failed steps, last hour",
    value: formatPercent(of === 0 ? 0 : count / of),
    beside: `${formatCompact(count)} of ${formatCompact(of)}`,
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
