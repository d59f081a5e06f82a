/** The graph of the run, as it was when it ran, with what happened to each node and each edge. */
import { useMemo, useState } from "react";
import { edgeCache, nodeCache } from "@/components/graph/flow-cache";
import { GraphView } from "@/components/graph/graph-view";
import { usePlaces } from "@/components/graph/use-places";
import { toCards, toThreads } from "@/graph/flow";
import { waysOf, type Places } from "@/graph/ways";
import { cardRun } from "@/run/card";
import { threadStates } from "@/run/threads";
import { useOpenRun, useRunState } from "../stream/run-context";
import { useCriticalPath } from "../stream/use-figures";

export function RunCanvas() {
  const { run, kinds } = useOpenRun();
  const places = usePlaces(run.document, kinds);
  return places ? <PlacedRun places={places} /> : null;
}

function PlacedRun({ places }: { places: Places }) {
  const { run, store } = useOpenRun();
  const nodes = useRunNodes(places);
  const edges = useRunEdges(places);
  const choose = (nodeId: string) => {
    const selected = store.getState().view.byNode.get(nodeId);
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
    />
  );
}

function useRunNodes(places: Places) {
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
          selected: stepId !== undefined && stepId === selected,
          dragging: false,
          direction,
          draggable: false,
        };
      }),
    );
  }, [cards, view, streams, selected, places, run.document, project]);
}

function useRunEdges(places: Places) {
  const { run, kinds } = useOpenRun();
  const view = useRunState((state) => state.view);
  const critical = useCriticalPath();
  const [project] = useState(edgeCache);
  const threads = useMemo(() => toThreads(run.document, kinds), [run.document, kinds]);
  const ways = useMemo(
    () => waysOf(toCards(run.document, kinds, []), threads, places, run.document.ui?.direction ?? "down"),
    [run.document, kinds, threads, places],
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
