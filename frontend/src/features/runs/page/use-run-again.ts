/** Starts the same workflow with the same inputs once more. */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { startRun } from "@/api/runs";
import { failed } from "@/components/toasts";
import { useOpenRun } from "../stream/run-context";

export function useRunAgain() {
  const { run } = useOpenRun();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => startRun(run.workflow_id, { inputs: run.inputs, version: run.version ?? "draft" }),
    onSuccess: (next) => navigate({ to: "/runs/$id", params: { id: next.id } }),
    onError: (error) => failed("The run did not start", error),
  });
}
