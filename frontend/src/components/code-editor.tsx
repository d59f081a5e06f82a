/** A text field for code: CodeMirror, dressed as our inputs. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder as placeholderText } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { cspNonce } from "@/lib/csp-nonce";
import classes from "./code-editor.module.css";
import { languageOf, type CodeLanguage } from "./code-languages";
import { codeTheme } from "./code-theme";

export interface CodeEditorProps {
  value: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  language?: CodeLanguage;
  /** What completes, checks and marks this field; keep the array the same between renders. */
  extensions?: Extension;
  label?: string;
  labelledBy?: string;
  describedBy?: string;
  placeholder?: string;
  readOnly?: boolean;
  invalid?: boolean;
  numbers?: boolean;
  rows?: number;
  maxRows?: number;
  /** The editor itself, for those who insert text at the cursor. */
  onView?: (view: EditorView | null) => void;
}

const lineHeight = 20;
const padding = 14;
const none: Extension = [];

export function CodeEditor(props: CodeEditorProps) {
  const { value, extensions = none, readOnly = false, invalid = false, rows = 1, maxRows = 16 } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changing = useRef(new Compartment());
  const changed = useEffectEvent((text: string) => props.onChange?.(text));
  const given = useEffectEvent((editor: EditorView | null) => props.onView?.(editor));
  const left = useEffectEvent(() => props.onBlur?.());
  const first = useEffectEvent(() => ({
    doc: value,
    extensions: [fixed(props), changing.current.of(loose(props))],
  }));

  useEffect(() => {
    if (!host.current) return undefined;
    const { doc, extensions: start } = first();
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc,
        extensions: [
          start,
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((each) => each.isUserEvent("outside"))) {
              changed(update.state.doc.toString());
            }
            if (update.focusChanged && !update.view.hasFocus) left();
          }),
        ],
      }),
    });
    view.current = editor;
    given(editor);
    return () => {
      view.current = null;
      given(null);
      editor.destroy();
    };
  }, []);

  useEffect(() => replaceText(view.current, value), [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: changing.current.reconfigure(loose({ extensions, readOnly })) });
  }, [extensions, readOnly]);

  return (
    <div
      ref={host}
      className={classes["field"]}
      data-invalid={invalid || undefined}
      data-readonly={readOnly || undefined}
      style={{ minHeight: rows * lineHeight + padding, maxHeight: maxRows * lineHeight + padding }}
    />
  );
}

/** What stays the same for the life of the editor. */
function fixed(props: CodeEditorProps): Extension {
  const nonce = cspNonce();
  return [
    nonce === "" ? [] : EditorView.cspNonce.of(nonce),
    props.numbers ? lineNumbers() : [],
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    EditorView.lineWrapping,
    languageOf(props.language ?? "text"),
    codeTheme,
    props.placeholder === undefined ? [] : placeholderText(props.placeholder),
    EditorView.contentAttributes.of(attributesOf(props)),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
  ];
}

function loose({
  extensions = none,
  readOnly = false,
}: Pick<CodeEditorProps, "extensions" | "readOnly">): Extension {
  return [extensions, EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)];
}

function attributesOf(props: CodeEditorProps): Record<string, string> {
  const attributes: Record<string, string> = { spellcheck: "false" };
  if (props.label !== undefined) attributes["aria-label"] = props.label;
  if (props.labelledBy !== undefined) attributes["aria-labelledby"] = props.labelledBy;
  if (props.describedBy !== undefined) attributes["aria-describedby"] = props.describedBy;
  if (props.readOnly) attributes["tabindex"] = "0";
  return attributes;
}

/** Takes over a text that was changed elsewhere, without telling it back as somebody's typing. */
function replaceText(view: EditorView | null, text: string): void {
  if (!view || view.state.doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "outside" });
}
