/** A container: its head, what it goes over or how far it is, and room for the cards inside. */
import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { PADDING } from "@/graph/boxes";
import type { Card } from "@/graph/flow";
import { progressWords, weaveCells } from "@/run/progress";
import type { CardRun } from "@/run/card";
import { Icon, kindIcon } from "../icon";
import classes from "./box-node.module.css";
import { CardLine } from "./card-line";
import { IssueBadge, secondLine } from "./card-node";
import { CardPorts } from "./card-ports";
import type { CardNode } from "./types";

export const BoxNode = memo(function BoxNode({ data, selected }: NodeProps<CardNode>) {
  const { card, run, direction } = data;
  return (
    <>
      <div
        className={classes["box"]}
        data-selected={selected || undefined}
        data-disabled={card.disabled || undefined}
        {...(run ? { "data-state": run.state, "data-run": true } : {})}
      >
        <header className={classes["head"]}>
          <Icon name={kindIcon(card.icon)} />
          <b className={classes["name"]}>{card.name}</b>
          {!run?.progress && <span className={classes["aside"]}>{run ? "" : card.aside}</span>}
          {run?.progress && <span className={classes["progress"]}>{progressWords(run.progress)}</span>}
        </header>
        <Strip card={card} run={run} />
        {card.inside === 0 && (
          <p className={classes["empty"]} style={{ top: PADDING.top }}>
            Drop nodes in here
          </p>
        )}
      </div>
      <CardPorts card={card} direction={direction} />
      <IssueBadge card={card} />
    </>
  );
});

function Strip({ card, run }: { card: Card; run: CardRun | null }) {
  if (!run) return <p className={classes["strip"]}>{secondLine(card)}</p>;
  if (!run.progress || run.progress.begun === 0)
    return (
      <div className={classes["strip"]}>
        <CardLine run={run} />
      </div>
    );
  return (
    <div className={classes["weave"]} role="img" aria-label={progressWords(run.progress)}>
      {weaveCells(run.progress).map((state, index) => (
        <i key={index} data-state={state} />
      ))}
    </div>
  );
}
