/** The wished place of a new node, and the container it goes into. */

import { boxesIn, boxesOf, containerAt, NODE_HEIGHT, NODE_WIDTH, PADDING, pointInside } from "./boxes";
import type { Places } from "./boxes";
import { edgeSource } from "./graph";
import type { GraphDocument, GraphEdge, Point } from "./graph";
import type { Kinds } from "./kinds";
import { parentOf } from "./nesting";
import { ROW_GAP } from "./rows";

interface Graph {
  document: GraphDocument;
  kinds: Kinds;
  places: Places;
}

interface Wish {
  /** A point of the canvas. */
  at: Point | null;
  inside?: string | undefined;
  from?: { node: string } | undefined;
  edge?: GraphEdge | undefined;
}

export interface Spot {
  parent: string | undefined;
  /** Measured from the corner of the container. */
  at: Point;
}

export function spotFor(graph: Graph, wish: Wish, middle: () => Point): Spot {
  const before = wish.from?.node ?? (wish.edge ? edgeSource(wish.edge).node : undefined);
  if (before !== undefined) return besideNode(graph, before, wish.at);
  if (wish.at) return atPoint(graph, wish.at);
  if (wish.inside !== undefined) return belowOthers(graph, wish.inside);
  const { x, y } = middle();
  return { parent: undefined, at: { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 } };
}

/** What follows a node stands in its container: below it, or where the thread was dropped. */
function besideNode({ document, kinds, places }: Graph, id: string, at: Point | null): Spot {
  const parent = parentOf(document, id);
  const boxes = boxesOf(document, kinds, places);
  if (at) return { parent, at: pointInside(boxes, parent, at) };
  const place = places[id] ?? { x: 0, y: 0 };
  return { parent, at: { x: place.x, y: place.y + (boxes.get(id)?.height ?? NODE_HEIGHT) + ROW_GAP } };
}

function atPoint({ document, kinds, places }: Graph, at: Point): Spot {
  const boxes = boxesOf(document, kinds, places);
  const middle = { x: at.x + NODE_WIDTH / 2, y: at.y + NODE_HEIGHT / 2 };
  const parent = containerAt(document, kinds, boxes, middle);
  return { parent, at: pointInside(boxes, parent, at) };
}

function belowOthers({ document, kinds, places }: Graph, parent: string): Spot {
  const bottoms = boxesIn(document, kinds, places, parent).map((box) => box.y + box.height + ROW_GAP);
  return { parent, at: { x: PADDING.side, y: Math.max(PADDING.top, ...bottoms) } };
}
