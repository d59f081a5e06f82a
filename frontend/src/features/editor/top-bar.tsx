/** The editor's top bar: name, how the draft is saved, issues, publish and run. */
import { Button, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "@/components/icon";
import { CrumbSeparator, WorkflowBar, WorkflowTabs } from "@/components/workflow-bar";
import { renameWorkflow } from "@/graph/commands";
import { formatCount } from "@/lib/format";
import { modKey } from "@/lib/keys";
import { IssuesButton } from "./issues-button";
import { SavedState } from "./saved-state";
import { useEditor, useEditorStore } from "./store/editor-context";
import classes from "./editor.module.css";

interface TopBarProps {
  issuesOpen: boolean;
  setIssuesOpen: (open: boolean) => void;
  onRun: (ask: boolean) => void;
  starting: boolean;
  onPublish: () => void;
  onRetrySave: () => void;
}

export function TopBar({ issuesOpen, setIssuesOpen, onRun, starting, onPublish, onRetrySave }: TopBarProps) {
  const id = useEditor((state) => state.workflowId);
  return (
    <WorkflowBar
      crumbs={
        <>
          <Link to="/workflows">Workflows</Link>
          <CrumbSeparator />
          <WorkflowName />
        </>
      }
      status={<SavedState onRetry={onRetrySave} />}
      tabs={<WorkflowTabs id={id} />}
    >
      <IssuesButton open={issuesOpen} setOpen={setIssuesOpen} />
      <PublishButton onPublish={onPublish} />
      <RunButton onRun={onRun} starting={starting} />
    </WorkflowBar>
  );
}

function WorkflowName() {
  const store = useEditorStore();
  const held = useEditor((state) => state.document.name);
  const [name, setName] = useState<string | null>(null);
  const keep = () => {
    if (name?.trim() && name.trim() !== held) {
      store.getState().edit(renameWorkflow(name.trim()), { label: "Rename the workflow" });
    }
    setName(null);
  };
  return (
    <input
      className={classes["workflowName"]}
      aria-label="Name of the workflow"
      size={Math.max(8, Math.min(36, (name ?? held).length))}
      value={name ?? held}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setName(null);
      }}
    />
  );
}

function PublishButton({ onPublish }: { onPublish: () => void }) {
  const latest = useEditor((state) => state.latestVersion);
  const errors = useEditor((state) => state.issues.filter((issue) => issue.severity === "error").length);
  const unchanged = useEditor(
    (state) => state.latestVersion !== null && !state.draftChanged && state.save.status === "saved",
  );
  const reason = errors
    ? `Mend ${formatCount(errors, "error")} first`
    : unchanged
      ? `The draft is version ${latest ?? 0}: there is nothing to publish`
      : "Make this draft a version that stays as it is";
  return (
    <Tooltip label={reason} openDelay={400}>
      <Button
        size="xs"
        variant="default"
        className={classes["publish"] ?? ""}
        leftSection={<Icon name="publish" size={14} />}
        aria-disabled={errors > 0 || unchanged}
        data-nothing={errors > 0 || unchanged}
        onClick={() => {
          if (!errors && !unchanged) onPublish();
        }}
      >
        Publish v{(latest ?? 0) + 1}
      </Button>
    </Tooltip>
  );
}

function RunButton({ onRun, starting }: Pick<TopBarProps, "onRun" | "starting">) {
  const empty = useEditor((state) => !state.document.nodes.length);
  return (
    <Button.Group>
      <Button
        size="xs"
        loading={starting}
        disabled={empty}
        leftSection={<Icon name="play" size={14} />}
        onClick={() => onRun(false)}
      >
        Run <span className={classes["key"]}>{modKey === "⌘" ? "⌘↵" : "Ctrl ↵"}</span>
      </Button>
      <Tooltip label="With a deadline, a priority or a budget" openDelay={400}>
        <Button
          size="xs"
          px={6}
          className={classes["runWith"] ?? ""}
          disabled={empty || starting}
          aria-label="Start with more settings"
          onClick={() => onRun(true)}
        >
          <Icon name="down" size={14} />
        </Button>
      </Tooltip>
    </Button.Group>
  );
}
