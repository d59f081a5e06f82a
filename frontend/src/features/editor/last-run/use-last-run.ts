/** The last run of the workflow that is being edited, and its steps. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { runsQuery, stepsQuery } from "@/api/runs";
import type { Run, Step } from "@/api/types";
import { useEditor } from "../store/editor-context";

export function useLastRun(): Run | null {
  const workflow = useEditor((state) => state.workflowId);
  const { data } = useInfiniteQuery({ ...runsQuery({ workflow }), staleTime: 5_000 });
  return data?.pages[0]?.results[0] ?? null;
}

export function useLastSteps(): Step[] | undefined {
  const run = useLastRun();
  const { data } = useQuery({ ...stepsQuery(run?.id ?? ""), enabled: run !== null });
  return data;
}
