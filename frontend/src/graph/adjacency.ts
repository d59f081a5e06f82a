/** Who leads to whom, looked up often and so kept with each document. */

import { edgeSource, edgeTarget, nodeName } from "./graph";
import type { GraphDocument } from "./graph";

interface Known {
  before: ReadonlyMap<string, readonly string[]>;
  names: ReadonlyMap<string, string>;
}

const known = new WeakMap<GraphDocument, Known>();

function know(document: GraphDocument): Known {
  const held = known.get(document);
  if (held) return held;
  const before = new Map<string, string[]>();
  for (const edge of document.edges) {
    const target = edgeTarget(edge).node;
    const list = before.get(target);
    if (list) list.push(edgeSource(edge).node);
    else before.set(target, [edgeSource(edge).node]);
  }
  const names = new Map(document.nodes.map((node) => [node.id, nodeName(node)]));
  const fresh = { before, names };
  known.set(document, fresh);
  return fresh;
}

/** The nodes whose edges lead straight into this one. */
export function predecessors(document: GraphDocument, id: string): readonly string[] {
  return know(document).before.get(id) ?? [];
}

/** What a node is called; its id where the document does not hold it. */
export function nameOf(document: GraphDocument, id: string): string {
  return know(document).names.get(id) ?? id;
}
