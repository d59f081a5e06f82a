/** Credentials: the secrets themselves are only ever sent, never received. */
import { queryOptions } from "@tanstack/react-query";
import { request } from "./client";
import type { Credential, CredentialChange, CredentialDraft, CredentialTest, Page } from "./types";

export const credentialsQuery = queryOptions({
  queryKey: ["credentials"],
  queryFn: async ({ signal }) =>
    (await request<Page<Credential>>("credentials/", { query: { limit: 200 }, signal })).results,
});

export function createCredential(draft: CredentialDraft): Promise<Credential> {
  return request("credentials/", { method: "POST", body: draft });
}

export function updateCredential(id: string, change: CredentialChange): Promise<Credential> {
  return request(`credentials/${id}/`, { method: "PATCH", body: change });
}

export function deleteCredential(id: string): Promise<void> {
  return request(`credentials/${id}/`, { method: "DELETE" });
}

export function testCredential(id: string): Promise<CredentialTest> {
  return request(`credentials/${id}/test/`, { method: "POST" });
}
