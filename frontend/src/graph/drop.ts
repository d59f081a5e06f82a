/** Cards that were dragged: where they stand now, in which container, and which edges that takes off. */

import { boxesOf, containerAt, NODE_HEIGHT, pointInside } from "./boxes";
import type { Box, Boxes, Places } from "./boxes";
import type { Edit } from "./edit";
import { findNode } from "./graph";
import type { GraphDocument, Point } from "./graph";
import type { Kinds } from "./kinds";
import { crossingKeys, parentOf, placeReason, withInside } from "./nesting";

export type Dropped = { ok: true; edit: Edit; cut: number } | { ok: false; reason: string };

interface Landing {
  id: string;
  parent: string | undefined;
  at: Point;
}

/** Decide what becomes of cards that landed at places measured from the containers they came from. */
export function dropNodes(document: GraphDocument, kinds: Kinds, places: Places, landed: Places): Dropped {
  const boxes = boxesOf(document, kinds, places);
  const landings: Landing[] = [];
  for (const [id, place] of Object.entries(landed)) {
    const landing = land(document, kinds, boxes, id, place);
    const moves = landing.parent !== parentOf(document, id);
    const reason = moves
      ? placeReason(document, kinds, findNode(document, id)?.kind ?? "", landing.parent)
      : null;
    if (reason !== null) return { ok: false, reason };
    landings.push(landing);
  }
  return { ok: true, ...settle(document, landings) };
}

function land(document: GraphDocument, kinds: Kinds, boxes: Boxes, id: string, place: Point): Landing {
  const origin = boxes.get(parentOf(document, id) ?? "");
  const from = { x: (origin?.x ?? 0) + place.x, y: (origin?.y ?? 0) + place.y };
  const parent = containerAt(document, kinds, boxes, grip(from, boxes.get(id)), withInside(document, [id]));
  return { id, parent, at: pointInside(boxes, parent, from) };
}

/** The middle of a card, or of a container's head, decides where it stands. */
function grip(from: Point, box: Box | undefined): Point {
  return { x: from.x + (box?.width ?? 0) / 2, y: from.y + NODE_HEIGHT / 2 };
}

function settle(document: GraphDocument, landings: readonly Landing[]): { edit: Edit; cut: number } {
  const moved = landings.filter(({ id, parent }) => parent !== parentOf(document, id));
  const cut = crossingKeys(document, new Map(moved.map(({ id, parent }) => [id, parent])));
  const edits: Edit[] = [
    ...(cut.length ? [{ type: "remove" as const, nodes: [], edges: cut }] : []),
    ...moved.map(({ id, parent }) => ({ type: "patch-node" as const, id, patch: { parent } })),
    { type: "move", positions: Object.fromEntries(landings.map(({ id, at }) => [id, at])) },
  ];
  return { edit: { type: "batch", edits }, cut: cut.length };
}
