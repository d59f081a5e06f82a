/** A node's card: one size in every state, its ports on the border. */
import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import type { Card } from "@/graph/flow";
import { formatCount } from "@/lib/format";
import { Icon, kindIcon } from "../icon";
import { useCanvasActions } from "./canvas-actions";
import { CardLine } from "./card-line";
import { CardPorts } from "./card-ports";
import classes from "./card-node.module.css";
import type { CardNode as CardNodeType } from "./types";

export const CardNode = memo(function CardNode({ data, selected }: NodeProps<CardNodeType>) {
  const { card, run, direction } = data;
  return (
    <>
      <div
        className={classes["card"]}
        data-selected={selected || undefined}
        data-unknown={!card.known || undefined}
        data-disabled={card.disabled || undefined}
        data-streaming={run?.stream != null || undefined}
        {...(run ? { "data-state": run.state, "data-run": true } : {})}
      >
        <div className={classes["face"]}>
          <span className={classes["tile"]}>
            <Icon name={kindIcon(card.icon)} />
          </span>
          <div className={classes["words"]}>
            <b className={classes["name"]}>{card.name}</b>
            {run ? <CardLine run={run} /> : <small className={classes["line"]}>{secondLine(card)}</small>}
          </div>
        </div>
        {run?.stream != null && (
          <p className={classes["stream"]}>
            {run.stream}
            <i className={classes["caret"]} />
          </p>
        )}
      </div>
      <CardPorts card={card} direction={direction} />
      <IssueBadge card={card} />
    </>
  );
});

export function secondLine(card: Card): string {
  return card.disabled ? "switched off" : card.summary;
}

export function IssueBadge({ card }: { card: Card }) {
  const actions = useCanvasActions();
  const count = card.errors + card.warnings;
  if (!actions || !count) return null;
  const words = [
    card.errors ? formatCount(card.errors, "error") : "",
    card.warnings ? formatCount(card.warnings, "warning") : "",
  ];
  return (
    <button
      type="button"
      className={`${classes["badge"] ?? ""} nodrag`}
      data-severity={card.errors ? "error" : "warning"}
      aria-label={`${words.filter(Boolean).join(", ")} at ${card.name}`}
      onClick={() => actions.showIssues(card.id)}
    >
      <Icon name="alert" size={12} />
      {count}
    </button>
  );
}
