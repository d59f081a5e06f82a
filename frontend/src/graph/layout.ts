/** Tidy: places for all nodes by the layered algorithm of ELK, with the figures of the visual language. */

import { edgeSource, edgeTarget } from "./graph";
import type { GraphDocument, Point } from "./graph";
import type { Kinds } from "./kinds";
import { inPorts, outPorts } from "./ports";

export const NODE_WIDTH = 176;
export const NODE_HEIGHT = 48;
export const GRID = 8;
const ROW_GAP = 32;
const SIBLING_GAP = 16;

interface ElkPort {
  id: string;
  width: number;
  height: number;
  layoutOptions: Record<string, string>;
}

export interface ElkNode {
  id: string;
  width?: number;
  height?: number;
  x?: number;
  y?: number;
  ports?: ElkPort[];
  children?: ElkNode[];
  edges?: { id: string; sources: string[]; targets: string[] }[];
  layoutOptions?: Record<string, string>;
}

/** Whatever computes an ELK layout: the worker in the browser, the library itself in tests. */
export interface LayoutEngine {
  layout(graph: ElkNode): Promise<ElkNode>;
}

/** Compute places for all nodes; the first node's column lies at x = 0. */
export async function tidy(
  document: GraphDocument,
  kinds: Kinds,
  engine: LayoutEngine,
): Promise<Record<string, Point>> {
  if (!document.nodes.length) return {};
  return readPositions(await engine.layout(toElk(document, kinds)));
}

export function toElk(document: GraphDocument, kinds: Kinds): ElkNode {
  const down = (document.ui?.direction ?? "down") === "down";
  const known = new Set(document.nodes.map((node) => node.id));
  const edges = document.edges.filter(
    (edge) => known.has(edgeSource(edge).node) && known.has(edgeTarget(edge).node),
  );
  return {
    id: "graph",
    layoutOptions: layoutOptions(down),
    children: document.nodes.map((node) => ({
      id: node.id,
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
      layoutOptions: { "elk.portConstraints": "FIXED_ORDER" },
      ports: [
        ...inPorts(node, kinds).map((port, index) =>
          elkPort(`${node.id}/in/${port}`, down ? "NORTH" : "WEST", index),
        ),
        ...outPorts(node, kinds).map((port, index) =>
          elkPort(`${node.id}/out/${port}`, down ? "SOUTH" : "EAST", -index),
        ),
      ],
    })),
    edges: edges.map((edge, index) => ({
      id: `e${String(index)}`,
      sources: [portOrNode(document, kinds, edgeSource(edge), "out")],
      targets: [portOrNode(document, kinds, edgeTarget(edge), "in")],
    })),
  };
}

function layoutOptions(down: boolean): Record<string, string> {
  return {
    "elk.algorithm": "layered",
    "elk.direction": down ? "DOWN" : "RIGHT",
    "elk.spacing.nodeNode": String(SIBLING_GAP),
    "elk.spacing.edgeNode": String(SIBLING_GAP),
    "elk.layered.spacing.nodeNodeBetweenLayers": String(ROW_GAP),
    "elk.layered.spacing.edgeNodeBetweenLayers": "12",
    "elk.layered.spacing.edgeEdgeBetweenLayers": "0",
    "elk.layered.mergeEdges": "true",
    "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
    "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
    "elk.layered.nodePlacement.bk.fixedAlignment": "BALANCED",
    "elk.layered.crossingMinimization.forceNodeModelOrder": "false",
    "elk.edgeRouting": "ORTHOGONAL",
    "elk.separateConnectedComponents": "true",
    "elk.spacing.componentComponent": "48",
  };
}

function elkPort(id: string, side: string, index: number): ElkPort {
  return {
    id,
    width: 1,
    height: 1,
    layoutOptions: { "elk.port.side": side, "elk.port.index": String(index) },
  };
}

function portOrNode(
  document: GraphDocument,
  kinds: Kinds,
  end: { node: string; port: string },
  side: "in" | "out",
): string {
  const node = document.nodes.find((candidate) => candidate.id === end.node);
  if (!node) return end.node;
  const ports = side === "in" ? inPorts(node, kinds) : outPorts(node, kinds);
  return ports.includes(end.port) ? `${end.node}/${side}/${end.port}` : end.node;
}

function readPositions(graph: ElkNode): Record<string, Point> {
  const children = graph.children ?? [];
  const left = Math.min(...children.map((child) => child.x ?? 0));
  const top = Math.min(...children.map((child) => child.y ?? 0));
  return Object.fromEntries(
    children.map((child) => [child.id, { x: snap((child.x ?? 0) - left), y: snap((child.y ?? 0) - top) }]),
  );
}

export function snap(value: number): number {
  return Math.round(value / GRID) * GRID;
}

const MOST_IN_LINE = 24;

/** Places by the longest way from a start, long rows in several lines: for graphs too large for ELK, and while it thinks. */
export function rowLayout(document: GraphDocument): Record<string, Point> {
  const places: Record<string, Point> = {};
  let line = 0;
  for (const row of rowsOf(document)) {
    for (let start = 0; start < row.length; start += MOST_IN_LINE) {
      const ids = row.slice(start, start + MOST_IN_LINE);
      const y = line * (NODE_HEIGHT + ROW_GAP);
      ids.forEach((id, index) => {
        places[id] = { x: snap((index - (ids.length - 1) / 2) * (NODE_WIDTH + SIBLING_GAP)), y };
      });
      line += 1;
    }
  }
  return places;
}

function rowsOf(document: GraphDocument): string[][] {
  const rank = ranks(document);
  const rows: string[][] = [];
  for (const node of document.nodes) (rows[rank.get(node.id) ?? 0] ??= []).push(node.id);
  return rows.filter((row) => row.length > 0);
}

function ranks(document: GraphDocument): Map<string, number> {
  const rank = new Map(document.nodes.map((node) => [node.id, 0]));
  for (let round = 0, changed = true; changed && round < document.nodes.length; round += 1) {
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

/** A free place near a wished one: down a row at a time until no card is hit. */
export function freePlace(places: Readonly<Record<string, Point>>, wish: Point): Point {
  const taken = Object.values(places);
  let spot = { x: snap(wish.x), y: snap(wish.y) };
  while (taken.some((place) => overlaps(place, spot)))
    spot = { x: spot.x + NODE_WIDTH + SIBLING_GAP, y: spot.y };
  return spot;
}

function overlaps(left: Point, right: Point): boolean {
  return Math.abs(left.x - right.x) < NODE_WIDTH && Math.abs(left.y - right.y) < NODE_HEIGHT;
}
