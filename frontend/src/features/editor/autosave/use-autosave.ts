/** Keeps the open draft saved for as long as the editor is on the screen. */
import { useEffect, useRef } from "react";
import { saveDraft } from "@/api/workflows";
import { useEditorStore } from "../store/editor-context";
import { startAutosave, type Autosave } from "./autosave";
import { dropLocalCopy, keepLocalCopy } from "./local-copy";

const world = { save: saveDraft, keep: keepLocalCopy, drop: dropLocalCopy, now: Date.now };

/** Gives a function that saves at once and tells whether everything is on the server. */
export function useAutosave(): () => Promise<boolean> {
  const store = useEditorStore();
  const autosave = useRef<Autosave | null>(null);
  const flush = useRef(() => autosave.current?.flush() ?? Promise.resolve(true));
  useEffect(() => {
    const current = startAutosave(store, world);
    autosave.current = current;
    const leaving = () => void current.flush();
    window.addEventListener("pagehide", leaving);
    return () => {
      window.removeEventListener("pagehide", leaving);
      current.stop();
      autosave.current = null;
    };
  }, [store]);
  return () => flush.current();
}
