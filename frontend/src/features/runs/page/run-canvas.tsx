/** The graph of the run, as it was when it ran, with what happened to each node and each edge. */
import { useMemo, useState } from "react";
import { edgeCache, nodeCache } from "@/components/graph/flow-cache";
import { GraphView } from "@/components/graph/graph-view";
import { usePlaces } from "@/components/graph/use-places";
import { boxesOf, type Boxes, type Places } from "@/graph/boxes";
import { toCards, toThreads } from "@/graph/flow";
import { containersAround } from "@/graph/nesting";
import { waysOf } from "@/graph/ways";
import { cardRun } from "@/run/card";
import { threadStates } from "@/run/threads";
import { useOpenRun, useRunState } from "../stream/run-context";
import { useCriticalPath } from "../stream/use-figures";
import { ChangesBanner } from "./changes-banner";
import { ItemCrumbs } from "./item-crumbs";

export function RunCanvas() {
  const { run, kinds } = useOpenRun();
  const places = usePlaces(run.document, kinds);
  return places ? <PlacedRun places={places} /> : null;
}

function PlacedRun({ places }: { places: Places }) {
  const { run, store } = useOpenRun();
  const boxes = useBoxes(places);
  const nodes = useRunNodes(places, boxes);
  const edges = useRunEdges(boxes);
  const choose = (nodeId: string) => {
    const { view } = store.getState();
    // Inside a container of which no item is open, a card stands for many steps: the container lists them.
    const around = containersAround(run.document, nodeId);
    const selected = [nodeId, ...around].map((id) => view.byNode.get(id)).find((id) => id !== undefined);
    if (selected !== undefined) store.getState().set({ selected });
  };
  return (
    <GraphView
      label={`Graph of the run, ${run.document.nodes.length} nodes`}
      nodes={nodes}
      edges={edges}
      nodesConnectable={false}
      nodesDraggable={false}
      edgesFocusable={false}
      onNodeClick={(_event, node) => choose(node.id)}
      onNodesChange={(changes) => {
        const chosen = changes.find((change) => change.type === "select" && change.selected);
        if (chosen?.type === "select") choose(chosen.id);
      }}
    >
      <ItemCrumbs />
      <ChangesBanner />
    </GraphView>
  );
}

function useBoxes(places: Places): Boxes {
  const { run, kinds } = useOpenRun();
  return useMemo(() => boxesOf(run.document, kinds, places), [run.document, kinds, places]);
}

function useRunNodes(places: Places, boxes: Boxes) {
  const { run, kinds } = useOpenRun();
  const view = useRunState((state) => state.view);
  const streams = useRunState((state) => state.streams);
  const selected = useRunState((state) => state.selected);
  const [project] = useState(nodeCache);
  const cards = useMemo(() => toCards(run.document, kinds, []), [run.document, kinds]);
  return useMemo(() => {
    const direction = run.document.ui?.direction ?? "down";
    return project(
      cards.map((card) => {
        const stepId = view.byNode.get(card.id);
        return {
          card,
          run: cardRun(run.document, view, card.id, stepId === undefined ? undefined : streams.get(stepId)),
          place: places[card.id] ?? { x: 0, y: 0 },
          box: boxes.get(card.id),
          selected: stepId !== undefined && stepId === selected,
          dragging: false,
          direction,
          draggable: false,
        };
      }),
    );
  }, [cards, view, streams, selected, places, boxes, run.document, project]);
}

function useRunEdges(boxes: Boxes) {
  const { run, kinds } = useOpenRun();
  const view = useRunState((state) => state.view);
  const critical = useCriticalPath();
  const [project] = useState(edgeCache);
  const threads = useMemo(() => toThreads(run.document, kinds), [run.document, kinds]);
  const ways = useMemo(
    () => waysOf(toCards(run.document, kinds, []), threads, boxes, run.document.ui?.direction ?? "down"),
    [run.document, kinds, threads, boxes],
  );
  return useMemo(() => {
    const states = threadStates(run.document, view, critical);
    return project(
      threads.map((thread) => ({
        thread,
        selected: false,
        data: {
          points: ways.get(thread.id) ?? [],
          label: thread.label,
          state: states.get(thread.id) ?? "idle",
          hot: false,
        },
      })),
    );
  }, [threads, ways, view, critical, run.document, project]);
}
