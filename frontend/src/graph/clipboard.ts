/** Copy and paste as JSON text: a part of a graph that people can also mail to each other. */

import { insertNodes } from "./commands";
import type { Edit } from "./edit";
import { edgeSource, edgeTarget, formatEndpoint } from "./graph";
import type { GraphDocument, GraphEdge, GraphNode, Point } from "./graph";
import { isIdentifier, nextId, stemOfId } from "./ids";
import { isObject } from "./json";
import { withInside } from "./nesting";
import { renameReferences } from "./references";

interface Fragment {
  nodes: GraphNode[];
  edges: GraphEdge[];
  positions: Record<string, Point>;
}

/** Write the chosen nodes, the edges between them and their places as text. */
export function copyText(
  document: GraphDocument,
  ids: readonly string[],
  places: Record<string, Point>,
): string {
  const chosen = withInside(document, ids);
  const fragment = {
    schema: "heddle/1",
    name: document.name,
    nodes: document.nodes.filter((node) => chosen.has(node.id)),
    edges: document.edges.filter(
      (edge) => chosen.has(edgeSource(edge).node) && chosen.has(edgeTarget(edge).node),
    ),
    ui: { nodes: Object.fromEntries(Object.entries(places).filter(([id]) => chosen.has(id))) },
  };
  return JSON.stringify(fragment, null, 2);
}

/** Read text that was copied here, or a whole document; null for any other text. */
export function parseFragment(text: string): Fragment | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || value["schema"] !== "heddle/1" || !Array.isArray(value["nodes"])) return null;
  const nodes = (value["nodes"] as unknown[]).filter(isNode);
  const edges = (Array.isArray(value["edges"]) ? (value["edges"] as unknown[]) : []).filter(isEdge);
  return nodes.length ? { nodes, edges, positions: readPositions(value["ui"]) } : null;
}

function isNode(value: unknown): value is GraphNode {
  return (
    isObject(value) &&
    typeof value["kind"] === "string" &&
    typeof value["id"] === "string" &&
    isIdentifier(value["id"])
  );
}

function isEdge(value: unknown): value is GraphEdge {
  return isObject(value) && typeof value["from"] === "string" && typeof value["to"] === "string";
}

function readPositions(ui: unknown): Record<string, Point> {
  const places = isObject(ui) && isObject(ui["nodes"]) ? ui["nodes"] : {};
  const positions: Record<string, Point> = {};
  for (const [id, place] of Object.entries(places)) {
    if (isObject(place) && typeof place["x"] === "number" && typeof place["y"] === "number") {
      positions[id] = { x: place["x"], y: place["y"] };
    }
  }
  return positions;
}

export interface Pasted {
  edit: Edit;
  ids: string[];
}

/** Insert a fragment under new ids, its inner references following; the top left corner lands at `at`. */
export function paste(document: GraphDocument, fragment: Fragment, at: Point, parent?: string): Pasted {
  const names = newNames(document, fragment.nodes);
  const nodes = fragment.nodes.map((node) => renamed(node, names, parent));
  const edges = fragment.edges
    .filter((edge) => names.has(edgeSource(edge).node) && names.has(edgeTarget(edge).node))
    .map((edge) => renamedEdge(edge, names));
  const positions = shifted(fragment, names, at);
  const roots = fragment.nodes.filter((node) => isRoot(node, names));
  return {
    edit: insertNodes(document, nodes, edges, positions),
    ids: roots.map((node) => names.get(node.id) ?? node.id),
  };
}

function newNames(document: GraphDocument, nodes: readonly GraphNode[]): Map<string, string> {
  const taken = new Set(document.nodes.map((node) => node.id));
  const names = new Map<string, string>();
  for (const node of nodes) {
    const id = taken.has(node.id) ? nextId(stemOfId(node.id), taken) : node.id;
    taken.add(id);
    names.set(node.id, id);
  }
  return names;
}

/** What stands in no container of the fragment goes where it is pasted. */
function isRoot(node: GraphNode, names: ReadonlyMap<string, string>): boolean {
  return node.parent === undefined || !names.has(node.parent);
}

function renamed(node: GraphNode, names: ReadonlyMap<string, string>, into: string | undefined): GraphNode {
  const { parent: before, ...rest } = node;
  const next: GraphNode = { ...rest, id: names.get(node.id) ?? node.id };
  const parent = before !== undefined && names.has(before) ? names.get(before) : into;
  if (parent !== undefined) next.parent = parent;
  if (node.config) next.config = renameReferences(node.config, names);
  return next;
}

function renamedEdge(edge: GraphEdge, names: ReadonlyMap<string, string>): GraphEdge {
  const source = edgeSource(edge);
  const target = edgeTarget(edge);
  return {
    from: formatEndpoint({ ...source, node: names.get(source.node) ?? source.node }, "out"),
    to: formatEndpoint({ ...target, node: names.get(target.node) ?? target.node }, "in"),
  };
}

function shifted(fragment: Fragment, names: ReadonlyMap<string, string>, at: Point): Record<string, Point> {
  const placed = fragment.nodes.map((node, index) => ({
    node,
    place: fragment.positions[node.id] ?? { x: 0, y: index * 80 },
    root: isRoot(node, names),
  }));
  const roots = placed.filter(({ root }) => root).map(({ place }) => place);
  const left = Math.min(...roots.map((place) => place.x));
  const top = Math.min(...roots.map((place) => place.y));
  return Object.fromEntries(
    placed.map(({ node, place, root }) => [
      names.get(node.id) ?? node.id,
      root ? { x: at.x + place.x - left, y: at.y + place.y - top } : place,
    ]),
  );
}
