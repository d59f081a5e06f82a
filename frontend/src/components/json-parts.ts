/** What a JSON tree shows of a value before it is opened. */
import type { Json } from "@/graph/json";
import { formatCount } from "@/lib/format";

const openDepth = 2;
const openEntries = 30;
const shortLength = 60;

export function entriesOf(value: object): [string, Json][] {
  return Object.entries(value) as [string, Json][];
}

/** Small values near the top are open from the start; anything large waits to be asked. */
export function opensAtFirst(value: object, depth: number): boolean {
  return depth === 0 || (depth < openDepth && Object.keys(value).length <= openEntries);
}

export function sizeInWords(value: object): string {
  return Array.isArray(value)
    ? formatCount(value.length, "entry", "entries")
    : formatCount(Object.keys(value).length, "key");
}

/** A closed value in one line: what fits of it, never the whole of something large. */
export function shortText(value: object): string {
  const parts: string[] = [];
  let length = 0;
  for (const [key, child] of entriesOf(value)) {
    const part = Array.isArray(value) ? atom(child) : `${key}: ${atom(child)}`;
    length += part.length + 2;
    if (length > shortLength) {
      parts.push("…");
      break;
    }
    parts.push(part);
  }
  return Array.isArray(value) ? `[${parts.join(", ")}]` : `{${parts.join(", ")}}`;
}

function atom(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? "[ ]" : "[…]";
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0 ? "{ }" : "{…}";
  if (typeof value === "string") return JSON.stringify(value.length > 24 ? `${value.slice(0, 24)}…` : value);
  return String(value);
}
