/** Completion of references in expressions. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { kindIcon } from "@/components/icon";
import type { IconName } from "@/components/icon-names";
import { completions } from "@/graph/references";
import { isInExpression, type ExpressionMode } from "./regions";
import type { ExpressionScope, ReadScope } from "./scope";

interface ReferenceCompletion extends Completion {
  icon: IconName;
}

export function referenceCompletion(readScope: ReadScope, mode: ExpressionMode): Extension {
  return autocompletion({
    override: [(context) => complete(context, readScope(), mode)],
    icons: false,
    activateOnTyping: true,
    addToOptions: [
      { render: (completion) => iconElement((completion as ReferenceCompletion).icon), position: 10 },
    ],
  });
}

function complete(
  context: CompletionContext,
  scope: ExpressionScope | null,
  mode: ExpressionMode,
): CompletionResult | null {
  const text = context.state.doc.toString();
  if (!scope || !isInExpression(text, context.pos, mode)) return null;
  const { from: start, text: typed } = context.matchBefore(/[\w.]*/) ?? { from: context.pos, text: "" };
  if (!typed && !context.explicit && !opensExpression(text, context.pos)) return null;
  const path = typed.slice(0, typed.lastIndexOf(".") + 1);
  const options = optionsBelow(scope, path);
  return options.length ? { from: start + path.length, options, validFor: /^\w*$/ } : null;
}

function opensExpression(text: string, position: number): boolean {
  return /\{\{\s*$/.test(text.slice(0, position));
}

/** What may follow a path: at the beginning whole references, below one its own keys. */
export function optionsBelow(scope: ExpressionScope, path: string): ReferenceCompletion[] {
  return completions(scope.document, scope.nodeId, scope.samples, scope.deferred)
    .filter(({ label, kind }) => {
      if (!label.startsWith(path)) return false;
      const rest = label.slice(path.length);
      return path === ""
        ? kind !== "key"
        : !rest.includes(".") || (kind === "node" && !rest.includes(".", rest.indexOf(".") + 1));
    })
    .map(({ label, detail, nodeId }, index) => ({
      label: label.slice(path.length),
      detail,
      boost: -index / 100,
      icon: nodeId === undefined ? "k-input" : kindIcon(scope.iconOf(nodeId)),
    }));
}

const SVG = "http://www.w3.org/2000/svg";

function iconElement(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("width", "14");
  svg.setAttribute("height", "14");
  svg.setAttribute("class", "cm-ref-icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}
