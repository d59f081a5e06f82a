/** Who may open a page, asked before it is drawn. */
import type { QueryClient } from "@tanstack/react-query";
import { notFound, redirect } from "@tanstack/react-router";
import { sessionQuery } from "@/api/session";

export async function requireUser(queryClient: QueryClient, wanted: string): Promise<void> {
  const session = await queryClient.query({ ...sessionQuery, staleTime: "static" });
  if (session.user === null) {
    throw redirect({ to: "/sign-in", search: wanted === "/workflows" ? {} : { next: wanted } });
  }
}

export async function requireAdmin(queryClient: QueryClient): Promise<void> {
  const session = await queryClient.query({ ...sessionQuery, staleTime: "static" });
  if (!session.user?.is_admin) throw notFound();
}
