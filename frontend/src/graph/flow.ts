/** The projection of a document that the canvas draws: cards, threads and where their ports lie. */

import { edgeKey, edgeSource, edgeTarget, nodeName } from "./graph";
import type { GraphDocument, GraphEdge, GraphNode, Issue, Point } from "./graph";
import type { Kinds, NodeKind } from "./kinds";
import type { Box } from "./boxes";
import { childrenOf, inDepthOrder, isContainer, parentOf } from "./nesting";
import { inPorts, outPorts } from "./ports";
import { containerAside, summarise } from "./summary";

export interface CardPort {
  name: string;
  /** Where it lies along its side of the card, 0 to 1. */
  at: number;
}

export interface Card {
  id: string;
  name: string;
  kindName: string;
  kindTitle: string;
  icon: string;
  summary: string;
  known: boolean;
  disabled: boolean;
  /** It holds nodes: those of an unknown kind are drawn as a map. */
  container: "map" | "loop" | null;
  /** The container it stands in. */
  parent: string | null;
  /** How many nodes stand directly inside. */
  inside: number;
  /** What a container does at a glance, at the right of its head. */
  aside: string;
  ins: CardPort[];
  outs: CardPort[];
  errors: number;
  warnings: number;
}

export interface Thread {
  id: string;
  edge: GraphEdge;
  source: string;
  sourcePort: string;
  target: string;
  targetPort: string;
  /** The port's name where it says something: at a branch, or on the error path. */
  label: string | null;
}

export function toCards(document: GraphDocument, kinds: Kinds, issues: readonly Issue[]): Card[] {
  const counts = countIssues(issues);
  return inDepthOrder(document).map((node) => toCard(node, document, kinds, counts.get(node.id)));
}

interface Counts {
  errors: number;
  warnings: number;
}

function countIssues(issues: readonly Issue[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const issue of issues) {
    if (issue.node_id === null) continue;
    const held = counts.get(issue.node_id) ?? { errors: 0, warnings: 0 };
    counts.set(issue.node_id, {
      errors: held.errors + (issue.severity === "error" ? 1 : 0),
      warnings: held.warnings + (issue.severity === "error" ? 0 : 1),
    });
  }
  return counts;
}

function toCard(node: GraphNode, document: GraphDocument, kinds: Kinds, counts: Counts | undefined): Card {
  const kind = kinds.get(node.kind);
  return {
    id: node.id,
    name: nodeName(node),
    kindName: node.kind,
    ...look(kind, node, document),
    disabled: node.disabled === true,
    ...nesting(node, document, kinds),
    ins: spread(inPorts(node, kinds)),
    outs: spread(outPorts(node, kinds)),
    errors: counts?.errors ?? 0,
    warnings: counts?.warnings ?? 0,
  };
}

function nesting(node: GraphNode, document: GraphDocument, kinds: Kinds) {
  const container = isContainer(document, kinds, node) ? (kinds.get(node.kind)?.container ?? "map") : null;
  return {
    container,
    parent: parentOf(document, node.id) ?? null,
    inside: childrenOf(document, node.id).length,
    aside: container === null ? "" : containerAside(node, container),
  };
}

function look(kind: NodeKind | undefined, node: GraphNode, document: GraphDocument) {
  if (!kind) return { kindTitle: node.kind, icon: "alert", summary: "unknown kind, data kept", known: false };
  return { kindTitle: kind.title, icon: kind.icon, summary: summarise(node, kind, document), known: true };
}

function spread(names: readonly string[]): CardPort[] {
  return names.map((name, index) => ({ name, at: portAt(index, names.length) }));
}

/** One port sits in the middle, two at a quarter and three quarters, more spread evenly. */
export function portAt(index: number, count: number): number {
  if (count === 2) return index === 0 ? 0.25 : 0.75;
  return (index + 1) / (count + 1);
}

export function toThreads(document: GraphDocument, kinds: Kinds): Thread[] {
  const nodes = new Map(document.nodes.map((node) => [node.id, node]));
  return document.edges.flatMap((edge) => {
    const from = edgeSource(edge);
    const to = edgeTarget(edge);
    const source = nodes.get(from.node);
    if (!source || !nodes.has(to.node)) return [];
    const label = from.port !== "out" || outPorts(source, kinds).length > 1 ? from.port : null;
    return [
      {
        id: edgeKey(edge),
        edge,
        source: from.node,
        sourcePort: from.port,
        target: to.node,
        targetPort: to.port,
        label: label === "out" ? null : label,
      },
    ];
  });
}

/** Where a port lies on the canvas, given its card's place. */
export function portPoint(
  box: Box,
  ports: readonly CardPort[],
  name: string,
  side: "in" | "out",
  down: boolean,
): Point {
  const at = ports.find((port) => port.name === name)?.at ?? 0.5;
  if (down) return { x: box.x + box.width * at, y: side === "in" ? box.y : box.y + box.height };
  return { x: side === "in" ? box.x : box.x + box.width, y: box.y + box.height * at };
}
