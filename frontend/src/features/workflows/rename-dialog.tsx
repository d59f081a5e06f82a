/** Giving a workflow another name. */
import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { WorkflowRow } from "@/api/types";
import { refreshWorkflowLists, renameWorkflow } from "@/api/workflows";
import { FormDialog } from "@/components/form-dialog";

interface RenameDialogProps {
  workflow: WorkflowRow;
  onClose: () => void;
}

const longest = 200;

export function RenameDialog({ workflow, onClose }: RenameDialogProps) {
  const queryClient = useQueryClient();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: workflow.name },
    validate: { name: problemOfName },
  });
  const renaming = useMutation({
    mutationFn: (name: string) => renameWorkflow(workflow.id, name),
    onSuccess: async () => {
      await Promise.all([
        refreshWorkflowLists(queryClient),
        queryClient.invalidateQueries({ queryKey: ["workflows", "one", workflow.id] }),
      ]);
      onClose();
    },
  });
  return (
    <FormDialog
      opened
      title="Rename workflow"
      verb="Rename"
      busy={renaming.isPending}
      error={renaming.error}
      onClose={onClose}
      onSubmit={form.onSubmit(({ name }) => renaming.mutate(name.trim()))}
    >
      <TextInput label="Name" data-autofocus key={form.key("name")} {...form.getInputProps("name")} />
    </FormDialog>
  );
}

function problemOfName(name: string): string | null {
  if (name.trim() === "") return "Enter a name.";
  return name.length > longest ? `Use at most ${longest} characters.` : null;
}
