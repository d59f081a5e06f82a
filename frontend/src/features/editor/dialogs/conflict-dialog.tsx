/** Two people, or two tabs, changed one draft: both sides are shown, and nothing is lost whichever is chosen. */
import { Button, Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createWorkflow } from "@/api/workflows";
import { done, failed } from "@/components/toasts";
import { compareDocuments } from "@/graph/compare";
import type { GraphDocument } from "@/graph/graph";
import { formatAgo, formatCount } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useEditor, useEditorStore } from "../store/editor-context";
import type { Conflict } from "../store/editor-store";
import classes from "./dialogs.module.css";

export function ConflictDialog({ onSave }: { onSave: () => void }) {
  const conflict = useEditor((state) => state.save.conflict);
  const open = useEditor((state) => state.save.status === "conflict" && state.save.conflict !== null);
  if (!open || !conflict) return null;
  return <Choice conflict={conflict} onSave={onSave} />;
}

function Choice({ conflict, onSave }: { conflict: Conflict; onSave: () => void }) {
  const store = useEditorStore();
  const mine = useEditor((state) => state.document);
  const now = useNow();
  const copy = useSaveCopy();
  const keepMine = () => {
    store.getState().rebase(conflict.revision);
    store.getState().setSave({ status: "dirty", conflict: null });
    onSave();
  };
  const takeTheirs = () => take(store, conflict);
  const who = conflict.updatedBy ?? "Somebody";
  const when = conflict.updatedAt ? formatAgo(conflict.updatedAt, now) : "meanwhile";
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      title="This draft was changed elsewhere"
      centered
      size={640}
    >
      <p>
        {who} saved another state of “{conflict.document.name}” {when}. Choose which one goes on; the other is
        not thrown away.
      </p>
      <div className={classes["sides"]}>
        <Side title="Yours, on this screen" document={mine} against={conflict.document} />
        <Side title={`Theirs, saved ${when}`} document={conflict.document} against={mine} />
      </div>
      <div className={classes["choices"]}>
        <Button
          variant="default"
          loading={copy.isPending}
          onClick={() => copy.mutate({ document: mine, then: takeTheirs })}
        >
          Save mine as a copy
        </Button>
        <span className="hd-grow" />
        <Button variant="default" onClick={takeTheirs}>
          Take theirs
        </Button>
        <Button onClick={keepMine}>Keep mine</Button>
      </div>
      <p className={classes["small"]}>
        Undo brings your state back after taking theirs. Keeping yours saves it over theirs.
      </p>
    </Modal>
  );
}

function take(store: ReturnType<typeof useEditorStore>, conflict: Conflict): void {
  const { edit, rebase, setSave } = store.getState();
  edit({ type: "replace", document: conflict.document }, { label: "Take the other state" });
  rebase(conflict.revision);
  setSave({
    status: "saved",
    at: conflict.updatedAt ? Date.parse(conflict.updatedAt) : null,
    conflict: null,
    detail: "",
  });
}

function useSaveCopy() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ document }: { document: GraphDocument; then: () => void }) =>
      createWorkflow({ ...document, name: `${document.name} (my copy)` }),
    onSuccess: (workflow, { then }) => {
      then();
      done("Your state was saved as a copy", workflow.name, {
        label: "Open the copy",
        run: () => void navigate({ to: "/workflows/$id", params: { id: workflow.id } }),
      });
    },
    onError: (error) => failed("The copy could not be saved", error),
  });
}

function Side({
  title,
  document,
  against,
}: {
  title: string;
  document: GraphDocument;
  against: GraphDocument;
}) {
  const { added, changed, removed } = compareDocuments(against, document);
  const lines = [
    ...added.map((name) => `+ ${name}`),
    ...changed.map((name) => `~ ${name}`),
    ...removed.map((name) => `− ${name}`),
  ];
  return (
    <section className={classes["side"]}>
      <h3>{title}</h3>
      <p className={classes["small"]}>
        {formatCount(document.nodes.length, "node")}, {formatCount(document.edges.length, "edge")}
      </p>
      <ul>
        {lines.slice(0, 8).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length > 8 && <li>and {lines.length - 8} more differences</li>}
        {!lines.length && <li>Only places or edges differ.</li>}
      </ul>
    </section>
  );
}
