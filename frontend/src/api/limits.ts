/** Limits of the workspace, and those of the whole installation. */
import { queryOptions } from "@tanstack/react-query";
import { request } from "./client";
import { cursorOf } from "./pages";
import type { InstallationLimit, Limit, LimitChange, LimitDraft, Page } from "./types";

export const limitsQuery = queryOptions({
  queryKey: ["limits", "list"],
  queryFn: async ({ signal }) => {
    const found: Limit[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<Limit> = await request("limits/", { query: { cursor, limit: 200 }, signal });
      found.push(...page.results);
      cursor = cursorOf(page.next);
    } while (cursor !== null);
    return found;
  },
});

export const installationLimitsQuery = queryOptions({
  queryKey: ["limits", "installation"],
  queryFn: async ({ signal }) =>
    (await request<{ results: InstallationLimit[] }>("limits/installation/", { signal })).results,
});

export function createLimit(draft: LimitDraft): Promise<Limit> {
  return request("limits/", { method: "POST", body: draft });
}

export function changeLimit(id: string, change: LimitChange): Promise<Limit> {
  return request(`limits/${id}/`, { method: "PATCH", body: change });
}

export function deleteLimit(id: string): Promise<void> {
  return request(`limits/${id}/`, { method: "DELETE" });
}
