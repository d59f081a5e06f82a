/** Looking into one item of a container: its steps are in the view for as long as it is open. */

import { itemOf, newStep } from "./view";
import type { RunError, RunView, StepView, Usage } from "./view";
import type { StepStatus } from "@/lib/states";

/** A step as the server lists it. */
export interface StepRow {
  id: string;
  node: string;
  path: string;
  status: StepStatus;
  attempt: number;
  ready_at: string | null;
  not_before: string | null;
  waiting_until: string | null;
  started_at: string | null;
  finished_at: string | null;
  ports: readonly string[];
  error: RunError | null;
  usage: Usage | null;
  reason: string;
  child_run_id: string | null;
  progress: StepView["progress"];
  output_preview: string | null;
}

/** Keep the steps of these items, and let go of those of others. */
export function openItems(view: RunView, items: readonly string[]): RunView {
  const kept = new Set(["", ...items]);
  const steps = new Map([...view.steps].filter(([, step]) => kept.has(itemOf(step.path))));
  const byNode = new Map([...view.byNode].filter(([, id]) => steps.has(id)));
  return { ...view, opened: items, steps, byNode, order: view.order.filter((id) => steps.has(id)) };
}

/** Add steps that the server listed; what events have told meanwhile is newer and stays. */
export function addRows(view: RunView, rows: readonly StepRow[]): RunView {
  const steps = new Map(view.steps);
  const byNode = new Map(view.byNode);
  const order = [...view.order];
  for (const row of rows) {
    if (steps.has(row.id) || !view.opened.includes(itemOf(row.path))) continue;
    steps.set(row.id, stepOfRow(row));
    byNode.set(row.node, row.id);
    if (row.ready_at !== null) order.push(row.id);
  }
  return { ...view, steps, byNode, order };
}

function stepOfRow(row: StepRow): StepView {
  return {
    ...newStep(row.id, row.node, row.path),
    status: row.status,
    attempt: row.attempt,
    readyAt: time(row.ready_at),
    startedAt: time(row.started_at),
    finishedAt: time(row.finished_at),
    notBefore: time(row.not_before),
    waitingUntil: time(row.waiting_until),
    childRunId: row.child_run_id,
    progress: row.progress,
    ports: row.ports,
    error: row.error,
    usage: row.usage,
    preview: row.output_preview ?? "",
    reason: row.reason,
  };
}

function time(value: string | null): number | null {
  return value === null ? null : Date.parse(value);
}
