/** What a person may do to the run as it is now: pause, resume, retry. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { pauseRun, resumeRun, retryRun, runQuery } from "@/api/runs";
import type { RunDetail } from "@/api/types";
import { failed } from "@/components/toasts";
import type { Budget } from "@/graph/graph";
import { useOpenRun, useRunState } from "../stream/run-context";

export function useSteering() {
  const { run, store } = useOpenRun();
  const status = useRunState((state) => state.view.status);
  const queryClient = useQueryClient();
  const know = (next: RunDetail) => queryClient.setQueryData(runQuery(run.id).queryKey, next);

  const pause = useMutation({
    mutationFn: () => pauseRun(run.id),
    onSuccess: know,
    onError: (error) => failed("The run could not be paused", error),
  });
  const resume = useMutation({
    mutationFn: (budget: Budget | undefined) => resumeRun(run.id, budget),
    onSuccess: know,
  });
  const retry = useMutation({
    mutationFn: () => retryRun(run.id),
    onSuccess: (next) => {
      know(next);
      // Its page had stopped to listen when the run ended.
      store.getState().followAgain();
    },
  });
  return {
    pause,
    resume,
    retry,
    mayPause: status === "running" || status === "queued",
    mayResume: status === "paused",
    mayRetry: status === "failed" || status === "cancelled",
  };
}

export type Steering = ReturnType<typeof useSteering>;
