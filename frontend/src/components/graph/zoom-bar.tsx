/** Zoom out, the present size, zoom in, and fit: at the bottom left of every canvas. */
import { ActionIcon } from "@mantine/core";
import { Panel, useReactFlow, useStore } from "@xyflow/react";
import { Icon } from "../icon";
import classes from "./graph-view.module.css";

export function ZoomBar() {
  const flow = useReactFlow();
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  return (
    <Panel position="bottom-left" className={classes["float"] ?? ""} role="toolbar" aria-label="Zoom">
      <ActionIcon size="xs" aria-label="Zoom out" onClick={() => void flow.zoomOut({ duration: 120 })}>
        <Icon name="minus" />
      </ActionIcon>
      <span className={classes["percent"]}>{percent} %</span>
      <ActionIcon size="xs" aria-label="Zoom in" onClick={() => void flow.zoomIn({ duration: 120 })}>
        <Icon name="plus" />
      </ActionIcon>
      <ActionIcon
        size="xs"
        aria-label="Fit the graph"
        onClick={() => void flow.fitView({ padding: 0.12, maxZoom: 1, duration: 200 })}
      >
        <Icon name="fit" />
      </ActionIcon>
    </Panel>
  );
}
