/** What a run of the workflow asks for. */
import { setInputs } from "@/graph/commands";
import { useEditor, useEditorStore } from "../store/editor-context";
import { SchemaBuilder } from "./fields/schema-field";
import { FieldFrame } from "./fields/field-frame";

export function InputsEditor() {
  const store = useEditorStore();
  const inputs = useEditor((state) => state.document.inputs);
  return (
    <FieldFrame
      label="Inputs of the workflow"
      hint="A run asks for these; expressions name them as inputs.<name>."
    >
      {() => (
        <SchemaBuilder
          what="input"
          schema={inputs}
          onChange={(schema) =>
            store.getState().edit(setInputs(schema), { label: "Change inputs", mergeKey: "inputs" })
          }
        />
      )}
    </FieldFrame>
  );
}
