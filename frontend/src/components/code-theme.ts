/** How code looks: the page's own colours, weight before hue. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
  "&": { color: "var(--hd-text)", backgroundColor: "transparent", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--hd-mono)", lineHeight: "20px" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--hd-text)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--hd-text)" },
  ".cm-gutters": { border: "none", backgroundColor: "transparent", color: "var(--hd-text-3)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "24px", padding: "0 4px 0 8px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--hd-accent-line)",
  },
  ".cm-placeholder": { color: "var(--hd-text-3)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--hd-active)",
    outline: "none",
  },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { color: "var(--hd-failed)" },
  ".cm-tooltip": {
    border: "1px solid var(--hd-line-2)",
    borderRadius: "10px",
    backgroundColor: "var(--hd-raised)",
    boxShadow: "var(--hd-shadow-3)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--hd-mono)", maxHeight: "210px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    alignItems: "center",
    minHeight: "30px",
    padding: "0 10px",
    lineHeight: "20px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--hd-accent-tint)",
    color: "var(--hd-text)",
  },
  ".cm-completionDetail": {
    marginLeft: "auto",
    paddingLeft: "16px",
    color: "var(--hd-text-3)",
    fontFamily: "var(--hd-font)",
    fontStyle: "normal",
  },
  ".cm-completionMatchedText": { fontWeight: "600", textDecoration: "none" },
  ".cm-diagnostic": { padding: "6px 10px", fontFamily: "var(--hd-font)" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--hd-failed-solid)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--hd-waiting-solid)" },
});

const highlight = HighlightStyle.define([
  { tag: tags.comment, color: "var(--hd-text-3)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], fontWeight: "600" },
  { tag: [tags.heading, tags.strong], fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--hd-text-2)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--hd-accent-fg)" },
  { tag: [tags.meta, tags.punctuation, tags.separator], color: "var(--hd-text-3)" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.link, color: "var(--hd-accent-fg)" },
  { tag: tags.invalid, color: "var(--hd-failed)" },
]);

export const codeTheme = [look, syntaxHighlighting(highlight)];
