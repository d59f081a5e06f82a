/** Brings the node somebody asked for into view. */
import { useReactFlow } from "@xyflow/react";
import { useEffect, useEffectEvent } from "react";
import type { Boxes } from "@/graph/boxes";
import { useEditor } from "../store/editor-context";

export function useJump(boxes: Boxes): void {
  const jump = useEditor((state) => state.jump);
  const flow = useReactFlow();
  const show = useEffectEvent((nodeId: string) => {
    const box = boxes.get(nodeId);
    if (!box) return;
    void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, {
      zoom: Math.max(0.6, flow.getZoom()),
      duration: 200,
    });
  });
  useEffect(() => {
    if (jump) show(jump.nodeId);
  }, [jump]);
}
