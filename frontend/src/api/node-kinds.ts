/** The kinds of node this installation knows; they change only when it is updated. */
import { queryOptions } from "@tanstack/react-query";
import type { NodeKind } from "@/graph/kinds";
import { request } from "./client";

export const nodeKindsQuery = queryOptions({
  queryKey: ["node-kinds"],
  queryFn: async ({ signal }) => (await request<{ results: NodeKind[] }>("node-kinds/", { signal })).results,
  staleTime: Infinity,
});
