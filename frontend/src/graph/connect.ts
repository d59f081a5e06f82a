/** May this edge exist? Every refusal says why in words. */

import { edgeKey, edgeSource, edgeTarget, findNode, formatEndpoint, nodeName } from "./graph";
import type { Endpoint, GraphDocument, GraphEdge, GraphNode } from "./graph";
import type { Kinds } from "./kinds";
import { inPorts, outPorts } from "./ports";

export type Verdict = { ok: true; edge: GraphEdge } | { ok: false; reason: string };

export interface Connection {
  from: Endpoint;
  to: Endpoint;
}

/** Decide whether a new edge fits, and give it as the document would hold it. */
export function checkConnection(document: GraphDocument, kinds: Kinds, { from, to }: Connection): Verdict {
  const source = findNode(document, from.node);
  const target = findNode(document, to.node);
  if (!source || !target) return refuse("One end of this edge is not in the graph.");
  const edge: GraphEdge = { from: formatEndpoint(from, "out"), to: formatEndpoint(to, "in") };
  const reason =
    portsReason(source, target, kinds, { from, to }) ??
    borderReason(source, target) ??
    shapeReason(document, edge, source, target);
  return reason === null ? { ok: true, edge } : refuse(reason);
}

function refuse(reason: string): Verdict {
  return { ok: false, reason };
}

function portsReason(
  source: GraphNode,
  target: GraphNode,
  kinds: Kinds,
  { from, to }: Connection,
): string | null {
  if (!inPorts(target, kinds).length)
    return `${nodeName(target)} is where the run begins: nothing can lead into it.`;
  if (!outPorts(source, kinds).length) return `${nodeName(source)} ends the run: nothing can follow it.`;
  if (!outPorts(source, kinds).includes(from.port)) return `${nodeName(source)} has no port “${from.port}”.`;
  if (!inPorts(target, kinds).includes(to.port)) return `${nodeName(target)} has no port “${to.port}”.`;
  return null;
}

function borderReason(source: GraphNode, target: GraphNode): string | null {
  if (source.parent === target.parent) return null;
  return "An edge cannot cross the border of a container: put both nodes into the same one, or connect the container.";
}

function shapeReason(
  document: GraphDocument,
  edge: GraphEdge,
  source: GraphNode,
  target: GraphNode,
): string | null {
  if (source.id === target.id) return "A node cannot follow itself.";
  const key = edgeKey(edge);
  if (document.edges.some((other) => edgeKey(other) === key)) return "These two are connected already.";
  if (reaches(document, target.id, source.id)) {
    return `${nodeName(target)} already comes before ${nodeName(source)}: this edge would close a circle.`;
  }
  return null;
}

/** Tell whether edges lead from one node to another. */
export function reaches(document: GraphDocument, from: string, to: string): boolean {
  return downstream(document, from).has(to);
}

/** All nodes that edges lead to from this one. */
export function downstream(document: GraphDocument, start: string): Set<string> {
  return walk(
    start,
    adjacency(document, (edge) => [edgeSource(edge).node, edgeTarget(edge).node]),
  );
}

/** All nodes from which edges lead to this one. */
export function upstream(document: GraphDocument, start: string): Set<string> {
  return walk(
    start,
    adjacency(document, (edge) => [edgeTarget(edge).node, edgeSource(edge).node]),
  );
}

function adjacency(
  document: GraphDocument,
  ends: (edge: GraphEdge) => [string, string],
): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const edge of document.edges) {
    const [from, to] = ends(edge);
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  return next;
}

function walk(start: string, next: Map<string, string[]>): Set<string> {
  const seen = new Set<string>();
  const open = [...(next.get(start) ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(next.get(id) ?? []));
  }
  return seen;
}
