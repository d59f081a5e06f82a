/** The shapes the API answers with, by the names the screens use. */
import type { GraphDocument, Issue } from "@/graph/graph";
import type { Json, JsonObject } from "@/graph/json";
import type { RunStatus, StepStatus } from "@/lib/states";

export type { GraphDocument, Issue } from "@/graph/graph";

export interface Page<T> {
  results: T[];
  next: string | null;
  previous: string | null;
}

export interface Person {
  id: string;
  name: string;
}

/* Workflows */

export interface RecentRun {
  id: string;
  status: RunStatus;
  wall_s: number | null;
}

export interface LastRun {
  id: string;
  status: RunStatus;
  created_at: string;
  finished_at: string | null;
}

export interface WorkflowRow {
  id: string;
  name: string;
  description: string;
  revision: number;
  node_count: number;
  issue_count: number;
  latest_version: number | null;
  draft_changed: boolean;
  created_at: string;
  updated_at: string;
  owner: Person | null;
  last_run: LastRun | null;
  recent_runs: RecentRun[];
  median_s: number | null;
}

export interface Workflow {
  id: string;
  name: string;
  description: string;
  revision: number;
  document: GraphDocument;
  issues: Issue[];
  latest_version: number | null;
  draft_changed: boolean;
  created_at: string;
  updated_at: string;
}

export interface WorkflowVersion {
  number: number;
  note: string;
  created_at: string;
  published_by: Person | null;
}

/** Both sides of a draft that two tabs changed, as a refused save brings them. */
export interface RevisionConflict {
  mine: { revision: number; document: GraphDocument };
  theirs: { revision: number; document: GraphDocument; updated_at: string; updated_by: Person | null };
}

/* Runs */

export interface StepError {
  code: string;
  message: string;
  retryable: boolean;
  node_id: string | null;
}

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cost?: number | null;
}

export interface Timings {
  wall_s: number;
  work_s: number;
  span_s: number;
  speed_up: number | null;
}

export interface Run {
  id: string;
  workflow_id: string;
  workflow_name: string;
  version: number | null;
  status: RunStatus;
  error: StepError | null;
  usage: Usage | null;
  timings: Timings | null;
  priority: number;
  deadline_at: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  created_by: Person | null;
  trigger: "browser" | "api" | "cli";
  steps: Partial<Record<StepStatus, number>> & { total: number };
  seq: number;
}

export interface RunDetail extends Run {
  inputs: JsonObject;
  outputs: JsonObject | null;
  document: GraphDocument;
}

export interface Step {
  id: string;
  node: string;
  path: string;
  kind: string;
  status: StepStatus;
  attempt: number;
  ready_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  not_before: string | null;
  waiting_until: string | null;
  output_preview: string;
  output_size: number | null;
  output_truncated: boolean;
  error: StepError | null;
  usage: Usage | null;
  ports: string[];
  why_waiting: string | null;
}

export interface StepDetail extends Omit<Step, "output_preview"> {
  output: Json;
}

export interface RunEvent {
  seq: number;
  type: string;
  at: string;
  step_id: string | null;
  node: string | null;
  path: string | null;
  attempt: number | null;
  data: JsonObject;
}

export interface Delta {
  step_id: string;
  attempt: number;
  offset: number;
  text: string;
}

/* Credentials and keys */

export type CredentialKind = "openai" | "http_bearer" | "http_basic" | "http_header";

/** Dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
}

export interface Credential {
  id: string;
  kind: CredentialKind;
  name: string;
  base_url: string;
  models: string[];
  default_model: string;
  default: boolean;
  allow_private: boolean;
  hosts: string[];
  username: string;
  header: string;
  prices: Record<string, Price>;
  secret_hint: string;
  created_at: string;
  updated_at: string;
  last_used_at: string | null;
}

/** What is sent; a secret that is left out stays as it is. */
export interface CredentialDraft {
  kind: CredentialKind;
  name: string;
  base_url?: string;
  default_model?: string;
  models?: string[];
  default?: boolean;
  allow_private?: boolean;
  hosts?: string[];
  api_key?: string;
  username?: string;
  password?: string;
  header?: string;
  value?: string;
  prices?: Record<string, Price>;
}

export interface CredentialTest {
  ok: boolean;
  message: string;
  models: string[];
  latency_ms: number | null;
}

export type Scope = "read" | "run" | "write";

export interface ApiKey {
  id: string;
  name: string;
  scopes: Scope[];
  prefix: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

export interface NewApiKey extends ApiKey {
  key: string;
}

/* Monitoring */

export interface WorkerRow {
  id: string;
  host: string;
  pid: number;
  lane: string;
  slots: number;
  in_use: number;
  started_at: string;
  heartbeat_at: string;
  state: "alive" | "stopping" | "stopped" | "dead";
}

export interface LaneRow {
  lane: string;
  ready: number;
  running: number;
  oldest_wait_s: number | null;
}

export interface ThroughputMinute {
  minute: string;
  steps: number;
  runs: number;
}

export interface Percentiles {
  p50: number | null;
  p95: number | null;
}

export interface FailureRow {
  kind: string;
  code: string;
  count: number;
  last_run_id: string;
  last_at: string;
}

export interface Health {
  ok: boolean;
  latency_ms: number | null;
  version: string | null;
}

export interface Monitoring {
  workers: WorkerRow[];
  lanes: LaneRow[];
  runs: { by_status: Partial<Record<RunStatus, number>>; finished_within_s: number };
  throughput: { per_minute: ThroughputMinute[] };
  latency: { wait: Percentiles; step: Percentiles; run: Percentiles };
  failures: FailureRow[];
  health: {
    postgres: Health & { size_bytes: number | null };
    redis: Health & { memory_bytes: number | null };
  };
}
