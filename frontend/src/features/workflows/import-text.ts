/** Reading what somebody brings: which format it is, and whether it can be a document at all. */
import type { DocumentFormat } from "@/api/workflows";

/** As much as the server takes of one document. */
export const largestImport = 2_000_000;

/** The file's ending decides, else how the text begins. */
export function formatOf(text: string, name = ""): DocumentFormat {
  if (/\.json$/iu.test(name)) return "json";
  if (/\.ya?ml$/iu.test(name)) return "yaml";
  return /^\s*[{[]/u.test(text) ? "json" : "yaml";
}

/** What stands against sending this text, in words; null where nothing does. */
export function problemOfText(text: string): string | null {
  if (text.trim() === "") return "Paste a workflow's JSON or YAML, or choose a file.";
  if (text.length > largestImport) return "This is larger than 2 MB, more than one workflow may be.";
  if (text.includes("\u0000")) return "This is not a text file. Choose a workflow exported as JSON or YAML.";
  return null;
}
