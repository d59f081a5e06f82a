/** Versions of a workflow in detail, and what differs between two of them. */
import { queryOptions } from "@tanstack/react-query";
import type { GraphDocument } from "@/graph/graph";
import { request } from "./client";
import type { components } from "./schema";
import type { WorkflowVersion } from "./types";

export type WorkflowDiff = components["schemas"]["WorkflowDiff"];

type Side = number | "draft";

export function diffQuery(id: string, from: Side, to: Side) {
  return queryOptions({
    queryKey: ["workflows", "one", id, "diff", from, to],
    queryFn: ({ signal }) => request<WorkflowDiff>(`workflows/${id}/diff/`, { query: { from, to }, signal }),
    staleTime: 0,
  });
}

export function draftDiffQuery(id: string, from: number) {
  return diffQuery(id, from, "draft");
}

export interface VersionDetail extends WorkflowVersion {
  document: GraphDocument;
}

export function versionQuery(id: string, number: number) {
  return queryOptions({
    queryKey: ["workflows", "one", id, "versions", number],
    queryFn: ({ signal }) => request<VersionDetail>(`workflows/${id}/versions/${number}/`, { signal }),
    staleTime: Infinity,
  });
}
