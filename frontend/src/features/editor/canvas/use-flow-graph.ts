/** The document as React Flow draws it, and React Flow's changes as edits of the document. */
import { useReactFlow, type EdgeChange, type NodeChange } from "@xyflow/react";
import { useMemo, useState } from "react";
import { edgeCache, nodeCache } from "@/components/graph/flow-cache";
import type { CardNode, ThreadEdge } from "@/components/graph/types";
import { undoable } from "@/components/toasts";
import { boxesOf, type Box, type Boxes, type Places } from "@/graph/boxes";
import { batch, moveNodes } from "@/graph/commands";
import { dropNodes } from "@/graph/drop";
import { toCards, toThreads } from "@/graph/flow";
import type { Point } from "@/graph/graph";
import { missingPlaces, waysOf } from "@/graph/ways";
import { formatCount } from "@/lib/format";
import { useEditor, useEditorStore } from "../store/editor-context";

const NO_DRAG: Places = {};

interface FlowGraphOptions {
  places: Places;
  boxes: Boxes;
  /** Says why cards may not stand where they were dropped. */
  refuse: (reason: string, at: Point) => void;
}

export function useFlowGraph({ places, boxes, refuse }: FlowGraphOptions) {
  const [dragged, setDragged] = useState<Places>(NO_DRAG);
  const moving = useMovingBoxes(places, boxes, dragged);
  const nodes = useNodes(places, boxes, dragged);
  const edges = useEdges(moving);
  const onNodesChange = useNodeChanges({ places, boxes, refuse }, setDragged);
  const onEdgesChange = useEdgeChanges();
  return { nodes, edges, onNodesChange, onEdgesChange };
}

/** Where everything is while cards are dragged: they move, and containers keep their size until the drop. */
function useMovingBoxes(places: Places, boxes: Boxes, dragged: Places): Boxes {
  const document = useEditor((state) => state.document);
  const kinds = useEditor((state) => state.kinds);
  return useMemo(() => {
    if (dragged === NO_DRAG) return boxes;
    const moved = boxesOf(document, kinds, { ...places, ...dragged });
    return new Map([...moved].map(([id, box]) => [id, { ...box, ...sizeOf(boxes.get(id)) }]));
  }, [document, kinds, places, boxes, dragged]);
}

function sizeOf(box: Box | undefined) {
  return box ? { width: box.width, height: box.height } : {};
}

function useNodes(places: Places, boxes: Boxes, dragged: Places): CardNode[] {
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
        box: boxes.get(card.id),
        selected: chosen.has(card.id),
        dragging: card.id in dragged,
        direction,
        draggable: true,
      })),
    );
  }, [cards, dragged, places, boxes, selected, direction, project]);
}

function useEdges(boxes: Boxes): ThreadEdge[] {
  const document = useEditor((state) => state.document);
  const kinds = useEditor((state) => state.kinds);
  const selectedNodes = useEditor((state) => state.selectedNodes);
  const selectedEdges = useEditor((state) => state.selectedEdges);
  const [project] = useState(edgeCache);
  const threads = useMemo(() => toThreads(document, kinds), [document, kinds]);
  const ways = useMemo(
    () => waysOf(toCards(document, kinds, []), threads, boxes, document.ui?.direction ?? "down"),
    [document, kinds, threads, boxes],
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

type Dragging = (change: (before: Places) => Places) => void;

function useNodeChanges({ places, boxes, refuse }: FlowGraphOptions, setDragged: Dragging) {
  const store = useEditorStore();
  const flow = useReactFlow();
  const drop = (landed: Places) => {
    const { document, kinds, edit } = store.getState();
    const dropped = dropNodes(document, kinds, places, landed);
    if (!dropped.ok) {
      const first = boxes.get(Object.keys(landed)[0] ?? "");
      refuse(dropped.reason, flow.flowToScreenPosition(first ?? { x: 0, y: 0 }));
      return;
    }
    const missing = missingPlaces(places, document.ui?.nodes);
    edit(Object.keys(missing).length ? batch([moveNodes(missing), dropped.edit]) : dropped.edit, {
      label: "Move",
      ...(dropped.cut ? {} : { mergeKey: `move ${Object.keys(landed).join(" ")}` }),
    });
    if (dropped.cut)
      undoable(`${formatCount(dropped.cut, "edge")} would have crossed the border`, store.getState().undo);
  };
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
    if (Object.keys(moved).length) drop(moved);
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
