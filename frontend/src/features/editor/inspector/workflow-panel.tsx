/** With nothing chosen: the workflow as a whole. */
import { Textarea } from "@mantine/core";
import { BudgetFields, budgetOrNone } from "@/components/budget-fields";
import { Icon } from "@/components/icon";
import { setDefaults } from "@/graph/commands";
import { useEditor, useEditorStore } from "../store/editor-context";
import { FieldFrame } from "./fields/field-frame";
import { NumberRow } from "./fields/number-row";
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
        <RunDefaults />
      </div>
    </aside>
  );
}

/** What holds for runs that are started without a deadline or a budget of their own. */
function RunDefaults() {
  const store = useEditorStore();
  const deadline = useEditor((state) => state.document.deadline_s);
  const budget = useEditor((state) => state.document.budget);
  const set = (patch: Parameters<typeof setDefaults>[0], key: string) =>
    store.getState().edit(setDefaults(patch), { label: `Change the ${key}`, mergeKey: key });
  return (
    <>
      <NumberRow
        label="Deadline"
        hint="Seconds a run may take that is started without a deadline of its own."
        placeholder="none"
        value={deadline}
        onChange={(deadline_s) => set({ deadline_s }, "deadline")}
      />
      <BudgetFields
        budget={budget ?? {}}
        onChange={(next) => set({ budget: budgetOrNone(next) }, "budget")}
      />
    </>
  );
}
