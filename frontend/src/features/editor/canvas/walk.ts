/** Walking the graph by arrow keys: along edges, and between cards of one row. */
import type { Places } from "@/graph/boxes";
import { edgeSource, edgeTarget, type GraphDocument } from "@/graph/graph";
import { childrenOf, parentOf } from "@/graph/nesting";

export type Arrow = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** The node an arrow leads to, or null where there is none; from a container's ends it leads in and out. */
export function walk(document: GraphDocument, places: Places, from: string, arrow: Arrow): string | null {
  if (arrow === "ArrowDown")
    return nearest(from, successors(document, from), places) ?? firstInside(document, places, from);
  if (arrow === "ArrowUp")
    return nearest(from, predecessors(document, from), places) ?? parentOf(document, from) ?? null;
  return beside(document, places, from, arrow === "ArrowRight" ? 1 : -1);
}

function successors(document: GraphDocument, id: string): string[] {
  return document.edges.filter((edge) => edgeSource(edge).node === id).map((edge) => edgeTarget(edge).node);
}

function predecessors(document: GraphDocument, id: string): string[] {
  return document.edges.filter((edge) => edgeTarget(edge).node === id).map((edge) => edgeSource(edge).node);
}

function nearest(from: string, ids: readonly string[], places: Places): string | null {
  const start = places[from]?.x ?? 0;
  const away = (id: string) => Math.abs((places[id]?.x ?? 0) - start);
  return [...ids].sort((left, right) => away(left) - away(right))[0] ?? null;
}

function beside(document: GraphDocument, places: Places, from: string, sign: 1 | -1): string | null {
  const start = places[from];
  if (!start) return null;
  const row = childrenOf(document, parentOf(document, from))
    .map((node) => ({ id: node.id, place: places[node.id] }))
    .filter(({ id, place }) => id !== from && place && Math.abs(place.y - start.y) < 48)
    .filter(({ place }) => Math.sign((place?.x ?? 0) - start.x) === sign)
    .sort(
      (left, right) => Math.abs((left.place?.x ?? 0) - start.x) - Math.abs((right.place?.x ?? 0) - start.x),
    );
  return row[0]?.id ?? null;
}

function firstInside(document: GraphDocument, places: Places, id: string): string | null {
  const heights = childrenOf(document, id).map((node) => ({ id: node.id, y: places[node.id]?.y ?? 0 }));
  return heights.sort((left, right) => left.y - right.y)[0]?.id ?? null;
}
