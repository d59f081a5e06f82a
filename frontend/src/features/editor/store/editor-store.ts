/** The state of one open editor: the document, its history, what is chosen and how the draft is saved. */
import { createStore, type StoreApi } from "zustand";
import type { GraphDocument, Issue } from "@/graph/graph";
import type { Edit } from "@/graph/edit";
import { apply } from "@/graph/edit";
import { EMPTY_HISTORY, record, redo, undo, type History } from "@/graph/history";
import type { Kinds } from "@/graph/kinds";
import type { Workflow } from "@/api/types";

export interface Conflict {
  revision: number;
  document: GraphDocument;
  updatedAt: string | null;
  updatedBy: string | null;
}

export type SaveStatus = "saved" | "dirty" | "saving" | "offline" | "conflict" | "refused";

export interface SaveState {
  status: SaveStatus;
  /** When the draft was last saved; null before the first save here. */
  at: number | null;
  detail: string;
  conflict: Conflict | null;
}

/** A wish to bring a node, and perhaps one of its settings, before the reader's eyes. */
export interface Jump {
  nodeId: string;
  field: string | null;
  token: number;
}

export interface EditOptions {
  label: string;
  /** Edits of one key made in one go are one step of undo. */
  mergeKey?: string;
}

export interface EditorState {
  workflowId: string;
  kinds: Kinds;
  document: GraphDocument;
  revision: number;
  latestVersion: number | null;
  draftChanged: boolean;
  history: History;
  issues: readonly Issue[];
  selectedNodes: readonly string[];
  selectedEdges: readonly string[];
  jump: Jump | null;
  save: SaveState;
  edit: (edit: Edit, options: EditOptions) => void;
  undo: () => void;
  redo: () => void;
  select: (nodes: readonly string[], edges?: readonly string[]) => void;
  jumpTo: (nodeId: string, field?: string | null) => void;
  setSave: (save: Partial<SaveState>) => void;
  saved: (workflow: Pick<Workflow, "revision" | "issues" | "latest_version" | "draft_changed">) => void;
  /** Take another document as the base: the server's, after a conflict. */
  rebase: (revision: number) => void;
}

export type EditorStore = StoreApi<EditorState>;

export function createEditorStore(
  workflow: Workflow,
  kinds: Kinds,
  now: () => number = Date.now,
): EditorStore {
  return createStore<EditorState>()((set, get) => ({
    workflowId: workflow.id,
    kinds,
    document: workflow.document,
    revision: workflow.revision,
    latestVersion: workflow.latest_version,
    draftChanged: workflow.draft_changed,
    history: EMPTY_HISTORY,
    issues: workflow.issues,
    selectedNodes: [],
    selectedEdges: [],
    jump: null,
    save: { status: "saved", at: Date.parse(workflow.updated_at) || null, detail: "", conflict: null },
    edit: (edit, { label, mergeKey }) => {
      const { document, inverse } = apply(get().document, edit);
      const entry = { label, redo: edit, undo: inverse, mergeKey: mergeKey ?? null, at: now() };
      set((state) => ({ ...changed(state, document), history: record(state.history, entry) }));
    },
    undo: () => set((state) => stepped(state, undo(state.history))),
    redo: () => set((state) => stepped(state, redo(state.history))),
    select: (nodes, edges = []) =>
      set((state) =>
        same(state.selectedNodes, nodes) && same(state.selectedEdges, edges)
          ? state
          : { selectedNodes: nodes, selectedEdges: edges },
      ),
    jumpTo: (nodeId, field = null) =>
      set((state) => ({
        selectedNodes: [nodeId],
        selectedEdges: [],
        jump: { nodeId, field, token: (state.jump?.token ?? 0) + 1 },
      })),
    setSave: (save) => set((state) => ({ save: { ...state.save, ...save } })),
    saved: (workflow) =>
      set({
        revision: workflow.revision,
        issues: workflow.issues,
        latestVersion: workflow.latest_version,
        draftChanged: workflow.draft_changed,
      }),
    rebase: (revision) => set({ revision }),
  }));
}

function changed(state: EditorState, document: GraphDocument): Partial<EditorState> {
  const ids = new Set(document.nodes.map((node) => node.id));
  const selectedNodes = state.selectedNodes.filter((id) => ids.has(id));
  const status = state.save.status === "conflict" ? "conflict" : "dirty";
  return {
    document,
    selectedNodes: selectedNodes.length === state.selectedNodes.length ? state.selectedNodes : selectedNodes,
    save: { ...state.save, status },
  };
}

function stepped(state: EditorState, step: ReturnType<typeof undo>): Partial<EditorState> {
  if (!step) return {};
  return { ...changed(state, apply(state.document, step.edit).document), history: step.history };
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
