/** Keeps the whole graph in view while panels open beside it, until the reader moves the canvas. */
import { useOnViewportChange, useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";

export function Refit() {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const flow = useReactFlow();
  const ours = useRef(true);
  const moved = useRef(false);
  useOnViewportChange({
    onStart: () => {
      if (!ours.current) moved.current = true;
    },
  });
  useEffect(() => {
    if (!width || !height || moved.current) return;
    ours.current = true;
    void flow.fitView({ padding: 0.12, maxZoom: 1, duration: 0 }).then(() => {
      ours.current = false;
    });
  }, [width, height, flow]);
  return null;
}
