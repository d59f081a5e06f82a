/** A workflow that came in with issues: it is kept as a draft, and these are what to mend. */
import { Button, Modal } from "@mantine/core";
import type { Workflow } from "@/api/types";
import { IssueList } from "@/components/issue-list";

interface ImportedDialogProps {
  workflow: Workflow;
  onClose: () => void;
  onOpen: (workflow: Workflow) => void;
}

export function ImportedDialog({ workflow, onClose, onOpen }: ImportedDialogProps) {
  return (
    <Modal opened onClose={onClose} title={`Imported as ${workflow.name}`} centered size={560}>
      <IssueList title="It is kept as a draft. Before it can run, this needs you:" issues={workflow.issues} />
      <div style={{ display: "flex", justifyContent: "flex-end", gap: 8, marginTop: 20 }}>
        <Button variant="default" onClick={onClose}>
          Later
        </Button>
        <Button onClick={() => onOpen(workflow)}>Open in the editor</Button>
      </div>
    </Modal>
  );
}
