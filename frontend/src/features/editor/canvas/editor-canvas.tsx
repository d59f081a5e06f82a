/** The canvas of the editor: draw, connect, insert, move, and see what is wrong where. */
import { useReactFlow } from "@xyflow/react";
import { useMemo, type DragEvent, type MouseEvent } from "react";
import { CanvasActionsContext, type CanvasActions } from "@/components/graph/canvas-actions";
import { GraphView } from "@/components/graph/graph-view";
import { boxesOf, NODE_HEIGHT, NODE_WIDTH, type Places } from "@/graph/boxes";
import { edgeKey, type Point } from "@/graph/graph";
import { useEditor, useEditorStore } from "../store/editor-context";
import { UndoBar, ViewBar } from "./canvas-toolbars";
import classes from "./editor-canvas.module.css";
import { EmptyCanvas } from "./empty-canvas";
import { NodeSearch } from "./node-search";
import type { AddWhere, Commands } from "./use-commands";
import { RefusalNote, useConnecting } from "./use-connecting";
import { useFlowGraph } from "./use-flow-graph";
import { useJump } from "./use-jump";

export const DRAGGED_KIND = "application/x-heddle-kind";

export interface Adding extends AddWhere {
  screen: Point;
}

interface EditorCanvasProps {
  places: Places;
  commands: Commands;
  adding: Adding | null;
  setAdding: (adding: Adding | null) => void;
  onShowIssues: (nodeId: string) => void;
}

export function EditorCanvas({ places, commands, adding, setAdding, onShowIssues }: EditorCanvasProps) {
  const store = useEditorStore();
  const flow = useReactFlow();
  const boxes = useBoxes(places);
  const connecting = useConnecting(setAdding);
  const graph = useFlowGraph({ places, boxes, refuse: connecting.refuse });
  const count = useEditor((state) => state.document.nodes.length);
  useJump(boxes);

  const actions = useMemo<CanvasActions>(
    () => ({
      addAfter: (from, screen) => setAdding({ screen, from, at: null }),
      insertOn: (id, screen) => {
        const edge = store.getState().document.edges.find((each) => edgeKey(each) === id);
        setAdding({ screen, at: null, ...(edge ? { edge } : {}) });
      },
      showIssues: onShowIssues,
    }),
    [store, setAdding, onShowIssues],
  );
  const doubleClicked = (event: MouseEvent) => {
    if (!(event.target instanceof Element) || !event.target.classList.contains("react-flow__pane")) return;
    const screen = { x: event.clientX, y: event.clientY };
    setAdding({ screen, at: centred(flow.screenToFlowPosition(screen)) });
  };
  const dropped = (event: DragEvent) => {
    const kind = store.getState().kinds.get(event.dataTransfer.getData(DRAGGED_KIND));
    if (!kind) return;
    event.preventDefault();
    commands.add(kind, { at: centred(flow.screenToFlowPosition({ x: event.clientX, y: event.clientY })) });
  };

  return (
    <CanvasActionsContext value={actions}>
      <div
        className={classes["canvas"]}
        onDoubleClick={doubleClicked}
        onDrop={dropped}
        onDragOver={allowDrop}
      >
        <GraphView
          label={`Workflow graph, ${count} nodes`}
          {...graph}
          {...connecting.props}
          zoomOnDoubleClick={false}
          selectionOnDrag={false}
          multiSelectionKeyCode={["Shift", "Meta", "Control"]}
          snapToGrid
          snapGrid={[8, 8]}
          nodeDragThreshold={3}
        >
          <UndoBar />
          <ViewBar commands={commands} />
        </GraphView>
        {!count && <EmptyCanvas commands={commands} />}
        {connecting.refusal && <RefusalNote refusal={connecting.refusal} />}
        {adding && <AddHere adding={adding} commands={commands} onClose={() => setAdding(null)} />}
      </div>
    </CanvasActionsContext>
  );
}

function useBoxes(places: Places) {
  const document = useEditor((state) => state.document);
  const kinds = useEditor((state) => state.kinds);
  return useMemo(() => boxesOf(document, kinds, places), [document, kinds, places]);
}

function AddHere({ adding, commands, onClose }: { adding: Adding; commands: Commands; onClose: () => void }) {
  return (
    <NodeSearch
      at={adding.screen}
      needsEntry={adding.from !== undefined || adding.edge !== undefined}
      needsExit={adding.edge !== undefined}
      onClose={onClose}
      onPick={(kind) => {
        commands.add(kind, adding);
        onClose();
      }}
    />
  );
}

function allowDrop(event: DragEvent): void {
  if (event.dataTransfer.types.includes(DRAGGED_KIND)) event.preventDefault();
}

function centred({ x, y }: Point): Point {
  return { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 };
}
