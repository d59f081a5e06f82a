/** The canvas that the editor and a run share: dots, cards, threads, zoom bar and minimap. */
import "@xyflow/react/dist/base.css";
import { Background, MiniMap, ReactFlow, useStore, type ReactFlowProps } from "@xyflow/react";
import type { ReactNode } from "react";
import { BoxNode } from "./box-node";
import { CardNode } from "./card-node";
import classes from "./graph-view.module.css";
import { ThreadEdge } from "./thread-edge";
import type { CardNode as CardNodeType, ThreadEdge as ThreadEdgeType } from "./types";
import { Refit } from "./refit";
import { ZoomBar } from "./zoom-bar";

const nodeTypes = { card: CardNode, box: BoxNode };
const edgeTypes = { thread: ThreadEdge };
const FIT = { padding: 0.12, maxZoom: 1, duration: 0 };

interface GraphViewProps extends ReactFlowProps<CardNodeType, ThreadEdgeType> {
  label: string;
  minimap?: boolean;
  children?: ReactNode;
}

export function GraphView({ label, minimap = true, children, ...flow }: GraphViewProps) {
  const zoom = useStore((state) => zoomStep(state.transform[2]));
  return (
    <div className={classes["frame"]} data-zoom={zoom} role="group" aria-label={label}>
      <ReactFlow
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={FIT}
        minZoom={0.1}
        maxZoom={2}
        deleteKeyCode={null}
        onlyRenderVisibleElements={(flow.nodes?.length ?? 0) > 150}
        proOptions={{ hideAttribution: true }}
        {...flow}
      >
        <Background gap={16} size={2} />
        <Refit />
        {children}
        <ZoomBar />
        {minimap && (
          <MiniMap
            pannable
            zoomable
            position="bottom-right"
            className={classes["minimap"] ?? ""}
            style={{ width: 168, height: 112 }}
            nodeColor={nodeColour}
            nodeBorderRadius={14}
            maskStrokeColor="var(--hd-accent-fg)"
            maskStrokeWidth={1.5}
            ariaLabel="Minimap"
          />
        )}
      </ReactFlow>
    </div>
  );
}

function zoomStep(zoom: number): "full" | "plain" | "block" {
  if (zoom < 0.35) return "block";
  return zoom < 0.6 ? "plain" : "full";
}

function nodeColour(node: CardNodeType): string {
  if (node.type === "box") return "var(--hd-active)";
  if (node.selected === true) return "var(--hd-accent-fg)";
  if (node.data.run) return `var(--hd-${node.data.run.state}-solid)`;
  return node.data.card.errors ? "var(--hd-failed-solid)" : "var(--hd-line-3)";
}
