/** Where in a text expressions stand: between `{{` and `}}`, or everywhere in a bare box. */

export type ExpressionMode = "template" | "bare";

export interface Region {
  from: number;
  to: number;
}

export function expressionRegions(text: string, mode: ExpressionMode): Region[] {
  if (mode === "bare") return [{ from: 0, to: text.length }];
  const regions: Region[] = [];
  for (const match of text.matchAll(/(?<!\\)\{\{([\s\S]*?)(?:\}\}|$)/g)) {
    const from = match.index + 2;
    regions.push({ from, to: from + (match[1] ?? "").length });
  }
  return regions;
}

export function isInExpression(text: string, position: number, mode: ExpressionMode): boolean {
  return expressionRegions(text, mode).some(({ from, to }) => position >= from && position <= to);
}

export interface ReferenceSpan extends Region {
  text: string;
  /** The node it names, or null for inputs and run. */
  node: string | null;
}

const REFERENCE = /(?<![\w.])(?:inputs|run|nodes)(?:\.[A-Za-z_]\w*)+/g;

/** References such as `nodes.a.output.text`, which are drawn as pills. */
export function referenceSpans(text: string, mode: ExpressionMode): ReferenceSpan[] {
  return expressionRegions(text, mode).flatMap((region) =>
    [...text.slice(region.from, region.to).matchAll(REFERENCE)].map((match) => {
      const from = region.from + match.index;
      const node = /^nodes\.([A-Za-z_]\w*)/.exec(match[0])?.[1] ?? null;
      return { from, to: from + match[0].length, text: match[0], node };
    }),
  );
}
