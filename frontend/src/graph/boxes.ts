/** How large each card and container is, and where it lies on the canvas. */

import type { GraphDocument, Point } from "./graph";
import type { Kinds } from "./kinds";
import { childrenOf, inDepthOrder, isContainer, parentOf } from "./nesting";

export const NODE_WIDTH = 176;
export const NODE_HEIGHT = 48;
/** Room in a container around what it holds: its head with the strip below it, and its sides. */
export const PADDING = { top: 72, side: 24, bottom: 16 };
export const LEAST_CONTAINER = {
  width: NODE_WIDTH + 2 * PADDING.side,
  height: PADDING.top + NODE_HEIGHT + PADDING.bottom,
};

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Point, Size {}

export type Places = Readonly<Record<string, Point>>;
export type Boxes = ReadonlyMap<string, Box>;

const CARD: Size = { width: NODE_WIDTH, height: NODE_HEIGHT };

/** Sizes of all nodes: containers are as large as what they hold needs. */
export function sizesOf(document: GraphDocument, kinds: Kinds, places: Places): Map<string, Size> {
  const sizes = new Map<string, Size>();
  for (const node of inDepthOrder(document).reverse()) {
    sizes.set(node.id, isContainer(document, kinds, node) ? around(document, node.id, places, sizes) : CARD);
  }
  return sizes;
}

function around(document: GraphDocument, id: string, places: Places, sizes: ReadonlyMap<string, Size>): Size {
  let { width, height } = LEAST_CONTAINER;
  for (const child of childrenOf(document, id)) {
    const place = places[child.id];
    const size = sizes.get(child.id) ?? CARD;
    if (!place) continue;
    width = Math.max(width, place.x + size.width + PADDING.side);
    height = Math.max(height, place.y + size.height + PADDING.bottom);
  }
  return { width, height };
}

/** The boxes of all nodes that have a place, measured from the corner of the canvas. */
export function boxesOf(document: GraphDocument, kinds: Kinds, places: Places): Boxes {
  const sizes = sizesOf(document, kinds, places);
  const boxes = new Map<string, Box>();
  for (const node of inDepthOrder(document)) {
    const place = places[node.id];
    const parent = parentOf(document, node.id);
    const origin = parent === undefined ? undefined : boxes.get(parent);
    if (!place) continue;
    boxes.set(node.id, {
      x: (origin?.x ?? 0) + place.x,
      y: (origin?.y ?? 0) + place.y,
      ...(sizes.get(node.id) ?? CARD),
    });
  }
  return boxes;
}

/** The innermost container at a point, those in `except` left out; undefined is the open canvas. */
export function containerAt(
  document: GraphDocument,
  kinds: Kinds,
  boxes: Boxes,
  point: Point,
  except: ReadonlySet<string> = new Set(),
): string | undefined {
  let found: string | undefined;
  for (const node of inDepthOrder(document)) {
    const box = boxes.get(node.id);
    if (!box || except.has(node.id) || !isContainer(document, kinds, node)) continue;
    if (contains(box, point)) found = node.id;
  }
  return found;
}

function contains(box: Box, { x, y }: Point): boolean {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

/** A point of the canvas, measured from the corner of a container and kept off its head and sides. */
export function pointInside(boxes: Boxes, parent: string | undefined, point: Point): Point {
  const box = parent === undefined ? undefined : boxes.get(parent);
  if (!box) return point;
  return { x: Math.max(PADDING.side, point.x - box.x), y: Math.max(PADDING.top, point.y - box.y) };
}

/** The boxes of what stands in a container, or at the top, measured from its corner. */
export function boxesIn(
  document: GraphDocument,
  kinds: Kinds,
  places: Places,
  parent: string | undefined,
): Box[] {
  const sizes = sizesOf(document, kinds, places);
  return childrenOf(document, parent).flatMap((node) => {
    const place = places[node.id];
    return place ? [{ ...place, ...(sizes.get(node.id) ?? CARD) }] : [];
  });
}
