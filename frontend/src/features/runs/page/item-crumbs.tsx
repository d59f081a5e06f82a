/** Which item of which container the cards inside show, and the way back to all of them. */
import { Panel } from "@xyflow/react";
import { Fragment } from "react";
import { Icon } from "@/components/icon";
import { nameOf } from "@/graph/adjacency";
import { useOpenRun, useRunState } from "../stream/run-context";
import classes from "./item-crumbs.module.css";

export function ItemCrumbs() {
  const { run, store } = useOpenRun();
  const items = useRunState((state) => state.items);
  if (!items.length) return null;
  const open = store.getState().open;
  return (
    <Panel position="top-left" className={classes["crumbs"] ?? ""}>
      <nav aria-label="Opened item">
        <button type="button" onClick={() => open([])}>
          All items
        </button>
        {items.map((item, depth) => (
          <Fragment key={item.prefix}>
            <Icon name="right" size={14} />
            <button
              type="button"
              aria-current={depth === items.length - 1 ? "location" : undefined}
              onClick={() => open(items.slice(0, depth + 1))}
            >
              {nameOf(run.document, item.node)} [{item.index}]
            </button>
          </Fragment>
        ))}
      </nav>
    </Panel>
  );
}
