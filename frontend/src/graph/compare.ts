/** What differs between two documents, by the names of nodes: for choices and summaries on the screen. */

import { nodeName } from "./graph";
import type { GraphDocument } from "./graph";
import { sameJson } from "./json";

export interface Comparison {
  added: string[];
  removed: string[];
  changed: string[];
}

export function compareDocuments(before: GraphDocument, after: GraphDocument): Comparison {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const now = new Map(after.nodes.map((node) => [node.id, node]));
  return {
    added: after.nodes.filter((node) => !old.has(node.id)).map(nodeName),
    removed: before.nodes.filter((node) => !now.has(node.id)).map(nodeName),
    changed: after.nodes
      .filter((node) => old.has(node.id) && !sameJson(old.get(node.id), node))
      .map(nodeName),
  };
}
