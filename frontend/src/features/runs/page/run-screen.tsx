/** A run on a wide window: two columns, two rows. */
import { useState } from "react";
import { useRunState } from "../stream/run-context";
import { BottomPanel } from "./bottom-panel";
import { EventsPanel } from "./events-panel";
import { Headline } from "./headline";
import { RunBar } from "./run-bar";
import { RunCanvas } from "./run-canvas";
import classes from "./run-page.module.css";
import { StepPanel } from "./step-panel";
import { useFirstChoice } from "./use-first-choice";

export function RunScreen() {
  const [height, setHeight] = useState(256);
  const selected = useRunState((state) => state.selected);
  useFirstChoice();
  return (
    <div
      className={classes["screen"]}
      data-step={selected === null ? "closed" : "open"}
      style={{ gridTemplateRows: `48px 44px minmax(0, 1fr) ${height}px` }}
    >
      <RunBar />
      <Headline />
      <main className={classes["canvas"]} aria-label="The run's graph">
        <RunCanvas />
      </main>
      {selected !== null && <StepPanel key={selected} stepId={selected} />}
      <BottomPanel height={height} onHeight={setHeight} />
      <EventsPanel />
    </div>
  );
}
