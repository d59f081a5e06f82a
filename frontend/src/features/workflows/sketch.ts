/** A small picture of a graph: its nodes in rows, each below everything it needs. */
import { parseEndpoint, type GraphDocument } from "@/graph/graph";

export interface SketchBox {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Sketch {
  boxes: SketchBox[];
  lines: string[];
}

const width = 216;
const height = 96;
const margin = 8;
const widest = 48;

export function sketch(document: Pick<GraphDocument, "nodes" | "edges">): Sketch {
  const edges = document.edges.map((edge) => ({
    from: parseEndpoint(edge.from, "out").node,
    to: parseEndpoint(edge.to, "in").node,
  }));
  const rows = rowsOf(
    document.nodes.map((node) => node.id),
    edges,
  );
  const boxes = rows.flatMap((row, index) => boxesOf(row, index, rows.length));
  const at = new Map(boxes.map((box) => [box.id, box]));
  const lines = edges.flatMap(({ from, to }) => {
    const source = at.get(from);
    const target = at.get(to);
    return source && target ? [thread(source, target)] : [];
  });
  return { boxes, lines };
}

interface Link {
  from: string;
  to: string;
}

/** The longest way from a start decides a node's row; a circle, which no valid graph has, stops at the last row. */
function rowsOf(ids: readonly string[], edges: readonly Link[]): string[][] {
  const row = new Map(ids.map((id) => [id, 0]));
  let round = 0;
  while (round < ids.length && lower(row, edges)) round += 1;
  const rows: string[][] = [];
  for (const [id, index] of row) (rows[index] ??= []).push(id);
  return rows;
}

/** Moves every node below its sources once; tells whether any moved. */
function lower(row: Map<string, number>, edges: readonly Link[]): boolean {
  let moved = false;
  for (const { from, to } of edges) {
    const least = (row.get(from) ?? 0) + 1;
    if (least > (row.get(to) ?? least) && least < row.size) {
      row.set(to, least);
      moved = true;
    }
  }
  return moved;
}

function boxesOf(ids: readonly string[], row: number, rows: number): SketchBox[] {
  const pitch = (height - 2 * margin) / rows;
  const boxHeight = Math.min(14, pitch * 0.55);
  const room = (width - 2 * margin) / ids.length;
  const boxWidth = Math.min(widest, room * 0.8);
  return ids.map((id, index) => ({
    id,
    x: margin + room * (index + 0.5) - boxWidth / 2,
    y: margin + pitch * (row + 0.5) - boxHeight / 2,
    width: boxWidth,
    height: boxHeight,
  }));
}

function thread(source: SketchBox, target: SketchBox): string {
  const from = { x: source.x + source.width / 2, y: source.y + source.height };
  const to = { x: target.x + target.width / 2, y: target.y };
  const bend = (from.y + to.y) / 2;
  const points = [
    [from.x, from.y],
    [from.x, bend],
    [to.x, bend],
    [to.x, to.y],
  ];
  return `M${points.map(([x = 0, y = 0]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}
