/** What can be done with a workflow from the list. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { WorkflowRow } from "@/api/types";
import {
  deleteWorkflow,
  duplicateWorkflow,
  exportWorkflow,
  refreshWorkflowLists,
  restoreWorkflow,
  type DocumentFormat,
} from "@/api/workflows";
import { done, failed, undoable } from "@/components/toasts";
import { download, fileName } from "@/lib/download";

export function useWorkflowActions(workflow: WorkflowRow) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const refresh = () => refreshWorkflowLists(queryClient);
  const open = (id: string) => void navigate({ to: "/workflows/$id", params: { id } });

  const duplicate = useMutation({
    mutationFn: () => duplicateWorkflow(workflow.id),
    onSuccess: async (copy) => {
      await refresh();
      done(`Duplicated as ${copy.name}`, undefined, { label: "Open it", run: () => open(copy.id) });
    },
    onError: (error) => failed(`${workflow.name} could not be duplicated`, error),
  });

  const restore = useMutation({
    mutationFn: () => restoreWorkflow(workflow.id),
    onSuccess: refresh,
    onError: (error) => failed(`${workflow.name} could not be brought back`, error),
  });

  const remove = useMutation({
    mutationFn: () => deleteWorkflow(workflow.id),
    onSuccess: async () => {
      undoable(`Deleted ${workflow.name}`, () => restore.mutate());
      await refresh();
    },
    onError: (error) => failed(`${workflow.name} could not be deleted`, error),
  });

  const save = useMutation({
    mutationFn: async (format: DocumentFormat) =>
      download(
        fileName(workflow.name, format),
        await exportWorkflow(workflow.id, format),
        `application/${format}`,
      ),
    onError: (error) => failed(`${workflow.name} could not be exported`, error),
  });

  return { open: () => open(workflow.id), duplicate, remove, save };
}
