/** An installation at work, for tests. */
import type { Monitoring } from "@/api/types";

export const exampleMonitoring: Monitoring = {
  workers: [
    {
      id: "0190a000-0000-7000-8000-000000000001",
      host: "lab-1",
      pid: 411,
      lane: "io",
      slots: 96,
      in_use: 61,
      started_at: "2026-11-30T08:00:00Z",
      heartbeat_at: "2026-11-30T10:00:00Z",
      state: "alive",
    },
    {
      id: "0190a000-0000-7000-8000-000000000002",
      host: "lab-3",
      pid: 97,
      lane: "io",
      slots: 16,
      in_use: 0,
      started_at: "2026-11-30T08:00:00Z",
      heartbeat_at: "2026-11-30T09:59:30Z",
      state: "dead",
    },
  ],
  lanes: [{ lane: "io", ready: 4, running: 61, oldest_wait_s: 1.9 }],
  runs: { by_status: { running: 3, succeeded: 41, failed: 2 }, finished_within_s: 3_600 },
  throughput: {
    per_minute: [
      { minute: "2026-11-30T09:58:00Z", steps: 240, runs: 12 },
      { minute: "2026-11-30T09:59:00Z", steps: 240, runs: 14 },
      { minute: "2026-11-30T10:00:00Z", steps: 10, runs: 1 },
    ],
  },
  latency: {
    wait: { p50: 0.008, p95: 0.038 },
    step: { p50: 0.4, p95: 3.1 },
    run: { p50: 6.2, p95: 41.7 },
  },
  failures: [
    {
      kind: "http.request",
      code: "http_status",
      count: 5,
      last_run_id: "0190a000-0000-7000-8000-000000000003",
      last_at: "2026-11-30T09:59:00Z",
    },
    {
      kind: "llm.chat",
      code: "rate_limited",
      count: 2,
      last_run_id: "0190a000-0000-7000-8000-000000000004",
      last_at: "2026-11-30T09:40:00Z",
    },
  ],
  health: {
    postgres: { ok: true, latency_ms: 0.8, version: "18.0", size_bytes: 48_000_000 },
    redis: { ok: true, latency_ms: 0.2, version: "7.2.4", memory_bytes: 3_200_000 },
  },
};
