/** A version as a graph that cannot be edited. */
import { useQuery } from "@tanstack/react-query";
import { ReactFlowProvider } from "@xyflow/react";
import { useMemo, useState } from "react";
import { nodeKindsQuery } from "@/api/node-kinds";
import { edgeCache, nodeCache } from "@/components/graph/flow-cache";
import { GraphView } from "@/components/graph/graph-view";
import { usePlaces } from "@/components/graph/use-places";
import { boxesOf } from "@/graph/boxes";
import { toCards, toThreads } from "@/graph/flow";
import type { GraphDocument } from "@/graph/graph";
import { indexKinds, type Kinds } from "@/graph/kinds";
import { waysOf } from "@/graph/ways";
import classes from "./versions.module.css";

export function VersionView({ document }: { document: GraphDocument }) {
  const kinds = useQuery(nodeKindsQuery);
  const known = useMemo(() => indexKinds(kinds.data ?? []), [kinds.data]);
  if (!kinds.data) return <div className={classes["canvas"]} />;
  return (
    <div className={classes["canvas"]}>
      <ReactFlowProvider>
        <StillGraph document={document} kinds={known} />
      </ReactFlowProvider>
    </div>
  );
}

function StillGraph({ document, kinds }: { document: GraphDocument; kinds: Kinds }) {
  const places = usePlaces(document, kinds);
  const [nodesOf] = useState(nodeCache);
  const [edgesOf] = useState(edgeCache);
  const direction = document.ui?.direction ?? "down";
  if (!places) return null;
  const cards = toCards(document, kinds, []);
  const threads = toThreads(document, kinds);
  const boxes = boxesOf(document, kinds, places);
  const ways = waysOf(cards, threads, boxes, direction);
  const nodes = nodesOf(
    cards.map((card) => ({
      card,
      run: null,
      place: places[card.id] ?? { x: 0, y: 0 },
      box: boxes.get(card.id),
      selected: false,
      dragging: false,
      direction,
      draggable: false,
    })),
  );
  const edges = edgesOf(
    threads.map((thread) => ({
      thread,
      selected: false,
      data: { points: ways.get(thread.id) ?? [], label: thread.label, state: "idle" as const, hot: false },
    })),
  );
  return (
    <GraphView
      label="The version's graph"
      nodes={nodes}
      edges={edges}
      nodesConnectable={false}
      elementsSelectable={false}
      minimap={false}
    />
  );
}
