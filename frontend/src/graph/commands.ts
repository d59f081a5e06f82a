/** What a person can do to a graph, each as one edit (and so one step of undo). */

import { checkConnection } from "./connect";
import type { Connection } from "./connect";
import type { DocumentPatch, Edit, NodePatch } from "./edit";
import { edgeKey, edgeSource, edgeTarget, findNode, formatEndpoint, parseEndpoint } from "./graph";
import type { GraphDocument, GraphEdge, GraphNode, Point, Policy } from "./graph";
import { nextId, stemOf } from "./ids";
import { isObject } from "./json";
import type { JsonObject } from "./json";
import type { Kinds, NodeKind } from "./kinds";
import { parentOf, withInside } from "./nesting";
import { inPorts, outPorts } from "./ports";

export interface AddNode {
  kind: NodeKind;
  /** Measured from the corner of the container it goes into. */
  at: Point;
}

export interface Added {
  edit: Edit;
  id: string;
}

/** Add a node of a kind, with the settings its schema requires where it names a default. */
export function addNode(
  document: GraphDocument,
  { kind, at, parent }: AddNode & { parent?: string | undefined },
): Added {
  const node = newNode(document, kind);
  if (parent !== undefined) node.parent = parent;
  return { id: node.id, edit: insertNodes(document, [node], [], { [node.id]: at }) };
}

/** Add a node behind another, connected to it. */
export function addNodeAfter(
  document: GraphDocument,
  kinds: Kinds,
  { kind, at, from }: AddNode & { from: { node: string; port: string } },
): Added {
  const node = newNode(document, kind);
  const source = findNode(document, from.node);
  if (source?.parent !== undefined) node.parent = source.parent;
  const port = inPorts(node, kinds)[0];
  const edges =
    port === undefined
      ? []
      : [{ from: formatEndpoint(from, "out"), to: formatEndpoint({ node: node.id, port }, "in") }];
  return { id: node.id, edit: insertNodes(document, [node], edges, { [node.id]: at }) };
}

/** Put a node into an edge: the edge becomes two. */
export function insertOnEdge(
  document: GraphDocument,
  kinds: Kinds,
  { kind, at, edge }: AddNode & { edge: GraphEdge },
): Added {
  const node = newNode(document, kind);
  const parent = parentOf(document, edgeSource(edge).node);
  if (parent !== undefined) node.parent = parent;
  const entry = inPorts(node, kinds)[0];
  const exit = outPorts(node, kinds)[0];
  const edges: GraphEdge[] = [];
  if (entry !== undefined)
    edges.push({ from: edge.from, to: formatEndpoint({ node: node.id, port: entry }, "in") });
  if (exit !== undefined)
    edges.push({ from: formatEndpoint({ node: node.id, port: exit }, "out"), to: edge.to });
  const insert = insertNodes(document, [node], edges, { [node.id]: at });
  return { id: node.id, edit: batch([{ type: "remove", nodes: [], edges: [edgeKey(edge)] }, insert]) };
}

function newNode(document: GraphDocument, kind: NodeKind): GraphNode {
  const taken = new Set(document.nodes.map((node) => node.id));
  const id = nextId(stemOf(kind.kind), taken);
  const number = /_(\d+)$/.exec(id)?.[1];
  const label = number === undefined ? kind.title : `${kind.title} ${number}`;
  return { id, kind: kind.kind, label, config: {} };
}

export function insertNodes(
  document: GraphDocument,
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  positions: Record<string, Point>,
): Edit {
  return {
    type: "insert",
    nodes: nodes.map((value, offset) => ({ index: document.nodes.length + offset, value })),
    edges: edges.map((value, offset) => ({ index: document.edges.length + offset, value })),
    positions,
  };
}

/** Delete nodes with the edges at them, and further edges; children go with their container. */
export function deleteParts(
  document: GraphDocument,
  nodeIds: readonly string[],
  edgeKeys: readonly string[],
): Edit {
  const gone = withInside(document, nodeIds);
  const edges = document.edges.filter(
    (edge) => gone.has(edgeSource(edge).node) || gone.has(edgeTarget(edge).node),
  );
  return { type: "remove", nodes: [...gone], edges: [...new Set([...edges.map(edgeKey), ...edgeKeys])] };
}

