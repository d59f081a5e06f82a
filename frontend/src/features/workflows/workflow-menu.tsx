/** The actions of one workflow, behind the dots of its row. */
import { ActionIcon, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { WorkflowRow } from "@/api/types";
import { aboveRow } from "@/components/data-table";
import { Icon } from "@/components/icon";
import { RenameDialog } from "./rename-dialog";
import { useWorkflowActions } from "./use-workflow-actions";

export function WorkflowMenu({ workflow }: { workflow: WorkflowRow }) {
  const [renaming, setRenaming] = useState(false);
  const actions = useWorkflowActions(workflow);
  const { id, name } = workflow;
  return (
    <>
      <Menu position="bottom-end" width={192}>
        <Menu.Target>
          <ActionIcon className={aboveRow} size="xs" aria-label={`Actions for ${name}`}>
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="flow" />} onClick={actions.open}>
            Open
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="runs" />}
            renderRoot={(props) => <Link to="/workflows/$id/runs" params={{ id }} {...props} />}
          >
            Past runs
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setRenaming(true)}>
            Rename
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="copy" />} onClick={() => actions.duplicate.mutate()}>
            Duplicate
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="export" />} onClick={() => actions.save.mutate("json")}>
            Export as JSON
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="export" />} onClick={() => actions.save.mutate("yaml")}>
            Export as YAML
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item data-danger leftSection={<Icon name="trash" />} onClick={() => actions.remove.mutate()}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {renaming && <RenameDialog workflow={workflow} onClose={() => setRenaming(false)} />}
    </>
  );
}
