/** Places without ELK: rows by the longest way from a start, and free places beside what is there. */

import { LEAST_CONTAINER, NODE_HEIGHT, NODE_WIDTH, PADDING } from "./boxes";
import type { Box, Size } from "./boxes";
import { edgeSource, edgeTarget } from "./graph";
import type { GraphDocument, GraphNode, Point } from "./graph";
import type { Kinds } from "./kinds";
import { childrenOf, isContainer } from "./nesting";

export const GRID = 8;
export const ROW_GAP = 32;
export const SIBLING_GAP = 16;
const MOST_IN_LINE = 24;
const CARD: Size = { width: NODE_WIDTH, height: NODE_HEIGHT };

export function snap(value: number): number {
  return Math.round(value / GRID) * GRID;
}

/** Places by rows, long ones in several lines: for graphs too large for ELK, and while it thinks. */
export function rowLayout(document: GraphDocument, kinds: Kinds): Record<string, Point> {
  const places: Record<string, Point> = {};
  placeLevel(document, kinds, undefined, places);
  return places;
}

/** Place what stands in a container, or at the top; gives the size that it takes. */
function placeLevel(
  document: GraphDocument,
  kinds: Kinds,
  parent: string | undefined,
  places: Record<string, Point>,
): Size {
  const nodes = childrenOf(document, parent);
  const sizes = new Map(nodes.map((node) => [node.id, sizeOf(document, kinds, node, places)]));
  const lines = linesOf(document, nodes).map((ids) => lineOf(ids, sizes));
  const width = Math.max(0, ...lines.map((line) => line.width));
  const origin = parent === undefined ? { x: -width / 2, y: 0 } : { x: PADDING.side, y: PADDING.top };
  let y = origin.y;
  for (const line of lines) {
    let x = origin.x + (width - line.width) / 2;
    for (const id of line.ids) {
      places[id] = { x: snap(x), y };
      x += (sizes.get(id) ?? CARD).width + SIBLING_GAP;
    }
    y += line.height + ROW_GAP;
  }
  return { width: width + 2 * PADDING.side, height: y - ROW_GAP + PADDING.bottom };
}

function sizeOf(document: GraphDocument, kinds: Kinds, node: GraphNode, places: Record<string, Point>): Size {
  if (childrenOf(document, node.id).length) return placeLevel(document, kinds, node.id, places);
  return isContainer(document, kinds, node) ? LEAST_CONTAINER : CARD;
}

function lineOf(ids: readonly string[], sizes: ReadonlyMap<string, Size>) {
  const held = ids.map((id) => sizes.get(id) ?? CARD);
  const width = held.reduce((sum, size) => sum + size.width + SIBLING_GAP, -SIBLING_GAP);
  return { ids, width, height: Math.max(...held.map((size) => size.height)) };
}

function linesOf(document: GraphDocument, nodes: readonly GraphNode[]): string[][] {
  const rank = ranks(document, nodes);
  const rows: string[][] = [];
  for (const node of nodes) (rows[rank.get(node.id) ?? 0] ??= []).push(node.id);
  return rows.flatMap((row) =>
    Array.from({ length: Math.ceil(row.length / MOST_IN_LINE) }, (_, index) =>
      row.slice(index * MOST_IN_LINE, (index + 1) * MOST_IN_LINE),
    ),
  );
}

function ranks(document: GraphDocument, nodes: readonly GraphNode[]): Map<string, number> {
  const rank = new Map(nodes.map((node) => [node.id, 0]));
  for (let round = 0, changed = true; changed && round < nodes.length; round += 1) {
    changed = false;
    for (const edge of document.edges) {
      const needed = (rank.get(edgeSource(edge).node) ?? -1) + 1;
      const target = edgeTarget(edge).node;
      if ((rank.get(target) ?? Infinity) < needed) {
        rank.set(target, needed);
        changed = true;
      }
    }
  }
  return rank;
}

/** A free place near a wished one: to the right, a card at a time, until nothing is hit. */
export function freePlace(taken: readonly Box[], wish: Point, size: Size = CARD): Point {
  let spot = { x: snap(wish.x), y: snap(wish.y) };
  for (let hit = hitBy(taken, spot, size); hit; hit = hitBy(taken, spot, size))
    spot = { x: snap(hit.x + hit.width + SIBLING_GAP), y: spot.y };
  return spot;
}

function hitBy(taken: readonly Box[], { x, y }: Point, { width, height }: Size): Box | undefined {
  return taken.find(
    (box) => x < box.x + box.width && box.x < x + width && y < box.y + box.height && box.y < y + height,
  );
}
