/** The search that adds a node where one asked for it: type, choose by arrows, Enter. */
import { FocusTrap, Portal } from "@mantine/core";
import { useClickOutside } from "@mantine/hooks";
import { useState, type KeyboardEvent } from "react";
import { Icon, kindIcon } from "@/components/icon";
import type { Point } from "@/graph/graph";
import { searchKinds, type NodeKind } from "@/graph/kinds";
import { useEditor } from "../store/editor-context";
import classes from "./node-search.module.css";

interface NodeSearchProps {
  at: Point;
  /** Only kinds that something can lead into: the search was opened from a port or an edge. */
  needsEntry: boolean;
  needsExit: boolean;
  onPick: (kind: NodeKind) => void;
  onClose: () => void;
}

export function NodeSearch({ at, needsEntry, needsExit, onPick, onClose }: NodeSearchProps) {
  const kinds = useEditor((state) => state.kinds);
  const [search, setSearch] = useState("");
  const [active, setActive] = useState(0);
  const box = useClickOutside<HTMLDivElement>(onClose);
  const fitting = [...kinds.values()].filter(
    (kind) =>
      !(needsEntry && !kind.in_ports.length) && !(needsExit && !kind.out_ports.length && !kind.dynamic_ports),
  );
  const found = searchKinds(fitting, search);
  const current = Math.min(active, found.length - 1);

  const keys = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "ArrowDown") setActive(Math.min(current + 1, found.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(current - 1, 0));
    else if (event.key === "Enter" && found[current]) onPick(found[current]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Portal>
      <FocusTrap active>
        <div
          ref={box}
          className={classes["pop"]}
          style={placeOf(at)}
          role="dialog"
          aria-label="Add a node"
          onKeyDown={keys}
        >
          <label className={classes["search"]}>
            <Icon name="search" size={14} />
            <input
              data-autofocus
              placeholder="Find a node"
              aria-label="Find a node"
              role="combobox"
              aria-expanded
              aria-controls="node-search-list"
              aria-activedescendant={found[current] ? `node-search-${found[current].kind}` : undefined}
              value={search}
              onChange={(event) => {
                setSearch(event.currentTarget.value);
                setActive(0);
              }}
            />
          </label>
          <ul id="node-search-list" role="listbox" aria-label="Kinds of node" className={classes["list"]}>
            {found.map((kind, index) => (
              <Option key={kind.kind} kind={kind} active={index === current} onPick={onPick} />
            ))}
          </ul>
          {!found.length && <p className={classes["none"]}>No kind of node matches “{search}”.</p>}
        </div>
      </FocusTrap>
    </Portal>
  );
}

function Option({
  kind,
  active,
  onPick,
}: {
  kind: NodeKind;
  active: boolean;
  onPick: (kind: NodeKind) => void;
}) {
  return (
    <li
      id={`node-search-${kind.kind}`}
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: "nearest" });
      }}
      role="option"
      aria-selected={active}
      className={classes["option"]}
      onClick={() => onPick(kind)}
    >
      <Icon name={kindIcon(kind.icon)} />
      <span className={classes["title"]}>{kind.title}</span>
      <span className={classes["summary"]}>{kind.summary}</span>
    </li>
  );
}

function placeOf({ x, y }: Point) {
  return {
    left: Math.max(8, Math.min(x, window.innerWidth - 328)),
    top: Math.max(8, Math.min(y, window.innerHeight - 328)),
  };
}
