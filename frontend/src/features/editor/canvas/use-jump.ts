/** Brings the node somebody asked for into view. */
import { useReactFlow } from "@xyflow/react";
import { useEffect, useEffectEvent } from "react";
import { NODE_HEIGHT, NODE_WIDTH } from "@/graph/layout";
import type { Places } from "@/graph/ways";
import { useEditor } from "../store/editor-context";

export function useJump(places: Places): void {
  const jump = useEditor((state) => state.jump);
  const flow = useReactFlow();
  const show = useEffectEvent((nodeId: string) => {
    const place = places[nodeId];
    if (!place) return;
    void flow.setCenter(place.x + NODE_WIDTH / 2, place.y + NODE_HEIGHT / 2, {
      zoom: Math.max(0.6, flow.getZoom()),
      duration: 200,
    });
  });
  useEffect(() => {
    if (jump) show(jump.nodeId);
  }, [jump]);
}
