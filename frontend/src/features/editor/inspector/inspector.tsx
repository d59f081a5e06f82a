/** The inspector: settings, policy and last output of the chosen node. */
import { ActionIcon } from "@mantine/core";
import { useEffect, useState } from "react";
import { Icon, kindIcon } from "@/components/icon";
import { PanelTabs } from "@/components/panel-tabs";
import { findNode, type GraphNode } from "@/graph/graph";
import { useEditor, useEditorStore } from "../store/editor-context";
import { InspectorHead } from "./inspector-head";
import classes from "./inspector.module.css";
import { OutputTab } from "./output-tab";
import { PolicyTab } from "./policy-tab";
import { SettingsTab } from "./settings-tab";
import { WorkflowPanel } from "./workflow-panel";

interface InspectorProps {
  renaming: number;
}

export function Inspector({ renaming }: InspectorProps) {
  const document = useEditor((state) => state.document);
  const selected = useEditor((state) => state.selectedNodes);
  const node = selected.length === 1 ? findNode(document, selected[0] ?? "") : undefined;
  if (node) return <NodeInspector key={node.id} node={node} renaming={renaming} />;
  return selected.length > 1 ? <ManyPanel count={selected.length} /> : <WorkflowPanel />;
}

function NodeInspector({ node, renaming }: { node: GraphNode; renaming: number }) {
  const [tab, setTab] = useState<string | null>("settings");
  const jump = useEditor((state) => state.jump);
  const [seen, setSeen] = useState(jump?.token);
  if (jump && jump.token !== seen) {
    setSeen(jump.token);
    if (jump.field !== null) setTab("settings");
  }
  useScrollToField(node.id);
  return (
    <aside className={classes["panel"]} data-inspector aria-label={`Settings of ${node.label ?? node.id}`}>
      <InspectorHead node={node} renaming={renaming} />
      <PanelTabs
        value={tab}
        onChange={setTab}
        bodyClass={classes["body"]}
        tabs={[
          { value: "settings", label: "Settings", content: <SettingsTab node={node} /> },
          { value: "policy", label: "Policy", content: <PolicyTab node={node} /> },
          { value: "output", label: "Output", content: <OutputTab nodeId={node.id} /> },
        ]}
      />
    </aside>
  );
}

/** Brings the setting an issue points at into view and puts the cursor there. */
function useScrollToField(nodeId: string): void {
  const jump = useEditor((state) => state.jump);
  useEffect(() => {
    if (jump?.nodeId !== nodeId || jump.field === null) return undefined;
    const { field } = jump;
    const frame = requestAnimationFrame(() => {
      const place = window.document.querySelector<HTMLElement>(
        `[data-inspector] [data-field="${CSS.escape(field)}"]`,
      );
      place?.scrollIntoView({ block: "center" });
      place
        ?.querySelector<HTMLElement>("input, textarea, .cm-content, button")
        ?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [jump, nodeId]);
}

function ManyPanel({ count }: { count: number }) {
  const store = useEditorStore();
  const document = useEditor((state) => state.document);
  const kinds = useEditor((state) => state.kinds);
  const selected = useEditor((state) => state.selectedNodes);
  return (
    <aside className={classes["panel"]} aria-label="Chosen nodes">
      <header className={classes["head"]}>
        <div className="hd-grow">
          <h2>{count} nodes chosen</h2>
          <p className="hd-micro hd-muted">Move, copy or delete them together.</p>
        </div>
        <ActionIcon size="xs" aria-label="Choose none" onClick={() => store.getState().select([])}>
          <Icon name="x" />
        </ActionIcon>
      </header>
      <ul className={classes["chosen"]}>
        {selected.map((id) => {
          const node = findNode(document, id);
          return node ? (
            <li key={id}>
              <button type="button" onClick={() => store.getState().jumpTo(id)}>
                <Icon name={kindIcon(kinds.get(node.kind)?.icon ?? "alert")} />
                <span className="hd-cut">{node.label ?? node.id}</span>
              </button>
            </li>
          ) : null;
        })}
      </ul>
    </aside>
  );
}
