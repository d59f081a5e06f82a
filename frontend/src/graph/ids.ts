/** Identifiers of nodes: valid Python names, taken from the kind and never reused within a document. */

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) && !KEYWORDS.has(text);
}

/** The word a kind's ids begin with: `llm.chat` gives `chat`, `io.input` gives `input`. */
export function stemOf(kind: string): string {
  const last = kind.split(".").at(-1) ?? kind;
  const stem = last.replace(/[^A-Za-z0-9_]/g, "_");
  return isIdentifier(stem) ? stem : `node_${stem}`.slice(0, 48);
}

/** Give the first free id of a stem: `chat`, then `chat_2`, `chat_3`. */
export function nextId(stem: string, taken: ReadonlySet<string>): string {
  if (!taken.has(stem) && isIdentifier(stem)) return stem;
  for (let number = 2; ; number += 1) {
    const id = `${stem}_${String(number)}`;
    if (!taken.has(id)) return id;
  }
}

/** Take a trailing number off, so that a copy of `chat_2` becomes `chat_3` and not `chat_2_2`. */
export function stemOfId(id: string): string {
  return id.replace(/_\d+$/, "") || id;
}
