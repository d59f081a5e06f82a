/** Keeps the objects given to React Flow the same for as long as they say the same, so that only what changed redraws. */
import type { Card, Thread } from "@/graph/flow";
import type { Point } from "@/graph/graph";
import { NODE_HEIGHT, NODE_WIDTH, type Box } from "@/graph/boxes";
import type { CardRun } from "@/run/card";
import type { CardNode, ThreadData, ThreadEdge } from "./types";

export interface NodeParts {
  card: Card;
  run: CardRun | null;
  /** Measured from the corner of its container. */
  place: Point;
  /** What it takes on the canvas. */
  box: Box | undefined;
  selected: boolean;
  dragging: boolean;
  direction: "down" | "right";
  draggable: boolean;
}

const CARD = { width: NODE_WIDTH, height: NODE_HEIGHT };

/** Make a projector that reuses the node of its last call where nothing about it changed. */
export function nodeCache(): (parts: readonly NodeParts[]) => CardNode[] {
  let held = new Map<string, CardNode>();
  return (parts) => {
    const nodes = parts.map((part) => reuse(held.get(part.card.id), toNode(part)));
    held = new Map(nodes.map((node) => [node.id, node]));
    return nodes;
  };
}

function toNode({ card, run, place, box, selected, dragging, direction, draggable }: NodeParts): CardNode {
  const size = box ? { width: box.width, height: box.height } : CARD;
  return {
    id: card.id,
    type: card.container === null ? "card" : "box",
    ...(card.parent === null ? {} : { parentId: card.parent }),
    position: place,
    data: { card, run, direction },
    selected,
    dragging,
    draggable,
    zIndex: run?.stream == null ? 0 : 10,
    ...size,
    measured: size,
    ariaLabel: run ? `${card.name}, ${run.state}` : `${card.name}, ${card.kindTitle}`,
  };
}

const OWN = ["type", "parentId", "selected", "dragging", "draggable", "zIndex", "width", "height"] as const;

function reuse(before: CardNode | undefined, after: CardNode): CardNode {
  if (!before) return after;
  const data = equal(before.data, after.data) ? before.data : after.data;
  const same =
    data === before.data &&
    OWN.every((key) => before[key] === after[key]) &&
    before.position.x === after.position.x &&
    before.position.y === after.position.y;
  return same ? before : { ...after, data };
}

export interface EdgeParts {
  thread: Thread;
  data: ThreadData;
  selected: boolean;
}

export function edgeCache(): (parts: readonly EdgeParts[]) => ThreadEdge[] {
  let held = new Map<string, ThreadEdge>();
  return (parts) => {
    const edges = parts.map((part) => {
      const before = held.get(part.thread.id);
      const after = toEdge(part);
      return before && equal(before, after) ? before : after;
    });
    held = new Map(edges.map((edge) => [edge.id, edge]));
    return edges;
  };
}

function toEdge({ thread, data, selected }: EdgeParts): ThreadEdge {
  return {
    id: thread.id,
    type: "thread",
    source: thread.source,
    sourceHandle: thread.sourcePort,
    target: thread.target,
    targetHandle: thread.targetPort,
    data,
    selected,
  };
}

function equal(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
