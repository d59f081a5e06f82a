/** The chosen step: its output as it comes, its tries, its settings, and why it waits. */
import { ActionIcon } from "@mantine/core";
import { Icon, kindIcon } from "@/components/icon";
import { PanelTabs } from "@/components/panel-tabs";
import { StateBadge } from "@/components/state-badge";
import { findNode, nodeName } from "@/graph/graph";
import { formatDuration } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import type { StepView } from "@/run/view";
import { useOpenRun, useRunState } from "../stream/run-context";
import { AttemptsTab } from "./attempts-tab";
import { ItemsTab } from "./items-tab";
import { StepFigures } from "./step-figures";
import { StepOutput } from "./step-output";
import { StepSettings } from "./step-settings";
import classes from "./step-panel.module.css";

export function StepPanel({ stepId }: { stepId: string }) {
  const step = useRunState((state) => state.view.steps.get(stepId));
  if (!step) return null;
  return (
    <aside className={classes["panel"]} aria-label="Step">
      <StepHead step={step} />
      <PanelTabs
        key={step.progress ? "container" : "step"}
        bodyClass={classes["body"]}
        below={<StepFigures step={step} />}
        tabs={[
          ...(step.progress ? [{ value: "items", label: "Items", content: <ItemsTab step={step} /> }] : []),
          { value: "output", label: "Output", content: <StepOutput step={step} /> },
          { value: "attempts", label: <AttemptsLabel step={step} />, content: <AttemptsTab step={step} /> },
          { value: "settings", label: "Settings", content: <StepSettings step={step} /> },
        ]}
      />
    </aside>
  );
}

function AttemptsLabel({ step }: { step: StepView }) {
  return (
    <>
      Attempts <span className={classes["count"]}>{step.attempts.length || step.attempt}</span>
    </>
  );
}

function StepHead({ step }: { step: StepView }) {
  const { run, kinds, store } = useOpenRun();
  const node = findNode(run.document, step.node);
  return (
    <header className={classes["head"]}>
      <span className={classes["tile"]}>
        <Icon name={kindIcon(kinds.get(node?.kind ?? "")?.icon ?? "alert")} />
      </span>
      <div className="hd-grow">
        <h2 className="hd-cut">{node ? nodeName(node) : step.path}</h2>
        <p className="hd-micro hd-muted hd-cut">
          <span className="hd-mono">{node?.kind ?? "unknown"}</span> ·{" "}
          <span className="hd-mono">{step.path}</span>
        </p>
      </div>
      <StepBadge step={step} />
      <ActionIcon size="xs" aria-label="Close" onClick={() => store.getState().set({ selected: null })}>
        <Icon name="x" />
      </ActionIcon>
    </header>
  );
}

function StepBadge({ step }: { step: StepView }) {
  if (step.status === "running" && step.startedAt !== null) return <RunningBadge since={step.startedAt} />;
  return <StateBadge state={step.status} />;
}

function RunningBadge({ since }: { since: number }) {
  const now = useNow();
  return (
    <StateBadge
      state="running"
      word={`running ${formatDuration(Math.max(0, Math.round((now - since) / 1000)))}`}
    />
  );
}
