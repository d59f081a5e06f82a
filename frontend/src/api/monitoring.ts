/** The state of the installation, for its administrators. */
import { queryOptions } from "@tanstack/react-query";
import { request } from "./client";
import type { Monitoring } from "./types";

export const monitoringQuery = queryOptions({
  queryKey: ["monitoring"],
  queryFn: ({ signal }) => request<Monitoring>("monitoring/", { signal }),
});
