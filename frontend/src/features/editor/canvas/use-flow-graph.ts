/** The document as React Flow draws it, and React Flow's changes as edits of the document. */
import type { EdgeChange, NodeChange } from "@xyflow/react";
import { useMemo, useState } from "react";
import { edgeCache, nodeCache } from "@/components/graph/flow-cache";
import type { CardNode, ThreadEdge } from "@/components/graph/types";
import { moveNodes } from "@/graph/commands";
import { toCards, toThreads } from "@/graph/flow";
import type { Point } from "@/graph/graph";
import { missingPlaces, waysOf, type Places } from "@/graph/ways";
import { useEditor, useEditorStore } from "../store/editor-context";

const NO_DRAG: Places = {};

export function useFlowGraph(places: Places) {
  const [dragged, setDragged] = useState<Places>(NO_DRAG);
  const nodes = useNodes(places, dragged);
  const edges = useEdges(places, dragged);
  const onNodesChange = useNodeChanges(places, setDragged);
  const onEdgesChange = useEdgeChanges();
  return { nodes, edges, onNodesChange, onEdgesChange };
}

function useNodes(places: Places, dragged: Places): CardNode[] {
  const document = useEditor((state) => state.document);
  const kinds = useEditor((state) => state.kinds);
  const issues = useEditor((state) => state.issues);
  const selected = useEditor((state) => state.selectedNodes);
  const [project] = useState(nodeCache);
  const cards = useMemo(() => toCards(document, kinds, issues), [document, kinds, issues]);
  const direction = document.ui?.direction ?? "down";
  return useMemo(() => {
    const chosen = new Set(selected);
    return project(
      cards.map((card) => ({
        card,
        run: null,
        place: dragged[card.id] ?? places[card.id] ?? { x: 0, y: 0 },
        selected: chosen.has(card.id),
        dragging: card.id in dragged,
        direction,
        draggable: true,
      })),
    );
  }, [cards, dragged, places, selected, direction, project]);
}

function useEdges(places: Places, dragged: Places): ThreadEdge[] {
  const document = useEditor((state) => state.document);
  const kinds = useEditor((state) => state.kinds);
  const selectedNodes = useEditor((state) => state.selectedNodes);
  const selectedEdges = useEditor((state) => state.selectedEdges);
  const [project] = useState(edgeCache);
  const threads = useMemo(() => toThreads(document, kinds), [document, kinds]);
  const ways = useMemo(
    () =>
      waysOf(
        toCards(document, kinds, []),
        threads,
        { ...places, ...dragged },
        document.ui?.direction ?? "down",
      ),
    [document, kinds, threads, places, dragged],
  );
  return useMemo(() => {
    const nodes = new Set(selectedNodes);
    const edges = new Set(selectedEdges);
    return project(
      threads.map((thread) => ({
        thread,
        selected: edges.has(thread.id),
        data: {
          points: ways.get(thread.id) ?? [],
          label: thread.label,
          state: thread.sourcePort === "error" ? "error" : "idle",
          hot: nodes.has(thread.source) || nodes.has(thread.target),
        },
      })),
    );
  }, [threads, ways, selectedNodes, selectedEdges, project]);
}

function useNodeChanges(places: Places, setDragged: (change: (before: Places) => Places) => void) {
  const store = useEditorStore();
  return (changes: NodeChange<CardNode>[]) => {
    applySelection(changes, store.getState().selectedNodes, (nodes) =>
      store.getState().select(nodes, store.getState().selectedEdges),
    );
    const going: Record<string, Point> = {};
    const landed: Record<string, Point> = {};
    for (const change of changes) {
      if (change.type !== "position" || !change.position) continue;
      (change.dragging === true ? going : landed)[change.id] = change.position;
    }
    if (Object.keys(going).length) setDragged((before) => ({ ...before, ...going }));
    const moved = Object.fromEntries(
      Object.entries(landed).filter(([id, to]) => isElsewhere(places[id], to)),
    );
    if (Object.keys(moved).length) {
      const all = { ...missingPlaces(places, store.getState().document.ui?.nodes), ...moved };
      store
        .getState()
        .edit(moveNodes(all), { label: "Move", mergeKey: `move ${Object.keys(moved).join(" ")}` });
    }
    if (Object.keys(landed).length) setDragged(() => NO_DRAG);
  };
}

function isElsewhere(before: Point | undefined, after: Point): boolean {
  return before?.x !== after.x || before.y !== after.y;
}

function useEdgeChanges() {
  const store = useEditorStore();
  return (changes: EdgeChange<ThreadEdge>[]) =>
    applySelection(changes, store.getState().selectedEdges, (edges) =>
      store.getState().select(store.getState().selectedNodes, edges),
    );
}

function applySelection(
  changes: readonly { type: string; id?: string; selected?: boolean }[],
  before: readonly string[],
  select: (ids: string[]) => void,
): void {
  const picks = changes.filter((change) => change.type === "select");
  if (!picks.length) return;
  const chosen = new Set(before);
  for (const { id, selected } of picks) {
    if (id === undefined) continue;
    if (selected === true) chosen.add(id);
    else chosen.delete(id);
  }
  select([...chosen]);
}
