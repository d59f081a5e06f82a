/** Settings that may be text or JSON, as one writes them in a box: `3` is a number, `{{ x }}` and `hello` are texts. */

import type { Json } from "./json";

/** Read what was written: JSON where it is JSON, else the text itself. */
export function readLoose(text: string): Json | undefined {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Write a value so that reading it gives the same again. */
export function writeLoose(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return JSON.stringify(value, null, 2);
  return readLoose(value) === value ? value : JSON.stringify(value);
}
