/** What a person can do on the canvas, by button, key or menu: each one edit with its words. */
import { useReactFlow } from "@xyflow/react";
import { useCallback, useMemo } from "react";
import { elkEngine } from "@/components/graph/elk-engine";
import { failed } from "@/components/toasts";
import { copyText, parseFragment, paste } from "@/graph/clipboard";
import {
  addNode,
  addNodeAfter,
  bypassNodes,
  deleteParts,
  insertOnEdge,
  moveNodes,
  setDisabled,
} from "@/graph/commands";
import type { Edit } from "@/graph/edit";
import { findNode, type GraphDocument, type GraphEdge, type Point } from "@/graph/graph";
import type { NodeKind } from "@/graph/kinds";
import { freePlace, NODE_HEIGHT, NODE_WIDTH, snap, tidy } from "@/graph/layout";
import { ERROR_PORT, outPorts } from "@/graph/ports";
import { formatCount } from "@/lib/format";
import { missingPlaces, type Places } from "@/graph/ways";
import { useEditorStore } from "../store/editor-context";

/** Where a new node goes: into an edge, behind a port, or just there. */
export interface AddWhere {
  at: Point | null;
  from?: { node: string; port: string } | undefined;
  edge?: GraphEdge | undefined;
}

export function useCommands(places: Places) {
  const store = useEditorStore();
  const flow = useReactFlow();

  const add = useCallback(
    (kind: NodeKind, where: AddWhere) => {
      const { document, kinds, edit, select } = store.getState();
      const at = freePlace(places, wishedPlace(where, places, flow.screenToFlowPosition(middleOfCanvas())));
      const added = where.edge
        ? insertOnEdge(document, kinds, { kind, at, edge: where.edge })
        : where.from
          ? addNodeAfter(document, kinds, { kind, at, from: where.from })
          : addNode(document, { kind, at });
      edit(withPlaces(document, places, added.edit), { label: `Add ${kind.title}` });
      select([added.id]);
      return added.id;
    },
    [store, flow, places],
  );

  return useMemo(
    () => ({ add, ...selectionCommands(store, places), tidy: () => tidyAll(store) }),
    [add, store, places],
  );
}

export type Commands = ReturnType<typeof useCommands>;

function wishedPlace({ at, from, edge }: AddWhere, places: Places, middle: Point): Point {
  if (at) return at;
  const before = from ? places[from.node] : edge ? places[edge.from.split(":")[0] ?? ""] : undefined;
  if (before) return { x: before.x, y: before.y + NODE_HEIGHT + 32 };
  return { x: snap(middle.x - NODE_WIDTH / 2), y: snap(middle.y - NODE_HEIGHT / 2) };
}

function middleOfCanvas(): Point {
  const box = document.querySelector(".react-flow")?.getBoundingClientRect();
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : { x: 0, y: 0 };
}

function selectionCommands(store: ReturnType<typeof useEditorStore>, places: Places) {
  const state = () => store.getState();
  const pasteText = (text: string, at: Point): boolean => {
    const fragment = parseFragment(text);
    if (!fragment) return false;
    const { edit, ids } = paste(state().document, fragment, { x: snap(at.x), y: snap(at.y) });
    state().edit(withPlaces(state().document, places, edit), {
      label: `Paste ${formatCount(ids.length, "node")}`,
    });
    state().select(ids);
    return true;
  };
  return {
    /** From the palette a node goes behind the chosen one, where that has one way on. */
    behindSelected: (): Pick<AddWhere, "from"> => {
      const { selectedNodes, document, kinds } = state();
      const node = selectedNodes.length === 1 ? findNode(document, selectedNodes[0] ?? "") : undefined;
      const ports = node ? outPorts(node, kinds).filter((port) => port !== ERROR_PORT) : [];
      return node && ports.length === 1 && ports[0] !== undefined
        ? { from: { node: node.id, port: ports[0] } }
        : {};
    },
    copySelected: () => copyText(state().document, state().selectedNodes, { ...places }),
    pasteText,
    duplicate: () => {
      const { selectedNodes, document } = state();
      if (!selectedNodes.length) return;
      const corner = topLeft(selectedNodes.map((id) => places[id] ?? { x: 0, y: 0 }));
      pasteText(copyText(document, selectedNodes, { ...places }), { x: corner.x + 32, y: corner.y + 32 });
    },
    deleteSelected: () => {
      const { selectedNodes, selectedEdges, document, edit } = state();
      const count = selectedNodes.length + selectedEdges.length;
      if (!count) return;
      edit(deleteParts(document, selectedNodes, selectedEdges), {
        label: `Delete ${formatCount(count, "part")}`,
      });
      state().select([]);
    },
    bypassSelected: () => {
      const { selectedNodes, document, kinds, edit } = state();
      if (!selectedNodes.length) return;
      edit(bypassNodes(document, kinds, selectedNodes), { label: "Delete and reconnect" });
      state().select([]);
    },
    toggleDisabled: () => {
      const { selectedNodes, document, edit } = state();
      if (!selectedNodes.length) return;
      const off = selectedNodes.some((id) => findNode(document, id)?.disabled !== true);
      edit(setDisabled(selectedNodes, off), { label: off ? "Switch off" : "Switch on" });
    },
    selectAll: () => state().select(state().document.nodes.map((node) => node.id)),
  };
}

/** An edit that brings placed cards keeps the others where the layout showed them. */
function withPlaces(document: GraphDocument, places: Places, edit: Edit): Edit {
  const missing = missingPlaces(places, document.ui?.nodes);
  return Object.keys(missing).length ? { type: "batch", edits: [moveNodes(missing), edit] } : edit;
}

function topLeft(places: readonly Point[]): Point {
  return { x: Math.min(...places.map((place) => place.x)), y: Math.min(...places.map((place) => place.y)) };
}

async function tidyAll(store: ReturnType<typeof useEditorStore>): Promise<void> {
  const { document, kinds } = store.getState();
  try {
    const positions = await tidy(document, kinds, elkEngine());
    store.getState().edit(moveNodes(positions), { label: "Tidy" });
  } catch (error) {
    failed("The graph could not be laid out", error);
  }
}
