/** Starting a workflow, empty or from a sample. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Workflow } from "@/api/types";
import { createWorkflow, importWorkflow, refreshWorkflowLists } from "@/api/workflows";
import { failed } from "@/components/toasts";
import { newDocument } from "./new-document";
import type { Sample } from "./samples";

export function useStartWorkflow(open: (workflow: Workflow) => void) {
  const queryClient = useQueryClient();
  const starting = useMutation({
    mutationFn: (sample: Sample | null) =>
      sample === null ? createWorkflow(newDocument()) : importWorkflow(sample.text, "yaml"),
    onSuccess: (workflow) => {
      void refreshWorkflowLists(queryClient);
      open(workflow);
    },
    onError: (error) => failed("The workflow could not be made", error),
  });
  return {
    busy: starting.isPending,
    blank: () => starting.mutate(null),
    sample: (sample: Sample) => starting.mutate(sample),
  };
}
