/** What every widget of the inspector is given. */
import type { FormField } from "@/graph/form";
import type { Json } from "@/graph/json";

export interface FieldProps {
  field: FormField;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  problem: string | null;
  /** Ids of the label and of the hint or problem below. */
  labelId: string;
  hintId: string;
  nodeId: string;
}

export function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
