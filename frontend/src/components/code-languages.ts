/** The languages the code editor reads. */
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { python } from "@codemirror/lang-python";
import { yaml } from "@codemirror/lang-yaml";
import type { Extension } from "@codemirror/state";

export type CodeLanguage = "json" | "markdown" | "python" | "text" | "yaml";

const languages: Record<CodeLanguage, () => Extension> = {
  json,
  markdown,
  python,
  yaml,
  text: () => [],
};

export function languageOf(name: CodeLanguage): Extension {
  return languages[name]();
}
