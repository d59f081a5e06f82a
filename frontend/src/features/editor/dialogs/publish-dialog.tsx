/** Publishing: what changes against the latest version, a note, and one button. */
import { Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { inWords } from "@/api/client";
import { draftDiffQuery } from "@/api/workflow-diff";
import { publishWorkflow, refreshWorkflowLists } from "@/api/workflows";
import { FormDialog } from "@/components/form-dialog";
import { LinesSkeleton } from "@/components/skeletons";
import { done } from "@/components/toasts";
import { useEditor, useEditorStore } from "../store/editor-context";
import { DiffSummary } from "../versions/diff-summary";

export function PublishDialog({ onClose }: { onClose: () => void }) {
  const store = useEditorStore();
  const queryClient = useQueryClient();
  const id = useEditor((state) => state.workflowId);
  const latest = useEditor((state) => state.latestVersion);
  const [note, setNote] = useState("");
  const publish = useMutation({
    mutationFn: () => publishWorkflow(id, note.trim()),
    onSuccess: async (version) => {
      const { revision, issues, saved } = store.getState();
      saved({ revision, issues: [...issues], latest_version: version.number, draft_changed: false });
      done(`Published as version ${version.number}`);
      onClose();
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["workflows", "one", id] }),
        refreshWorkflowLists(queryClient),
      ]);
    },
  });
  return (
    <FormDialog
      opened
      title={`Publish version ${(latest ?? 0) + 1}`}
      verb={`Publish v${(latest ?? 0) + 1}`}
      busy={publish.isPending}
      error={publish.error}
      onClose={onClose}
      onSubmit={(event) => {
        event?.preventDefault();
        publish.mutate();
      }}
    >
      {latest === null ? (
        <p>This is the first version. It stays as it is, and runs started by others use it.</p>
      ) : (
        <Changes id={id} latest={latest} />
      )}
      <Textarea
        data-autofocus
        label="Note"
        placeholder="What is new, for those who run it"
        autosize
        minRows={2}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function Changes({ id, latest }: { id: string; latest: number }) {
  const diff = useQuery(draftDiffQuery(id, latest));
  const document = useEditor((state) => state.document);
  if (diff.isPending) return <LinesSkeleton label="Comparing" />;
  if (diff.isError) return <p className="hd-muted">The changes could not be listed: {inWords(diff.error)}</p>;
  return <DiffSummary diff={diff.data} title={`Against version ${latest}`} document={document} />;
}
