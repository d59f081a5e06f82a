/** Name, kind and id of the chosen node, and what can be done with it. */
import { ActionIcon, Menu } from "@mantine/core";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { CopyButton } from "@/components/copy-button";
import { Icon, kindIcon } from "@/components/icon";
import { deleteParts, renameNode, setDisabled } from "@/graph/commands";
import { nodeName, type GraphNode } from "@/graph/graph";
import { useEditor, useEditorStore } from "../store/editor-context";
import classes from "./inspector.module.css";

export function InspectorHead({ node, renaming }: { node: GraphNode; renaming: number }) {
  const store = useEditorStore();
  const kind = useEditor((state) => state.kinds.get(node.kind));
  return (
    <header className={classes["head"]}>
      <span className={classes["tile"]}>
        <Icon name={kindIcon(kind?.icon ?? "alert")} />
      </span>
      <div className="hd-grow">
        <NameField key={nodeName(node)} node={node} renaming={renaming} />
        <p className={classes["meta"]}>
          <span className="hd-mono">{node.kind}</span> ·{" "}
          <span className="hd-mono" title="How expressions name this node">
            nodes.{node.id}
          </span>
          <CopyButton text={`nodes.${node.id}.output`} label="Copy the reference" iconOnly />
        </p>
      </div>
      <NodeMenu node={node} />
      <ActionIcon size="xs" aria-label="Close" onClick={() => store.getState().select([])}>
        <Icon name="x" />
      </ActionIcon>
    </header>
  );
}

function NameField({ node, renaming }: { node: GraphNode; renaming: number }) {
  const store = useEditorStore();
  const [name, setName] = useState(nodeName(node));
  const [first] = useState(renaming);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (renaming !== first) input.current?.select();
  }, [renaming, first]);
  const keep = () => {
    if (name.trim() && name !== nodeName(node))
      store.getState().edit(renameNode(node.id, name), { label: "Rename" });
    else setName(nodeName(node));
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") event.currentTarget.blur();
    if (event.key === "Escape") setName(nodeName(node));
  };
  return (
    <input
      ref={input}
      className={classes["name"]}
      aria-label="Name of the node"
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={keys}
    />
  );
}

function NodeMenu({ node }: { node: GraphNode }) {
  const store = useEditorStore();
  const off = node.disabled === true;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="xs" aria-label="More for this node">
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="pause" size={14} />}
          onClick={() =>
            store.getState().edit(setDisabled([node.id], !off), { label: off ? "Switch on" : "Switch off" })
          }
        >
          {off ? "Switch on" : "Switch off"}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<Icon name="trash" size={14} />}
          onClick={() =>
            store
              .getState()
              .edit(deleteParts(store.getState().document, [node.id], []), { label: "Delete a node" })
          }
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
