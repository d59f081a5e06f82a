/** The ports of a card, with a hit area wider than the circle and `+` to add what follows. */
import { Handle, Position } from "@xyflow/react";
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
          aria-label={`${card.name}, port ${port.name}`}
        >
          <AddAfter card={card} port={port.name} />
        </Handle>
      ))}
    </>
  );
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
