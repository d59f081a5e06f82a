/** Runs: starting, listing and cancelling them, and what their steps gave. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Budget } from "@/graph/graph";
import type { JsonObject } from "@/graph/json";
import type { RunStatus, StepStatus } from "@/lib/states";
import { request } from "./client";
import { cursorOf } from "./pages";
import type {
  Decision,
  GraphChange,
  Item,
  Page,
  Run,
  RunDetail,
  RunEventPage,
  Step,
  StepDetail,
} from "./types";

export interface RunFilter {
  workflow?: string;
  status?: RunStatus;
  ordering?: string;
}

export function runsQuery(filter: RunFilter) {
  return infiniteQueryOptions({
    queryKey: ["runs", "list", filter],
    queryFn: ({ pageParam, signal }) =>
      request<Page<Run>>("runs/", { query: { ...filter, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => cursorOf(page.next),
  });
}

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ["runs", "one", id],
    queryFn: ({ signal }) => request<RunDetail>(`runs/${id}/`, { signal }),
  });
}

/** The steps at the top of a run, or with a scope those of one item or round. */
export function stepsQuery(runId: string, scope = 0) {
  return queryOptions({
    queryKey: ["runs", "one", runId, "steps", "of", scope],
    queryFn: ({ signal }) => fetchSteps(runId, scope, signal),
  });
}

export async function fetchSteps(runId: string, scope: number, signal?: AbortSignal): Promise<Step[]> {
  const steps: Step[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Step> = await request(`runs/${runId}/steps/`, {
      query: { cursor, scope, limit: 200 },
      signal,
    });
    steps.push(...page.results);
    cursor = cursorOf(page.next);
  } while (cursor !== null);
  return steps;
}

/** The items of a map, or the rounds of a loop, in their order. */
export function itemsQuery(runId: string, stepId: string, status: StepStatus | null) {
  return infiniteQueryOptions({
    queryKey: ["runs", "one", runId, "steps", stepId, "items", status],
    queryFn: ({ pageParam, signal }) =>
      request<Page<Item>>(`runs/${runId}/steps/${stepId}/items/`, {
        query: { status, cursor: pageParam, limit: 50 },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => cursorOf(page.next),
  });
}

/** The changes of the run's graph; asked for again with every one that comes. */
export function changesQuery(runId: string, count: number) {
  return queryOptions({
    queryKey: ["runs", "one", runId, "changes", count],
    queryFn: async ({ signal }) => {
      const page = await request<Page<GraphChange>>(`runs/${runId}/patches/`, {
        query: { limit: 200 },
        signal,
      });
      return page.results;
    },
  });
}

export function stepQuery(runId: string, stepId: string) {
  return queryOptions({
    queryKey: ["runs", "one", runId, "steps", stepId],
    queryFn: ({ signal }) => request<StepDetail>(`runs/${runId}/steps/${stepId}/`, { signal }),
  });
}

export function fetchEvents(runId: string, after: number, signal?: AbortSignal): Promise<RunEventPage> {
  return request(`runs/${runId}/events/`, { query: { after }, signal });
}

export interface RunRequest {
  inputs: JsonObject;
  version?: number | "draft";
  deadline_s?: number;
  priority?: number;
  budget?: Budget;
}

export function startRun(workflowId: string, asked: RunRequest): Promise<RunDetail> {
  return request(`workflows/${workflowId}/runs/`, { method: "POST", body: asked });
}

export function cancelRun(id: string): Promise<RunDetail> {
  return request(`runs/${id}/cancel/`, { method: "POST" });
}

export function pauseRun(id: string): Promise<RunDetail> {
  return request(`runs/${id}/pause/`, { method: "POST" });
}

/** Go on with a paused run, with a larger budget if one is given. */
export function resumeRun(id: string, budget?: Budget): Promise<RunDetail> {
  return request(`runs/${id}/resume/`, { method: "POST", body: budget ? { budget } : {} });
}

/** Go on with a run that failed or was cancelled, from what succeeded. */
export function retryRun(id: string): Promise<RunDetail> {
  return request(`runs/${id}/retry/`, { method: "POST" });
}

export function decideStep(runId: string, stepId: string, decision: Decision): Promise<StepDetail> {
  return request(`runs/${runId}/steps/${stepId}/decide/`, { method: "POST", body: { decision } });
}
