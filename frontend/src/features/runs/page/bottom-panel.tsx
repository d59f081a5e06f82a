/** Below the graph: the timeline, and what went into the run and came out of it. */
import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import { PanelTabs } from "@/components/panel-tabs";
import { FiguresPanel } from "./figures-panel";
import { InputsAndOutputs } from "./inputs-and-outputs";
import classes from "./run-page.module.css";
import { Timeline } from "./timeline";

interface BottomPanelProps {
  height: number;
  onHeight: (height: number) => void;
}

export function BottomPanel({ height, onHeight }: BottomPanelProps) {
  return (
    <section className={classes["bottom"]} aria-label="Timeline and values">
      <ResizeHandle height={height} onHeight={onHeight} />
      <PanelTabs
        bodyClass={classes["bottomBody"]}
        beside={<Legend />}
        tabs={[
          { value: "timeline", label: "Timeline", content: <Timeline /> },
          { value: "figures", label: "Figures", content: <FiguresPanel /> },
          { value: "values", label: "Inputs and outputs", content: <InputsAndOutputs /> },
        ]}
      />
    </section>
  );
}

function Legend() {
  return (
    <div className={classes["legend"]} aria-hidden>
      <span>
        <i data-look="critical" />
        critical path
      </span>
      <span>
        <i data-look="wait" />
        waits for a place
      </span>
    </div>
  );
}

const KEY_STEP = 24;
const LEAST = 120;
const MOST = 640;

function ResizeHandle({ height, onHeight }: BottomPanelProps) {
  const last = useRef<number | null>(null);
  const onResize = (change: number) => onHeight(Math.min(MOST, Math.max(LEAST, height + change)));
  const move = (event: PointerEvent) => {
    if (last.current === null) return;
    onResize(last.current - event.clientY);
    last.current = event.clientY;
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "ArrowUp") onResize(KEY_STEP);
    if (event.key === "ArrowDown") onResize(-KEY_STEP);
  };
  return (
    <div
      className={classes["resize"]}
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the timeline"
      aria-valuenow={height}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onKeyDown={keys}
      onPointerDown={(event) => {
        last.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={move}
      onPointerUp={() => {
        last.current = null;
      }}
    />
  );
}
