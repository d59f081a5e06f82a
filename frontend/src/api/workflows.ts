/** Workflows: their list, drafts, versions, and documents going in and out. */
import { infiniteQueryOptions, queryOptions, type QueryClient } from "@tanstack/react-query";
import { request, requestText } from "./client";
import { cursorOf } from "./pages";
import type { GraphDocument, Issue, Page, Workflow, WorkflowRow, WorkflowVersion } from "./types";

export interface WorkflowFilter {
  search: string;
  ordering: string;
}

export function workflowsQuery(filter: WorkflowFilter) {
  return infiniteQueryOptions({
    queryKey: ["workflows", "list", filter],
    queryFn: ({ pageParam, signal }) =>
      request<Page<WorkflowRow>>("workflows/", { query: { ...filter, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => cursorOf(page.next),
  });
}

const MOST_CHOICES = 1000;

/** Workflows to choose from by name. */
export const workflowChoicesQuery = queryOptions({
  queryKey: ["workflows", "list", "choices"],
  queryFn: async ({ signal }) => {
    const found: WorkflowRow[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<WorkflowRow> = await request("workflows/", {
        query: { ordering: "name", cursor, limit: 200 },
        signal,
      });
      found.push(...page.results);
      cursor = cursorOf(page.next);
    } while (cursor !== null && found.length < MOST_CHOICES);
    return found;
  },
});

export function workflowQuery(id: string) {
  return queryOptions({
    queryKey: ["workflows", "one", id],
    queryFn: ({ signal }) => request<Workflow>(`workflows/${id}/`, { signal }),
  });
}

export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: ["workflows", "one", id, "versions"],
    queryFn: ({ signal }) => request<Page<WorkflowVersion>>(`workflows/${id}/versions/`, { signal }),
  });
}

/** Lists show names, runs and times of every workflow, so any change may concern them. */
export function refreshWorkflowLists(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ["workflows", "list"] });
}

export function createWorkflow(document: GraphDocument): Promise<Workflow> {
  return request("workflows/", { method: "POST", body: { document } });
}

export function saveDraft(
  id: string,
  draft: { document: GraphDocument; revision: number },
): Promise<Workflow> {
  return request(`workflows/${id}/`, { method: "PUT", body: draft });
}

export function renameWorkflow(id: string, name: string): Promise<Workflow> {
  return request(`workflows/${id}/`, { method: "PATCH", body: { name } });
}

export function duplicateWorkflow(id: string): Promise<Workflow> {
  return request(`workflows/${id}/duplicate/`, { method: "POST" });
}

export function deleteWorkflow(id: string): Promise<void> {
  return request(`workflows/${id}/`, { method: "DELETE" });
}

export function restoreWorkflow(id: string): Promise<Workflow> {
  return request(`workflows/${id}/restore/`, { method: "POST" });
}

export function publishWorkflow(id: string, note: string): Promise<WorkflowVersion> {
  return request(`workflows/${id}/publish/`, { method: "POST", body: note === "" ? {} : { note } });
}

export function validateDocument(
  document: GraphDocument,
  signal?: AbortSignal,
): Promise<{ issues: Issue[] }> {
  return request("workflows/validate/", { method: "POST", body: { document }, signal });
}

export type DocumentFormat = "json" | "yaml";

export function importWorkflow(text: string, format: DocumentFormat): Promise<Workflow> {
  return request("workflows/import/", { method: "POST", body: { text, format } });
}

export function exportWorkflow(id: string, format: DocumentFormat): Promise<string> {
  const accept = format === "json" ? "application/json" : "application/yaml";
  return requestText(`workflows/${id}/export/`, {
    query: { format },
    headers: { Accept: `${accept}, */*;q=0.5` },
  });
}
