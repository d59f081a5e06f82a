/** With nothing chosen: the workflow as a whole. */
import { Textarea } from "@mantine/core";
import { Icon } from "@/components/icon";
import { useEditor, useEditorStore } from "../store/editor-context";
import { FieldFrame } from "./fields/field-frame";
import { InputsEditor } from "./inputs-editor";
import classes from "./inspector.module.css";

export function WorkflowPanel() {
  const store = useEditorStore();
  const name = useEditor((state) => state.document.name);
  const description = useEditor((state) => state.document.description ?? "");
  const count = useEditor((state) => state.document.nodes.length);
  const describe = (text: string) =>
    store
      .getState()
      .edit(
        { type: "patch-document", patch: { description: text || undefined } },
        { label: "Describe", mergeKey: "description" },
      );
  return (
    <aside className={classes["panel"]} data-inspector aria-label="Settings of the workflow">
      <header className={classes["head"]}>
        <span className={classes["tile"]}>
          <Icon name="flow" />
        </span>
        <div className="hd-grow">
          <h2 className="hd-cut">{name}</h2>
          <p className="hd-micro hd-muted">
            {count === 1 ? "1 node" : `${count} nodes`} · choose one to edit it
          </p>
        </div>
      </header>
      <div className={classes["body"]} data-ruled>
        <FieldFrame label="Description" hint="Shown in the list of workflows.">
          {({ labelId }) => (
            <Textarea
              aria-labelledby={labelId}
              autosize
              minRows={2}
              maxRows={8}
              value={description}
              onChange={(event) => describe(event.currentTarget.value)}
            />
          )}
        </FieldFrame>
        <InputsEditor />
      </div>
    </aside>
  );
}
