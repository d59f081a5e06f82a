/** Drawing an edge by hand: what fits, why something does not, and a node where the thread ends in the open. */
import type { Connection, Edge, FinalConnectionState, IsValidConnection, OnConnectEnd } from "@xyflow/react";
import { useReactFlow } from "@xyflow/react";
import { useEffect, useState } from "react";
import type { ThreadEdge } from "@/components/graph/types";
import { StateIcon } from "@/components/state-icon";
import { NODE_WIDTH } from "@/graph/boxes";
import { connect } from "@/graph/commands";
import { checkConnection } from "@/graph/connect";
import type { Point } from "@/graph/graph";
import { useEditorStore } from "../store/editor-context";
import type { Adding } from "./editor-canvas";
import classes from "./editor-canvas.module.css";

export interface Refusal {
  reason: string;
  at: Point;
}

const SHOWN_MS = 4000;

export function useConnecting(setAdding: (adding: Adding | null) => void) {
  const store = useEditorStore();
  const flow = useReactFlow();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  useEffect(() => {
    if (!refusal) return undefined;
    const timer = setTimeout(() => setRefusal(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [refusal]);

  const check = (connection: Connection | Edge) => {
    const { document, kinds } = store.getState();
    return checkConnection(document, kinds, {
      from: { node: connection.source, port: connection.sourceHandle ?? "out" },
      to: { node: connection.target, port: connection.targetHandle ?? "in" },
    });
  };
  const onConnect = (connection: Connection) => {
    const verdict = check(connection);
    if (verdict.ok)
      store.getState().edit(connect(store.getState().document, verdict.edge), { label: "Connect" });
  };
  const onConnectEnd: OnConnectEnd = (event, end) => {
    if (end.isValid === true || !end.fromNode) return;
    const at = pointOf(event);
    if (end.toNode) {
      const verdict = end.toHandle ? check(asConnection(end)) : null;
      if (verdict?.ok === false) setRefusal({ reason: verdict.reason, at });
    } else if (end.fromHandle.type === "source") {
      const place = flow.screenToFlowPosition(at);
      const from = { node: end.fromNode.id, port: end.fromHandle.id ?? "out" };
      setAdding({ screen: at, at: { x: place.x - NODE_WIDTH / 2, y: place.y }, from });
    }
  };
  const isValidConnection: IsValidConnection<ThreadEdge> = (connection) => check(connection).ok;

  return {
    refusal,
    refuse: (reason: string, at: Point) => setRefusal({ reason, at }),
    props: {
      onConnect,
      onConnectEnd,
      isValidConnection,
      connectionRadius: 24,
      onConnectStart: () => setRefusal(null),
    },
  };
}

/** The ends in the direction of the thread, whichever of them the drag began at. */
function asConnection({ fromHandle, toHandle }: FinalConnectionState): Connection {
  const [source, target] = fromHandle?.type === "target" ? [toHandle, fromHandle] : [fromHandle, toHandle];
  const [from, to] = [endOf(source), endOf(target)];
  return { source: from.node, sourceHandle: from.port, target: to.node, targetHandle: to.port };
}

function endOf(handle: FinalConnectionState["toHandle"]): { node: string; port: string | null } {
  return { node: handle?.nodeId ?? "", port: handle?.id ?? null };
}

function pointOf(event: MouseEvent | TouchEvent): Point {
  const touch = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 };
}

export function RefusalNote({ refusal: { reason, at } }: { refusal: Refusal }) {
  return (
    <p role="alert" className={classes["refusal"]} style={{ left: at.x + 12, top: at.y + 12 }}>
      <StateIcon state="failed" decorative />
      {reason}
    </p>
  );
}
