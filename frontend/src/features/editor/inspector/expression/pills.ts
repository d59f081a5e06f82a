/** References drawn as pills; those that lead nowhere struck through, with the reason. */
import type { Extension, Range } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import { referenceProblem } from "@/graph/references";
import { referenceSpans, type ExpressionMode } from "./regions";
import type { ReadScope } from "./scope";

export function referencePills(readScope: ReadScope, mode: ExpressionMode): Extension {
  const draw = (view: EditorView) => pills(view, readScope, mode);
  const plugin = ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = draw(view);
      }

      update(update: ViewUpdate) {
        if (update.docChanged || update.focusChanged) this.decorations = draw(update.view);
      }
    },
    { decorations: (held) => held.decorations },
  );
  return [plugin, look];
}

function pills(view: EditorView, readScope: ReadScope, mode: ExpressionMode): DecorationSet {
  const scope = readScope();
  const marks = referenceSpans(view.state.doc.toString(), mode).map((span): Range<Decoration> => {
    const problem =
      scope && span.node !== null
        ? referenceProblem(scope.document, scope.nodeId, span.node, scope.deferred)
        : null;
    const mark = problem
      ? Decoration.mark({ class: "cm-ref cm-ref-broken", attributes: { title: problem } })
      : Decoration.mark({ class: "cm-ref" });
    return mark.range(span.from, span.to);
  });
  return Decoration.set(marks, true);
}

const look = EditorView.theme({
  ".cm-ref": {
    padding: "1px 3px",
    margin: "0 -1px",
    borderRadius: "3px",
    backgroundColor: "var(--hd-accent-tint)",
    color: "var(--hd-accent-fg)",
  },
  ".cm-ref *": { color: "inherit" },
  ".cm-ref-broken": {
    backgroundColor: "var(--hd-failed-tint)",
    color: "var(--hd-failed)",
    textDecoration: "line-through",
  },
  ".cm-ref-icon": {
    flex: "none",
    marginRight: "8px",
    fill: "none",
    stroke: "var(--hd-text-2)",
    strokeWidth: "1.5",
    strokeLinecap: "round",
    strokeLinejoin: "round",
  },
});
