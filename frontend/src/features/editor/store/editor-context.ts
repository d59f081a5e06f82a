/** Hands the open editor's store to everything inside it. */
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { EditorState, EditorStore } from "./editor-store";

export const EditorStoreContext = createContext<EditorStore | null>(null);

export function useEditorStore(): EditorStore {
  const store = useContext(EditorStoreContext);
  if (!store) throw new Error("This part belongs inside an open editor.");
  return store;
}

export function useEditor<T>(select: (state: EditorState) => T): T {
  return useStore(useEditorStore(), select);
}
