/** The ports of a card, with a hit area wider than the circle and `+` to add what follows. */
import { Handle, Position, useUpdateNodeInternals } from "@xyflow/react";
import { useEffect, useRef } from "react";
import type { Card } from "@/graph/flow";
import { Icon } from "../icon";
import { useCanvasActions } from "./canvas-actions";
import classes from "./card-node.module.css";

interface CardPortsProps {
  card: Card;
  direction: "down" | "right";
}

export function CardPorts({ card, direction }: CardPortsProps) {
  const down = direction === "down";
  useMeasuredPorts(card, direction);
  const place = (at: number) => (down ? { left: `${at * 100}%` } : { top: `${at * 100}%` });
  return (
    <>
      {card.ins.map((port) => (
        <Handle
          key={port.name}
          id={port.name}
          type="target"
          position={down ? Position.Top : Position.Left}
          className={classes["port"] ?? ""}
          style={place(port.at)}
          role="group"
          aria-label={`${card.name}, port ${port.name}`}
        />
      ))}
      {card.outs.map((port) => (
        <Handle
          key={port.name}
          id={port.name}
          type="source"
          position={down ? Position.Bottom : Position.Right}
          className={classes["port"] ?? ""}
          style={place(port.at)}
          role="group"
          aria-label={`${card.name}, port ${port.name}`}
        >
          <AddAfter card={card} port={port.name} />
        </Handle>
      ))}
    </>
  );
}

/** React Flow measures ports once: it is told when a node got others, so that edges can start there. */
function useMeasuredPorts(card: Card, direction: string): void {
  const measure = useUpdateNodeInternals();
  const ports = [direction, ...card.ins, "", ...card.outs]
    .map((port) => (typeof port === "string" ? port : port.name))
    .join(" ");
  const measured = useRef(ports);
  useEffect(() => {
    if (measured.current === ports) return;
    measured.current = ports;
    measure(card.id);
  }, [measure, card.id, ports]);
}

function AddAfter({ card, port }: { card: Card; port: string }) {
  const actions = useCanvasActions();
  if (!actions) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${classes["add"] ?? ""} nodrag nopan`}
      aria-label={`Add a node after ${card.name}${port === "out" ? "" : `, port ${port}`}`}
      onClick={(event) => actions.addAfter({ node: card.id, port }, { x: event.clientX, y: event.clientY })}
    >
      <Icon name="plus" size={12} />
    </button>
  );
}
