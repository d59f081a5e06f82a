/** A box for text with expressions or for bare Python, with completion and pills. */
import { tooltips } from "@codemirror/view";
import { useMemo } from "react";
import { CodeEditor, type CodeEditorProps } from "@/components/code-editor";
import { referenceCompletion } from "./complete";
import { referencePills } from "./pills";
import type { ExpressionMode } from "./regions";
import { useReadScope } from "./scope";

interface ExpressionEditorProps extends Omit<CodeEditorProps, "extensions" | "language"> {
  mode: ExpressionMode;
}

const inBody = tooltips({ position: "fixed", parent: document.body });

export function ExpressionEditor({ mode, ...props }: ExpressionEditorProps) {
  const readScope = useReadScope();
  const extensions = useMemo(
    () => [referenceCompletion(readScope, mode), referencePills(readScope, mode), inBody],
    [readScope, mode],
  );
  return <CodeEditor {...props} language={mode === "bare" ? "python" : "text"} extensions={extensions} />;
}
