/** Walking the graph by arrow keys: along edges, and between cards of one row. */
import { edgeSource, edgeTarget, type GraphDocument } from "@/graph/graph";
import type { Places } from "@/graph/ways";

export type Arrow = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** The node an arrow leads to, or null where there is none. */
export function walk(document: GraphDocument, places: Places, from: string, arrow: Arrow): string | null {
  if (arrow === "ArrowDown") return nearest(from, successors(document, from), places);
  if (arrow === "ArrowUp") return nearest(from, predecessors(document, from), places);
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
  const row = document.nodes
    .map((node) => ({ id: node.id, place: places[node.id] }))
    .filter(({ id, place }) => id !== from && place && Math.abs(place.y - start.y) < 48)
    .filter(({ place }) => Math.sign((place?.x ?? 0) - start.x) === sign)
    .sort(
      (left, right) => Math.abs((left.place?.x ?? 0) - start.x) - Math.abs((right.place?.x ?? 0) - start.x),
    );
  return row[0]?.id ?? null;
}