/** Delete nodes and lead what came before them to what came after. */
export function bypassNodes(document: GraphDocument, kinds: Kinds, nodeIds: readonly string[]): Edit {
  const gone = new Set(nodeIds);
  const removal = deleteParts(document, nodeIds, []);
  const bridges: GraphEdge[] = [];
  for (const into of document.edges.filter((edge) => gone.has(edgeTarget(edge).node))) {
    if (gone.has(edgeSource(into).node)) continue;
    for (const target of exitsOf(document, edgeTarget(into).node, gone))
      bridges.push({ from: into.from, to: target });
  }
  const known = new Set(document.edges.map(edgeKey));
  const fresh = bridges.filter((edge) => !known.has(edgeKey(edge)) && known.add(edgeKey(edge)));
  const allowed = fresh.filter((edge) => checkConnection(document, kinds, endsOf(edge)).ok);
  return batch([removal, { ...insertNodes(document, [], allowed, {}) }]);
}

function endsOf(edge: GraphEdge): Connection {
  return { from: parseEndpoint(edge.from, "out"), to: parseEndpoint(edge.to, "in") };
}

function exitsOf(document: GraphDocument, id: string, gone: ReadonlySet<string>): string[] {
  return document.edges
    .filter((edge) => edgeSource(edge).node === id)
    .flatMap((edge) => {
      const next = edgeTarget(edge).node;
      return gone.has(next) ? exitsOf(document, next, gone) : [edge.to];
    });
}

export function connect(document: GraphDocument, edge: GraphEdge): Edit {
  return insertNodes(document, [], [edge], {});
}

export function disconnect(edge: GraphEdge): Edit {
  return { type: "remove", nodes: [], edges: [edgeKey(edge)] };
}

export function moveNodes(positions: Record<string, Point>): Edit {
  return { type: "move", positions };
}

export function renameNode(id: string, label: string): Edit {
  return { type: "patch-node", id, patch: { label: label.trim() || undefined } };
}

/** Set one setting; undefined takes it away, so that the kind's default holds. */
export function setConfig(document: GraphDocument, id: string, field: string, value: unknown): Edit {
  const config: Record<string, unknown> = { ...findNode(document, id)?.config, [field]: value };
  const kept = Object.fromEntries(
    Object.entries(config).filter(([, held]) => held !== undefined),
  ) as JsonObject;
  const patch: NodePatch = { config: kept };
  return batch([{ type: "patch-node", id, patch }, ...portEdits(document, id, patch)]);
}

export function setPolicy(id: string, policy: Policy | undefined): Edit {
  return {
    type: "patch-node",
    id,
    patch: { policy: policy && Object.keys(policy).length ? policy : undefined },
  };
}

export function setDefaults(patch: Pick<DocumentPatch, "deadline_s" | "budget">): Edit {
  return { type: "patch-document", patch };
}

export function setInputs(inputs: JsonObject | undefined): Edit {
  return { type: "patch-document", patch: { inputs } };
}

export function setDisabled(ids: readonly string[], disabled: boolean): Edit {
  return batch(
    ids.map((id) => ({ type: "patch-node", id, patch: { disabled: disabled ? true : undefined } })),
  );
}

export function renameWorkflow(name: string): Edit {
  return { type: "patch-document", patch: { name } };
}

/** Rename a branch's port: its edges follow, so that nothing comes loose. */
export function renamePort(document: GraphDocument, id: string, before: string, after: string): Edit[] {
  if (!after || document.edges.some((edge) => edge.from === formatEndpoint({ node: id, port: after }, "out")))
    return [];
  const edges = document.edges
    .map((value, index) => ({ index, value }))
    .filter(({ value }) => edgeSource(value).node === id && edgeSource(value).port === before);
  if (!edges.length) return [];
  const renamed = edges.map(({ index, value }) => ({
    index,
    value: { ...value, from: formatEndpoint({ node: id, port: after }, "out") },
  }));
  return [
    { type: "remove", nodes: [], edges: edges.map(({ value }) => edgeKey(value)) },
    { type: "insert", nodes: [], edges: renamed, positions: {} },
  ];
}

function portEdits(document: GraphDocument, id: string, patch: NodePatch): Edit[] {
  const before = caseNames(findNode(document, id)?.config);
  const after = caseNames(patch.config);
  if (before.length !== after.length) return [];
  return before.flatMap((name, index) => {
    const next = after[index] ?? "";
    return name === next || before.includes(next) ? [] : renamePort(document, id, name, next);
  });
}

function caseNames(config: JsonObject | undefined): string[] {
  const cases = config?.["cases"];
  const names = Array.isArray(cases)
    ? cases.map((row) => (isObject(row) && typeof row["port"] === "string" ? row["port"] : ""))
    : [];
  return typeof config?.["default"] === "string" ? [...names, config["default"]] : names;
}

export function batch(edits: readonly Edit[]): Edit {
  const [only] = edits;
  return edits.length === 1 && only ? only : { type: "batch", edits: [...edits] };
}
