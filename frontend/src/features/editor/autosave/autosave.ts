/** Saves the draft a moment after each change, keeps a copy here until that worked, and never saves over others. */
import { ApiError, inWords } from "@/api/client";
import type { RevisionConflict, Workflow } from "@/api/types";
import type { GraphDocument } from "@/graph/graph";
import { sameJson } from "@/graph/json";
import { backoff } from "@/lib/backoff";
import type { Conflict, EditorStore } from "../store/editor-store";
import type { LocalCopy } from "./local-copy";

export interface AutosaveWorld {
  save: (id: string, draft: { document: GraphDocument; revision: number }) => Promise<Workflow>;
  keep: (id: string, copy: LocalCopy) => void;
  drop: (id: string) => void;
  now: () => number;
}

export interface Autosave {
  /** Save at once; true when everything is on the server. */
  flush: () => Promise<boolean>;
  stop: () => void;
}

const PAUSE_MS = 700;

export function startAutosave(store: EditorStore, world: AutosaveWorld): Autosave {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<boolean> | null = null;
  let failures = 0;

  const schedule = (wait: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), wait);
  };

  const flush = (): Promise<boolean> => {
    clearTimeout(timer);
    saving ??= saveAll().finally(() => {
      saving = null;
    });
    return saving;
  };

  /** Saves until nothing changed meanwhile. */
  const saveAll = async (): Promise<boolean> => {
    while (isUnsaved(store)) {
      const { workflowId, document, revision, setSave } = store.getState();
      world.keep(workflowId, { document, revision, at: world.now() });
      setSave({ status: "saving" });
      try {
        const workflow = await world.save(workflowId, { document, revision });
        failures = 0;
        finished(store, world, document, workflow);
      } catch (error) {
        refused(error);
        return false;
      }
    }
    return store.getState().save.status === "saved";
  };

  const refused = (error: unknown) => {
    const { setSave } = store.getState();
    const conflict = conflictOf(error);
    if (conflict) {
      setSave({ status: "conflict", conflict, detail: inWords(error) });
    } else if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
      setSave({ status: "refused", detail: error.detail });
    } else {
      setSave({ status: "offline", detail: inWords(error) });
      schedule(backoff(failures, Math.random()));
      failures += 1;
    }
  };

  const stopWatching = store.subscribe((state, before) => {
    if (state.document === before.document || state.save.status === "conflict") return;
    schedule(PAUSE_MS);
  });
  // What an earlier visit left unsaved is brought back as a change.
  if (isUnsaved(store)) schedule(PAUSE_MS);
  const online = () => void flush();
  window.addEventListener("online", online);

  return {
    flush,
    stop: () => {
      stopWatching();
      window.removeEventListener("online", online);
      clearTimeout(timer);
      void flush();
    },
  };
}

function isUnsaved(store: EditorStore): boolean {
  return ["dirty", "offline", "refused"].includes(store.getState().save.status);
}

function finished(store: EditorStore, world: AutosaveWorld, sent: GraphDocument, workflow: Workflow): void {
  const { workflowId, document, saved, setSave } = store.getState();
  saved(workflow);
  if (document === sent) {
    world.drop(workflowId);
    setSave({ status: "saved", at: world.now(), detail: "", conflict: null });
  } else {
    setSave({ status: "dirty", at: world.now(), detail: "" });
  }
}

function conflictOf(error: unknown): Conflict | null {
  if (!(error instanceof ApiError) || error.code !== "revision_conflict") return null;
  const { theirs } = error.extra as unknown as RevisionConflict;
  return {
    revision: theirs.revision,
    document: theirs.document,
    updatedAt: theirs.updated_at,
    updatedBy: theirs.updated_by?.name ?? null,
  };
}

/** What to do with a copy that an earlier visit left behind. */
export type Recovery =
  { kind: "none" } | { kind: "restore"; copy: LocalCopy } | { kind: "ask"; copy: LocalCopy };

export function recoveryOf(
  copy: LocalCopy | null,
  workflow: Pick<Workflow, "document" | "revision">,
): Recovery {
  if (!copy || sameJson(copy.document, workflow.document)) return { kind: "none" };
  return copy.revision === workflow.revision ? { kind: "restore", copy } : { kind: "ask", copy };
}
