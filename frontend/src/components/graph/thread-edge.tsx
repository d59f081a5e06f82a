/** An edge as a thread: orthogonal, rounded, with its port's name and what a run did to it. */
import { BaseEdge, EdgeLabelRenderer, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import type { Point } from "@/graph/graph";
import { labelPoint, roundedPath } from "@/graph/route";
import { Icon } from "../icon";
import { useCanvasActions } from "./canvas-actions";
import classes from "./thread-edge.module.css";
import type { ThreadEdge as ThreadEdgeType } from "./types";

export const ThreadEdge = memo(function ThreadEdge({ id, data, selected }: EdgeProps<ThreadEdgeType>) {
  if (!data || data.points.length < 2) return null;
  return (
    <>
      <BaseEdge
        id={id}
        path={roundedPath(data.points)}
        interactionWidth={16}
        className={classes["thread"] ?? ""}
        data-thread={data.state}
        data-hot={selected || data.hot || undefined}
      />
      {data.label !== null && <ThreadLabel at={nameSpot(data.points)} state={data.state} text={data.label} />}
      {selected && <InsertButton id={id} at={labelPoint(data.points)} />}
    </>
  );
});

/** A port's name rides where its thread turns towards the target. */
function nameSpot(points: readonly Point[]): Point {
  const [first, second, third] = points;
  if (!first || !second) return { x: 0, y: 0 };
  if (third && Math.abs(third.x - first.x) < 40) return { x: (first.x + third.x) / 2, y: second.y };
  return third ? { x: third.x, y: second.y } : { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
}

function ThreadLabel({ at, text, state }: { at: Point; text: string; state: string }) {
  return (
    <EdgeLabelRenderer>
      <span className={classes["label"]} data-thread={state} style={placed(at)}>
        {text}
      </span>
    </EdgeLabelRenderer>
  );
}

function InsertButton({ id, at }: { id: string; at: Point }) {
  const actions = useCanvasActions();
  if (!actions) return null;
  return (
    <EdgeLabelRenderer>
      <button
        type="button"
        className={`${classes["insert"] ?? ""} nodrag nopan`}
        style={placed(at)}
        aria-label="Insert a node here"
        onClick={(event) => actions.insertOn(id, { x: event.clientX, y: event.clientY })}
      >
        <Icon name="plus" size={14} />
      </button>
    </EdgeLabelRenderer>
  );
}

function placed({ x, y }: Point) {
  return { transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` };
}
