/** The document `heddle/1`: what the editor edits, saves and runs. */

import type { Json, JsonObject } from "./json";

export interface Retry {
  max_attempts?: number;
  /** Codes of errors: these are tried again and no others. */
  on?: string[];
  backoff?: "fixed" | "exponential";
  initial_s?: number;
  max_s?: number;
}

export interface Policy {
  timeout_s?: number;
  queue_timeout_s?: number;
  idle_timeout_s?: number;
  retry?: Retry;
  on_error?: "fail" | "continue" | "route";
  on_lost?: "rerun" | "hold" | "fail";
  cache?: { mode: string; [key: string]: Json };
}

export interface GraphNode {
  id: string;
  kind: string;
  kind_version?: number;
  label?: string;
  parent?: string;
  disabled?: boolean;
  config?: JsonObject;
  policy?: Policy;
}

/** What a run may use up; at least one of the first four. */
export interface Budget {
  tokens?: number;
  cost?: number;
  steps?: number;
  wall_s?: number;
  on_exceeded?: "fail" | "pause";
}

export interface GraphEdge {
  from: string;
  to: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface GraphUi {
  direction?: "down" | "right";
  /** Places of the cards; those of nodes inside a container count from its corner. */
  nodes?: Record<string, Point>;
  [key: string]: unknown;
}

export interface GraphDocument {
  schema: "heddle/1";
  name: string;
  description?: string;
  inputs?: JsonObject;
  deadline_s?: number;
  budget?: Budget;
  nodes: GraphNode[];
  edges: GraphEdge[];
  ui?: GraphUi;
}

/** One finding of the validation, as the server answers it. */
export interface Issue {
  code: string;
  message: string;
  node_id: string | null;
  path: string;
  severity: "error" | "warning";
}

export interface Endpoint {
  node: string;
  port: string;
}

export function parseEndpoint(text: string, defaultPort: "in" | "out"): Endpoint {
  const colon = text.indexOf(":");
  return colon < 0
    ? { node: text, port: defaultPort }
    : { node: text.slice(0, colon), port: text.slice(colon + 1) };
}

export function formatEndpoint({ node, port }: Endpoint, defaultPort: "in" | "out"): string {
  return port === defaultPort ? node : `${node}:${port}`;
}

export function edgeSource(edge: GraphEdge): Endpoint {
  return parseEndpoint(edge.from, "out");
}

export function edgeTarget(edge: GraphEdge): Endpoint {
  return parseEndpoint(edge.to, "in");
}

/** Name an edge by its two ends: stable, as a document holds no two equal edges. */
export function edgeKey(edge: GraphEdge): string {
  const source = edgeSource(edge);
  const target = edgeTarget(edge);
  return `${source.node}:${source.port}->${target.node}:${target.port}`;
}

export function findNode(document: GraphDocument, id: string): GraphNode | undefined {
  return document.nodes.find((node) => node.id === id);
}

export function nodeName(node: GraphNode): string {
  return node.label?.trim() ? node.label : node.id;
}

export function positionOf(document: GraphDocument, id: string): Point | undefined {
  return document.ui?.nodes?.[id];
}

export function emptyDocument(name: string): GraphDocument {
  return { schema: "heddle/1", name, nodes: [], edges: [] };
}
