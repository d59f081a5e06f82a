/** Nodes inside nodes: who stands in which container, and what may stand there. */

import { edgeKey, edgeSource, edgeTarget, findNode, nodeName } from "./graph";
import type { GraphDocument, GraphNode } from "./graph";
import type { Kinds } from "./kinds";

interface Nesting {
  children: ReadonlyMap<string | undefined, readonly GraphNode[]>;
  parents: ReadonlyMap<string, string>;
}

const known = new WeakMap<GraphDocument, Nesting>();

function nestingOf(document: GraphDocument): Nesting {
  const held = known.get(document);
  if (held) return held;
  const ids = new Set(document.nodes.map((node) => node.id));
  const children = new Map<string | undefined, GraphNode[]>();
  const parents = new Map<string, string>();
  for (const node of document.nodes) {
    const parent = node.parent !== undefined && ids.has(node.parent) ? node.parent : undefined;
    children.set(parent, [...(children.get(parent) ?? []), node]);
    if (parent !== undefined) parents.set(node.id, parent);
  }
  const fresh = { children, parents };
  known.set(document, fresh);
  return fresh;
}

/** The nodes that stand in a container, or with undefined those at the top. */
export function childrenOf(document: GraphDocument, parent: string | undefined): readonly GraphNode[] {
  return nestingOf(document).children.get(parent) ?? [];
}

/** The container a node stands in; undefined at the top, and where the document does not hold it. */
export function parentOf(document: GraphDocument, id: string): string | undefined {
  return nestingOf(document).parents.get(id);
}

/** The containers around a node, the nearest first. */
export function containersAround(document: GraphDocument, id: string): string[] {
  const around: string[] = [];
  for (let parent = parentOf(document, id); parent !== undefined && !around.includes(parent);) {
    around.push(parent);
    parent = parentOf(document, parent);
  }
  return around;
}

/** Ids of nodes and of everything inside them. */
export function withInside(document: GraphDocument, ids: readonly string[]): Set<string> {
  const all = new Set<string>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (all.has(id)) continue;
    all.add(id);
    open.push(...childrenOf(document, id).map((node) => node.id));
  }
  return all;
}

/** A kind that holds nodes, or a node of an unknown kind that does. */
export function isContainer(document: GraphDocument, kinds: Kinds, node: GraphNode): boolean {
  return kinds.get(node.kind)?.container != null || childrenOf(document, node.id).length > 0;
}

/** All nodes, each behind the container it stands in. */
export function inDepthOrder(document: GraphDocument): GraphNode[] {
  const ordered: GraphNode[] = [];
  const visit = (parent: string | undefined) => {
    for (const node of childrenOf(document, parent)) {
      ordered.push(node);
      visit(node.id);
    }
  };
  visit(undefined);
  const seen = new Set(ordered.map((node) => node.id));
  return [...ordered, ...document.nodes.filter((node) => !seen.has(node.id))];
}

const AT_THE_TOP = new Set(["io.input", "io.output"]);

/** Why a kind of node may not stand in a container, or null if it may. */
export function placeReason(
  document: GraphDocument,
  kinds: Kinds,
  kind: string,
  parent: string | undefined,
): string | null {
  if (parent === undefined || !AT_THE_TOP.has(kind)) return null;
  const container = findNode(document, parent);
  const title = kinds.get(kind)?.title ?? kind;
  return `${title} stands at the top of the workflow: it cannot go into ${container ? nodeName(container) : parent}.`;
}

/** Keys of the edges that would cross a border once nodes stood where the map says. */
export function crossingKeys(
  document: GraphDocument,
  parents: ReadonlyMap<string, string | undefined>,
): string[] {
  const placeOf = (id: string) => (parents.has(id) ? parents.get(id) : parentOf(document, id));
  return document.edges
    .filter((edge) => {
      const [source, target] = [edgeSource(edge).node, edgeTarget(edge).node];
      return (parents.has(source) || parents.has(target)) && placeOf(source) !== placeOf(target);
    })
    .map(edgeKey);
}
