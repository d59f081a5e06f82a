/** Which ports a node has: those of its kind, those its settings make, and `error` where its policy routes errors. */

import type { GraphNode } from "./graph";
import { isObject } from "./json";
import type { Kinds, NodeKind } from "./kinds";

export const ERROR_PORT = "error";

export function inPorts(node: GraphNode, kinds: Kinds): string[] {
  const kind = kinds.get(node.kind);
  return kind ? kind.in_ports.map((port) => port.name) : ["in"];
}

export function outPorts(node: GraphNode, kinds: Kinds): string[] {
  const kind = kinds.get(node.kind);
  const ports = kind ? kindPorts(node, kind) : ["out"];
  return node.policy?.on_error === "route" && !ports.includes(ERROR_PORT) ? [...ports, ERROR_PORT] : ports;
}

function kindPorts(node: GraphNode, kind: NodeKind): string[] {
  const dynamic = kind.dynamic_ports;
  if (!dynamic) return kind.out_ports.map((port) => port.name);
  const field = node.config?.[dynamic.field];
  const rows = Array.isArray(field) ? field : [];
  const names = rows
    .map((row) => (isObject(row) ? row[dynamic.key] : undefined))
    .filter((name) => typeof name === "string");
  const also = dynamic.also === null ? undefined : settingOf(node, kind, dynamic.also);
  if (typeof also === "string") names.push(also);
  return [...new Set(names.filter(Boolean))];
}

/** A setting that was emptied on purpose stays empty; one never set has the kind's default. */
function settingOf(node: GraphNode, kind: NodeKind, field: string): unknown {
  if (node.config && field in node.config) return node.config[field];
  const properties = kind.config_schema["properties"];
  const property = isObject(properties) ? properties[field] : undefined;
  return isObject(property) ? property["default"] : undefined;
}
