/** Takes a file that is dropped anywhere on the page. */
import { useEffect, useEffectEvent } from "react";

export function useFileDrop(onFile: (file: File) => void): void {
  const dropped = useEffectEvent((event: DragEvent) => {
    const file = event.dataTransfer?.files.item(0);
    if (event.defaultPrevented || !file) return;
    event.preventDefault();
    onFile(file);
  });
  useEffect(() => {
    const allow = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    };
    const drop = (event: DragEvent) => dropped(event);
    window.addEventListener("dragover", allow);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", allow);
      window.removeEventListener("drop", drop);
    };
  }, []);
}
