/** The run as the server shows it, read again where only the server knows: figures, budget, a changed graph. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useStore } from "zustand";
import { runQuery } from "@/api/runs";
import type { RunDetail } from "@/api/types";
import { isFinal } from "@/lib/states";
import type { RunStore } from "./run-store";

const EVERY_MS = 3_000;

export function useRunDetail(run: RunDetail, store: RunStore): RunDetail {
  const status = useStore(store, (state) => state.view.status);
  const changes = useStore(store, (state) => state.view.changes);
  const loaded = useStore(store, (state) => state.loaded);
  const live = !isFinal(status);
  const { data, refetch } = useQuery({
    ...runQuery(run.id),
    initialData: run,
    refetchInterval: live && isCountedByTheServer(run) ? EVERY_MS : false,
  });
  const isOld = data.status !== status || data.plan_version < changes;
  useEffect(() => {
    if (loaded && isOld) void refetch();
  }, [loaded, isOld, status, changes, refetch]);
  return data;
}

/** Items of containers and what called workflows spend are not among the steps that the page follows. */
function isCountedByTheServer(run: RunDetail): boolean {
  return run.budget !== null || run.document.nodes.some((node) => node.parent !== undefined);
}
