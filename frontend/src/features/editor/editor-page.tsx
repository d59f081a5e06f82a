/** Opens a workflow in the editor: reads what it needs, and what an earlier visit may have left on this device. */
import { useQuery } from "@tanstack/react-query";
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useState } from "react";
import { nodeKindsQuery } from "@/api/node-kinds";
import type { Workflow } from "@/api/types";
import { workflowQuery } from "@/api/workflows";
import { ErrorState } from "@/components/error-state";
import { done } from "@/components/toasts";
import { indexKinds, type NodeKind } from "@/graph/kinds";
import { recoveryOf } from "./autosave/autosave";
import { dropLocalCopy, readLocalCopy } from "./autosave/local-copy";
import { EditorScreen } from "./editor-screen";
import classes from "./editor.module.css";
import { EditorStoreContext } from "./store/editor-context";
import { createEditorStore, type EditorStore } from "./store/editor-store";

export function EditorPage({ id }: { id: string }) {
  // The editor holds the draft while it is open: reading it again would only be confused with somebody's change.
  const workflow = useQuery({
    ...workflowQuery(id),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const kinds = useQuery(nodeKindsQuery);
  const error = workflow.error ?? kinds.error;
  if (error) {
    return (
      <div className={classes["loading"]}>
        <ErrorState
          title="The workflow could not be opened"
          error={error}
          retry={() => void Promise.all([workflow.refetch(), kinds.refetch()])}
        />
      </div>
    );
  }
  if (!workflow.data || !kinds.data)
    return <div className={classes["loading"]} role="status" aria-label="Opening the workflow" />;
  return <OpenEditor key={id} workflow={workflow.data} kinds={kinds.data} />;
}

function OpenEditor({ workflow, kinds }: { workflow: Workflow; kinds: readonly NodeKind[] }) {
  const [store] = useState(() => openStore(workflow, kinds));
  useEffect(() => {
    if (store.getState().save.status === "dirty") done("Changes that were kept on this device are back");
  }, [store]);
  return (
    <EditorStoreContext value={store}>
      <title>{`${workflow.name} · Heddle`}</title>
      <ReactFlowProvider>
        <EditorScreen />
      </ReactFlowProvider>
    </EditorStoreContext>
  );
}

function openStore(workflow: Workflow, kinds: readonly NodeKind[]): EditorStore {
  const store = createEditorStore(workflow, indexKinds(kinds));
  const recovery = recoveryOf(readLocalCopy(workflow.id), workflow);
  if (recovery.kind === "none") {
    dropLocalCopy(workflow.id);
    return store;
  }
  const { edit, setSave } = store.getState();
  edit(
    { type: "replace", document: recovery.copy.document },
    { label: "Bring back what was kept on this device" },
  );
  if (recovery.kind === "ask") {
    const { document, revision, updated_at } = workflow;
    setSave({ status: "conflict", conflict: { document, revision, updatedAt: updated_at, updatedBy: null } });
  }
  return store;
}
