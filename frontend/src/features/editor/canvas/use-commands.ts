/** What a person can do on the canvas, by button, key or menu: each one edit with its words. */
import { useReactFlow } from "@xyflow/react";
import { useCallback, useMemo } from "react";
import { elkEngine } from "@/components/graph/elk-engine";
import { failed } from "@/components/toasts";
import { boxesIn, LEAST_CONTAINER, type Places } from "@/graph/boxes";
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
import { tidy } from "@/graph/layout";
import { isContainer, parentOf, placeReason } from "@/graph/nesting";
import { ERROR_PORT, outPorts } from "@/graph/ports";
import { freePlace, snap } from "@/graph/rows";
import { spotFor } from "@/graph/spot";
import { formatCount } from "@/lib/format";
import { missingPlaces } from "@/graph/ways";
import { useEditorStore } from "../store/editor-context";

/** Where a new node goes: into a container, into an edge, behind a port, or just there. */
export interface AddWhere {
  /** A point of the canvas. */
  at: Point | null;
  inside?: string | undefined;
  from?: { node: string; port: string } | undefined;
  edge?: GraphEdge | undefined;
}

export function useCommands(places: Places) {
  const store = useEditorStore();
  const flow = useReactFlow();

  const add = useCallback(
    (kind: NodeKind, where: AddWhere) => {
      const { document, kinds, edit, select } = store.getState();
      const spot = spotFor({ document, kinds, places }, where, () =>
        flow.screenToFlowPosition(middleOfCanvas()),
      );
      const reason = placeReason(document, kinds, kind.kind, spot.parent);
      if (reason !== null) {
        failed("It cannot go there", new Error(reason));
        return;
      }
      const beside = boxesIn(document, kinds, places, spot.parent);
      const at = freePlace(beside, spot.at, kind.container === null ? undefined : LEAST_CONTAINER);
      const added = where.edge
        ? insertOnEdge(document, kinds, { kind, at, edge: where.edge })
        : where.from
          ? addNodeAfter(document, kinds, { kind, at, from: where.from })
          : addNode(document, { kind, at, parent: spot.parent });
      edit(withPlaces(document, places, added.edit), { label: `Add ${kind.title}` });
      select([added.id]);
    },
    [store, flow, places],
  );

  return useMemo(
    () => ({ add, ...selectionCommands(store, places), tidy: () => tidyAll(store) }),
    [add, store, places],
  );
}

export type Commands = ReturnType<typeof useCommands>;

function middleOfCanvas(): Point {
  const box = document.querySelector(".react-flow")?.getBoundingClientRect();
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : { x: 0, y: 0 };
}

function selectionCommands(store: ReturnType<typeof useEditorStore>, places: Places) {
  const state = () => store.getState();
  const pasteText = (text: string, at: Point, parent?: string): boolean => {
    const fragment = parseFragment(text);
    if (!fragment) return false;
    const { edit, ids } = paste(state().document, fragment, { x: snap(at.x), y: snap(at.y) }, parent);
    state().edit(withPlaces(state().document, places, edit), {
      label: `Paste ${formatCount(ids.length, "node")}`,
    });
    state().select(ids);
    return true;
  };
  return {
    /** From the palette a node goes into the chosen container, or behind the chosen node, where that has one way on. */
    atSelected: (): Pick<AddWhere, "from" | "inside"> => {
      const { selectedNodes, document, kinds } = state();
      const node = selectedNodes.length === 1 ? findNode(document, selectedNodes[0] ?? "") : undefined;
      if (node && isContainer(document, kinds, node)) return { inside: node.id };
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
      const parents = new Set(selectedNodes.map((id) => parentOf(document, id)));
      const [parent] = parents.size === 1 ? parents : [undefined];
      const corner = topLeft(selectedNodes.map((id) => places[id] ?? { x: 0, y: 0 }));
      pasteText(
        copyText(document, selectedNodes, { ...places }),
        { x: corner.x + 32, y: corner.y + 32 },
        parent,
      );
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
