/** Edits of a document. Applying one gives the next document and the edit that takes it back. */

import { edgeKey } from "./graph";
import type { GraphDocument, GraphEdge, GraphNode, Point } from "./graph";

export interface Placed<T> {
  index: number;
  value: T;
}

/** Fields of a node that an edit may replace; undefined takes the field away. */
export type NodePatch = { [K in keyof Omit<GraphNode, "id">]?: GraphNode[K] | undefined };
export type DocumentPatch = {
  [K in "name" | "description" | "inputs" | "deadline_s" | "budget"]?: GraphDocument[K] | undefined;
};

export type Edit =
  | {
      type: "insert";
      nodes: Placed<GraphNode>[];
      edges: Placed<GraphEdge>[];
      positions: Record<string, Point>;
    }
  | { type: "remove"; nodes: string[]; edges: string[] }
  | { type: "patch-node"; id: string; patch: NodePatch }
  | { type: "patch-document"; patch: DocumentPatch }
  | { type: "move"; positions: Record<string, Point | null> }
  | { type: "replace"; document: GraphDocument }
  | { type: "batch"; edits: Edit[] };

export interface Applied {
  document: GraphDocument;
  inverse: Edit;
}

/** Apply an edit; the document given is left as it is. */
export function apply(document: GraphDocument, edit: Edit): Applied {
  switch (edit.type) {
    case "insert":
      return insert(document, edit);
    case "remove":
      return remove(document, edit);
    case "patch-node":
      return patchNode(document, edit);
    case "patch-document":
      return patchDocument(document, edit.patch);
    case "move":
      return move(document, edit.positions);
    case "replace":
      return { document: edit.document, inverse: { type: "replace", document } };
    case "batch":
      return batch(document, edit.edits);
    default:
      return never(edit);
  }
}

function never(edit: never): never {
  throw new Error(`Unknown edit ${JSON.stringify(edit)}`);
}

function insert(document: GraphDocument, edit: Extract<Edit, { type: "insert" }>): Applied {
  const next = {
    ...document,
    nodes: placeAll(document.nodes, edit.nodes),
    edges: placeAll(document.edges, edit.edges),
  };
  return {
    document: withPositions(next, edit.positions),
    inverse: {
      type: "remove",
      nodes: edit.nodes.map(({ value }) => value.id),
      edges: edit.edges.map(({ value }) => edgeKey(value)),
    },
  };
}

function placeAll<T>(list: readonly T[], placed: readonly Placed<T>[]): T[] {
  const next = [...list];
  for (const { index, value } of [...placed].sort((left, right) => left.index - right.index)) {
    next.splice(Math.min(index, next.length), 0, value);
  }
  return next;
}

function remove(document: GraphDocument, edit: Extract<Edit, { type: "remove" }>): Applied {
  const gone = new Set(edit.nodes);
  const cut = new Set(edit.edges);
  const nodes = split(document.nodes, (node) => gone.has(node.id));
  const edges = split(document.edges, (edge) => cut.has(edgeKey(edge)));
  const places = document.ui?.nodes ?? {};
  const positions = Object.fromEntries(Object.entries(places).filter(([id]) => gone.has(id)));
  return {
    document: withPositions(
      { ...document, nodes: nodes.kept, edges: edges.kept },
      Object.fromEntries(Object.keys(positions).map((id) => [id, null])),
    ),
    inverse: { type: "insert", nodes: nodes.taken, edges: edges.taken, positions },
  };
}

function split<T>(list: readonly T[], isTaken: (value: T) => boolean): { kept: T[]; taken: Placed<T>[] } {
  const kept: T[] = [];
  const taken: Placed<T>[] = [];
  list.forEach((value, index) => {
    if (isTaken(value)) taken.push({ index, value });
    else kept.push(value);
  });
  return { kept, taken };
}

function patchNode(document: GraphDocument, { id, patch }: Extract<Edit, { type: "patch-node" }>): Applied {
  const before = document.nodes.find((node) => node.id === id);
  if (!before) return { document, inverse: { type: "batch", edits: [] } };
  const after = patched(before, patch);
  return {
    document: { ...document, nodes: document.nodes.map((node) => (node === before ? after : node)) },
    inverse: { type: "patch-node", id, patch: previous(before, patch) },
  };
}

function patchDocument(document: GraphDocument, patch: DocumentPatch): Applied {
  return {
    document: patched(document, patch),
    inverse: { type: "patch-document", patch: previous(document, patch) },
  };
}

function patched<T extends object>(before: T, patch: object): T {
  const entries = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

function previous<P extends object>(before: object, patch: P): P {
  const known = before as Record<string, unknown>;
  return Object.fromEntries(Object.keys(patch).map((key) => [key, known[key]])) as P;
}

function move(document: GraphDocument, positions: Record<string, Point | null>): Applied {
  const places = document.ui?.nodes ?? {};
  const before = Object.fromEntries(Object.keys(positions).map((id) => [id, places[id] ?? null]));
  return { document: withPositions(document, positions), inverse: { type: "move", positions: before } };
}

function withPositions(document: GraphDocument, changes: Record<string, Point | null>): GraphDocument {
  if (!Object.keys(changes).length) return document;
  const merged = { ...document.ui?.nodes, ...changes };
  const nodes = Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, Point] => entry[1] !== null),
  );
  const ui = patched(document.ui ?? {}, { nodes: Object.keys(nodes).length ? nodes : undefined });
  return patched(document, { ui: Object.keys(ui).length ? ui : undefined });
}

function batch(document: GraphDocument, edits: readonly Edit[]): Applied {
  let next = document;
  const inverses: Edit[] = [];
  for (const edit of edits) {
    const applied = apply(next, edit);
    next = applied.document;
    inverses.unshift(applied.inverse);
  }
  return { document: next, inverse: { type: "batch", edits: inverses } };
}
