/** A run on a phone: figures, what went wrong, and the list of steps with their reasons. */
import { ActionIcon, Button, Drawer, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "@/components/icon";
import { StateIcon } from "@/components/state-icon";
import { findNode, nodeName } from "@/graph/graph";
import { formatDuration, formatMoney } from "@/lib/format";
import { stateOfRun } from "@/lib/states";
import { cardRun, durationOf } from "@/run/card";
import { progressWords } from "@/run/progress";
import { itemOf, type StepView } from "@/run/view";
import { shortId } from "../short-id";
import { useOpenRun, useRunState } from "../stream/run-context";
import { useFigures, useIsLive } from "../stream/use-figures";
import { FiguresPanel } from "./figures-panel";
import { InputsAndOutputs } from "./inputs-and-outputs";
import classes from "./phone-run.module.css";
import { PhoneGraph } from "./phone-graph";
import { RunActions } from "./run-actions";
import { StepPanel } from "./step-panel";

type Sheet = "graph" | "values" | null;

export function PhoneRun() {
  const { store } = useOpenRun();
  const selected = useRunState((state) => state.selected);
  const error = useRunState((state) => state.view.error);
  const [sheet, setSheet] = useState<Sheet>(null);
  return (
    <div className={classes["phone"]}>
      <PhoneBar onSheet={setSheet} />
      <main>
        <PhoneFacts />
        {error && (
          <p className={classes["error"]} role="alert">
            <StateIcon state="failed" decorative />
            {error.message}
          </p>
        )}
        <Steps />
        <FiguresPanel />
      </main>
      <Dock onValues={() => setSheet("values")} />
      <Drawer
        opened={selected !== null}
        onClose={() => store.getState().set({ selected: null })}
        position="bottom"
        size="85%"
        withCloseButton={false}
        padding={0}
      >
        {selected !== null && <StepPanel key={selected} stepId={selected} />}
      </Drawer>
      <Drawer
        opened={sheet === "values"}
        onClose={() => setSheet(null)}
        position="bottom"
        size="85%"
        title="Inputs and outputs"
      >
        <InputsAndOutputs />
      </Drawer>
      {sheet === "graph" && <PhoneGraph onClose={() => setSheet(null)} />}
    </div>
  );
}

function PhoneBar({ onSheet }: { onSheet: (sheet: Sheet) => void }) {
  const { run } = useOpenRun();
  const status = useRunState((state) => state.view.status);
  return (
    <header className={classes["bar"]}>
      <ActionIcon component={Link} to="/runs" size="md" aria-label="Back to the runs">
        <Icon name="left" />
      </ActionIcon>
      <div className="hd-grow">
        <h2 className="hd-cut">{run.workflow_name}</h2>
        <p className={classes["status"]} data-state={stateOfRun(status)} role="status">
          <StateIcon state={stateOfRun(status)} decorative />
          Run {shortId(run.id)} · {status}
        </p>
      </div>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="md" aria-label="More">
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onSheet("graph")}>Open the graph</Menu.Item>
          <Menu.Item onClick={() => onSheet("values")}>Inputs and outputs</Menu.Item>
          <Menu.Item component={Link} to={`/workflows/${run.workflow_id}`}>
            Edit the workflow
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </header>
  );
}

function PhoneFacts() {
  const { wallMs, workMs, speedUp, cost } = useFigures();
  const facts: [string, string][] = [
    ["wall", wallMs === null ? "–" : formatDuration(wallMs / 1000)],
    ["work", formatDuration(workMs / 1000)],
    ["in parallel", speedUp === null || speedUp < 1.05 ? "–" : `${speedUp.toFixed(1)}× faster`],
  ];
  if (cost !== null) facts.push(["cost", formatMoney(cost)]);
  return (
    <dl className={classes["facts"]}>
      {facts.map(([word, figure]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function Steps() {
  const view = useRunState((state) => state.view);
  const { done, total } = useFigures();
  const items = useRunState((state) => state.items);
  const { store } = useOpenRun();
  const steps = [...view.steps.values()];
  return (
    <section className={classes["steps"]} aria-label="Steps">
      <header>
        <h3 className="hd-grow">Steps</h3>
        <span className="hd-small hd-muted">
          {done} of {total} done
        </span>
      </header>
      {items.length > 0 && (
        <button type="button" className={classes["back"]} onClick={() => store.getState().open([])}>
          <Icon name="left" size={14} /> All items
        </button>
      )}
      <ul>
        {steps.map((step) => (
          <StepRow key={step.id} step={step} />
        ))}
      </ul>
    </section>
  );
}

function StepRow({ step }: { step: StepView }) {
  const { run, store } = useOpenRun();
  const view = useRunState((state) => state.view);
  const node = findNode(run.document, step.node);
  const card = cardRun(run.document, view, step.node, undefined);
  return (
    <li>
      <button
        type="button"
        data-state={step.status}
        onClick={() => store.getState().set({ selected: step.id })}
      >
        <StateIcon state={step.status} size={16} />
        <span className="hd-cut">{node ? nameInItem(nodeName(node), step) : step.path}</span>
        <span className={classes["words"]}>
          {card.retried && (
            <>
              <Icon name="retry" size={14} />
              {card.retried} ·{" "}
            </>
          )}
          <span className="hd-cut">{rowWords(step, card.words)}</span>
        </span>
      </button>
    </li>
  );
}

/** A step of an opened item says which one: `Summary [3]`. */
function nameInItem(name: string, step: StepView): string {
  const index = /\[(\d+)\]\/$/.exec(itemOf(step.path))?.[1];
  return index === undefined ? name : `${name} [${index}]`;
}

function rowWords(step: StepView, words: string): string {
  if (step.progress) return progressWords(step.progress);
  if (step.status === "running") return "running";
  return step.status === "succeeded" ? durationOf(step) : words;
}

function Dock({ onValues }: { onValues: () => void }) {
  const live = useIsLive();
  return (
    <footer className={classes["dock"]}>
      <RunActions size="md" />
      <Button size="md" variant="default" onClick={onValues}>
        {live ? "Inputs" : "Result"}
      </Button>
    </footer>
  );
}
