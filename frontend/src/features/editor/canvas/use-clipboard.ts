/** Copy, cut and paste of parts of the graph, as JSON text in the system's clipboard. */
import { useReactFlow } from "@xyflow/react";
import { useEffect, useEffectEvent, useRef } from "react";
import { isWriting } from "@/lib/keys";
import { useEditorStore } from "../store/editor-context";
import type { Commands } from "./use-commands";

export function useGraphClipboard(commands: Commands): void {
  const store = useEditorStore();
  const flow = useReactFlow();
  const pointer = useRef({ x: window.innerWidth / 2, y: window.innerHeight / 3 });

  const copied = useEffectEvent((event: ClipboardEvent) => {
    if (isWriting(event.target) || !store.getState().selectedNodes.length || hasTextSelected()) return;
    event.clipboardData?.setData("text/plain", commands.copySelected());
    event.preventDefault();
    if (event.type === "cut") commands.deleteSelected();
  });
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    if (isWriting(event.target)) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (commands.pasteText(text, flow.screenToFlowPosition(pointer.current))) event.preventDefault();
  });
  useEffect(() => {
    const copy = (event: ClipboardEvent) => copied(event);
    const paste = (event: ClipboardEvent) => pasted(event);
    const move = (event: PointerEvent) => {
      pointer.current = { x: event.clientX, y: event.clientY };
    };
    document.addEventListener("copy", copy);
    document.addEventListener("cut", copy);
    document.addEventListener("paste", paste);
    document.addEventListener("pointermove", move, { passive: true });
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", copy);
      document.removeEventListener("paste", paste);
      document.removeEventListener("pointermove", move);
    };
  }, []);
}

function hasTextSelected(): boolean {
  return (window.getSelection()?.toString() ?? "") !== "";
}
