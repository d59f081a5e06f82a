/** Keys for programs; the key itself is answered once, when it is made. */
import { queryOptions } from "@tanstack/react-query";
import { request } from "./client";
import type { ApiKey, NewApiKey, Page, Scope } from "./types";

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: async ({ signal }) =>
    (await request<Page<ApiKey>>("api-keys/", { query: { limit: 200 }, signal })).results,
});

export interface ApiKeyDraft {
  name: string;
  scopes: Scope[];
  expires_at?: string;
}

export function createApiKey(draft: ApiKeyDraft): Promise<NewApiKey> {
  return request("api-keys/", { method: "POST", body: draft });
}

export function revokeApiKey(id: string): Promise<void> {
  return request(`api-keys/${id}/`, { method: "DELETE" });
}
