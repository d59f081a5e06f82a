/** Runs: starting, listing and cancelling them, and what their steps gave. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { JsonObject } from "@/graph/json";
import type { RunStatus } from "@/lib/states";
import { request } from "./client";
import { cursorOf } from "./pages";
import type { Page, Run, RunDetail, RunEventPage, Step, StepDetail } from "./types";

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

export function stepsQuery(runId: string) {
  return queryOptions({
    queryKey: ["runs", "one", runId, "steps"],
    queryFn: async ({ signal }) => {
      const steps: Step[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<Step> = await request(`runs/${runId}/steps/`, {
          query: { cursor, limit: 200 },
          signal,
        });
        steps.push(...page.results);
        cursor = cursorOf(page.next);
      } while (cursor !== null);
      return steps;
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
}

export function startRun(workflowId: string, asked: RunRequest): Promise<RunDetail> {
  return request(`workflows/${workflowId}/runs/`, { method: "POST", body: asked });
}

export function cancelRun(id: string): Promise<RunDetail> {
  return request(`runs/${id}/cancel/`, { method: "POST" });
}
