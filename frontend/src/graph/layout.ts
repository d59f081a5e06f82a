/** Tidy: places for all nodes by the layered algorithm of ELK, with the figures of the visual language. */

import { LEAST_CONTAINER, NODE_HEIGHT, NODE_WIDTH, PADDING } from "./boxes";
import { edgeSource, edgeTarget } from "./graph";
import type { GraphDocument, GraphNode, Point } from "./graph";
import type { Kinds } from "./kinds";
import { childrenOf, isContainer } from "./nesting";
import { inPorts, outPorts } from "./ports";
import { ROW_GAP, SIBLING_GAP, snap } from "./rows";

const CARD = { width: NODE_WIDTH, height: NODE_HEIGHT };

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
  return readPositions(await engine.layout(toElk(document, kinds)), true);
}

export function toElk(document: GraphDocument, kinds: Kinds): ElkNode {
  const down = (document.ui?.direction ?? "down") === "down";
  return { id: "graph", layoutOptions: layoutOptions(down), ...levelOf(document, kinds, undefined, down) };
}

/** What stands side by side: at the top, or in one container. */
function levelOf(
  document: GraphDocument,
  kinds: Kinds,
  parent: string | undefined,
  down: boolean,
): Pick<ElkNode, "children" | "edges"> {
  const nodes = childrenOf(document, parent);
  const here = new Set(nodes.map((node) => node.id));
  const edges = document.edges.filter(
    (edge) => here.has(edgeSource(edge).node) && here.has(edgeTarget(edge).node),
  );
  return {
    children: nodes.map((node) => elkNode(document, kinds, node, down)),
    edges: edges.map((edge, index) => ({
      id: `${parent ?? ""}/e${String(index)}`,
      sources: [portOrNode(document, kinds, edgeSource(edge), "out")],
      targets: [portOrNode(document, kinds, edgeTarget(edge), "in")],
    })),
  };
}

function elkNode(document: GraphDocument, kinds: Kinds, node: GraphNode, down: boolean): ElkNode {
  const ports = [
    ...inPorts(node, kinds).map((port, index) =>
      elkPort(`${node.id}/in/${port}`, down ? "NORTH" : "WEST", index),
    ),
    ...outPorts(node, kinds).map((port, index) =>
      elkPort(`${node.id}/out/${port}`, down ? "SOUTH" : "EAST", -index),
    ),
  ];
  const common = { id: node.id, ports };
  if (!childrenOf(document, node.id).length) {
    const size = isContainer(document, kinds, node) ? LEAST_CONTAINER : CARD;
    return { ...common, ...size, layoutOptions: { "elk.portConstraints": "FIXED_ORDER" } };
  }
  return {
    ...common,
    ...levelOf(document, kinds, node.id, down),
    layoutOptions: { ...layoutOptions(down), ...CONTAINER_OPTIONS },
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

const CONTAINER_OPTIONS: Record<string, string> = {
  "elk.portConstraints": "FIXED_ORDER",
  "elk.padding": `[top=${PADDING.top},left=${PADDING.side},bottom=${PADDING.bottom},right=${PADDING.side}]`,
  "elk.nodeSize.constraints": "MINIMUM_SIZE",
  "elk.nodeSize.minimum": `(${LEAST_CONTAINER.width},${LEAST_CONTAINER.height})`,
};

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

/** At the top the first column lies at 0; inside a container its padding is the beginning. */
function readPositions(graph: ElkNode, top: boolean): Record<string, Point> {
  const children = graph.children ?? [];
  const left = top ? Math.min(...children.map((child) => child.x ?? 0)) : 0;
  const above = top ? Math.min(...children.map((child) => child.y ?? 0)) : 0;
  const places: Record<string, Point> = {};
  for (const child of children) {
    places[child.id] = { x: snap((child.x ?? 0) - left), y: snap((child.y ?? 0) - above) };
    if (child.children?.length) Object.assign(places, readPositions(child, false));
  }
  return places;
}
