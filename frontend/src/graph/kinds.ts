/** What the server tells about the kinds of node: the palette, the forms and the ports come from it. */

import type { JsonObject } from "./json";

export interface KindPort {
  name: string;
  title: string;
}

export interface DynamicPorts {
  field: string;
  key: string;
  also: string | null;
}

export interface NodeKind {
  kind: string;
  version: number;
  title: string;
  summary: string;
  family: string;
  icon: string;
  lane: string;
  inline: boolean;
  effects: string;
  deterministic: boolean;
  in_ports: KindPort[];
  out_ports: KindPort[];
  dynamic_ports: DynamicPorts | null;
  /** It holds nodes, and runs them for each item or round after round. */
  container: "map" | "loop" | null;
  /** Settings that are evaluated for each item or round, from what is inside. */
  deferred: string[];
  config_schema: JsonObject;
  ui: { order?: string[] };
}

export type Kinds = ReadonlyMap<string, NodeKind>;

export const FAMILIES: readonly { id: string; title: string }[] = [
  { id: "in_out", title: "In and out" },
  { id: "data", title: "Data" },
  { id: "calls", title: "Calls" },
  { id: "control", title: "Control" },
  { id: "people", title: "People" },
  { id: "adaptive", title: "Adaptive" },
  { id: "memory", title: "Memory" },
];

export function indexKinds(kinds: readonly NodeKind[]): Kinds {
  return new Map(kinds.map((kind) => [kind.kind, kind]));
}

/** Keep the kinds whose title, name or summary has every word of the search; those named so come first. */
export function searchKinds(kinds: Iterable<NodeKind>, search: string): NodeKind[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = [...kinds].filter((kind) => has(`${kind.title} ${kind.kind} ${kind.summary}`));
  const isNamed = (kind: NodeKind) => has(`${kind.title} ${kind.kind}`);
  return [...found.filter(isNamed), ...found.filter((kind) => !isNamed(kind))];
}
