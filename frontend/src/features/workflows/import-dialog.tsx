/** Bringing a workflow in: pasted, dropped or chosen; what is wrong with it is said at the spot. */
import { Button, FileButton, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type DragEvent } from "react";
import { ApiError } from "@/api/client";
import type { Workflow } from "@/api/types";
import { importWorkflow, refreshWorkflowLists } from "@/api/workflows";
import { FormDialog } from "@/components/form-dialog";
import { Icon } from "@/components/icon";
import { IssueList } from "@/components/issue-list";
import classes from "./import-dialog.module.css";
import { formatOf, problemOfText } from "./import-text";
import { ImportedDialog } from "./imported-dialog";

interface ImportDialogProps {
  /** A file that was dropped on the page, already read. */
  start?: BroughtText | undefined;
  onClose: () => void;
  onOpen: (workflow: Workflow) => void;
}

export interface BroughtText {
  name: string;
  text: string;
}

export function ImportDialog({ start, onClose, onOpen }: ImportDialogProps) {
  const [brought, setBrought] = useState<BroughtText>(start ?? { name: "", text: "" });
  const [problem, setProblem] = useState<string | null>(null);
  const importing = useImport(onOpen);
  const take = (next: BroughtText) => {
    setBrought(next);
    setProblem(null);
    importing.reset();
  };
  const submit = () => {
    const found = problemOfText(brought.text);
    setProblem(found);
    if (found === null) importing.mutate(brought);
  };
  if (importing.data && importing.data.issues.length > 0) {
    return <ImportedDialog workflow={importing.data} onClose={onClose} onOpen={onOpen} />;
  }
  const refused = importing.error;
  const issues = refused instanceof ApiError ? refused.issues : [];
  return (
    <FormDialog
      opened
      title="Import a workflow"
      verb="Import"
      size={640}
      busy={importing.isPending}
      error={issues.length === 0 ? refused : null}
      onClose={onClose}
      beside={<ChooseFile onBrought={take} />}
      onSubmit={(event) => {
        event?.preventDefault();
        submit();
      }}
    >
      <DropArea onBrought={take}>
        <Textarea
          label="JSON or YAML"
          description={brought.name === "" ? "Paste it here, or drop a file." : `From ${brought.name}`}
          classNames={{ input: classes["text"] ?? "" }}
          rows={14}
          spellCheck={false}
          value={brought.text}
          error={problem}
          onChange={(event) => take({ name: "", text: event.currentTarget.value })}
        />
      </DropArea>
      {issues.length > 0 && <IssueList title="This cannot be imported as it is" issues={issues} />}
    </FormDialog>
  );
}

function useImport(onOpen: (workflow: Workflow) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ text, name }: BroughtText) => importWorkflow(text, formatOf(text, name)),
    onSuccess: async (workflow) => {
      await refreshWorkflowLists(queryClient);
      if (workflow.issues.length === 0) onOpen(workflow);
    },
  });
}

function ChooseFile({ onBrought }: { onBrought: (brought: BroughtText) => void }) {
  return (
    <FileButton
      accept=".json,.yaml,.yml,application/json,application/yaml"
      onChange={(file) => {
        if (file) void readFile(file).then(onBrought);
      }}
    >
      {(props) => (
        <Button {...props} variant="subtle" color="gray" leftSection={<Icon name="folder" />}>
          Choose a file
        </Button>
      )}
    </FileButton>
  );
}

interface DropAreaProps {
  onBrought: (brought: BroughtText) => void;
  children: React.ReactNode;
}

function DropArea({ onBrought, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer.files.item(0);
    setOver(false);
    if (!file) return;
    event.preventDefault();
    void readFile(file).then(onBrought);
  };
  return (
    <div
      className={classes["drop"]}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

export async function readFile(file: File): Promise<BroughtText> {
  return { name: file.name, text: await file.text() };
}
