/** The keys of the canvas, as people know them from other editors. */
import { useReactFlow } from "@xyflow/react";
import { useEffect, useEffectEvent } from "react";
import { downstream, upstream } from "@/graph/connect";
import { isMod, isWriting } from "@/lib/keys";
import type { Places } from "@/graph/boxes";
import { useEditorStore } from "../store/editor-context";
import type { Commands } from "./use-commands";
import { walk, type Arrow } from "./walk";

export interface CanvasKeyActions {
  commands: Commands;
  places: Places;
  openSearch: () => void;
  rename: () => void;
  run: () => void;
  saveNow: () => void;
  showShortcuts: () => void;
  findInPalette: () => void;
}

type Action = (event: KeyboardEvent) => void;

export function useCanvasKeys(actions: CanvasKeyActions): void {
  const store = useEditorStore();
  const flow = useReactFlow();
  const { commands } = actions;

  const walkBy: Action = (event) => {
    const { document, selectedNodes, select } = store.getState();
    const from = selectedNodes.at(-1);
    if (from === undefined) return;
    if (event.shiftKey) {
      const more = event.key === "ArrowUp" ? upstream(document, from) : downstream(document, from);
      select([...new Set([...selectedNodes, ...more])]);
      return;
    }
    const next = walk(document, actions.places, from, event.key as Arrow);
    if (next === null) return;
    select([next]);
    focusNode(next);
  };

  const plain: Record<string, Action> = {
    Delete: commands.deleteSelected,
    Backspace: commands.deleteSelected,
    Tab: actions.openSearch,
    F2: actions.rename,
    Enter: focusInspector,
    Escape: () => store.getState().select([]),
    "?": actions.showShortcuts,
    "/": actions.findInPalette,
    d: commands.toggleDisabled,
    L: () => void commands.tidy(),
    "1": () => void flow.fitView({ padding: 0.12, maxZoom: 1, duration: 200 }),
    "0": () => void flow.zoomTo(1, { duration: 120 }),
    "+": () => void flow.zoomIn({ duration: 120 }),
    "-": () => void flow.zoomOut({ duration: 120 }),
    ArrowUp: walkBy,
    ArrowDown: walkBy,
    ArrowLeft: walkBy,
    ArrowRight: walkBy,
  };
  const withMod: Record<string, Action> = {
    z: (event) => (event.shiftKey ? store.getState().redo() : store.getState().undo()),
    y: store.getState().redo,
    a: commands.selectAll,
    d: commands.duplicate,
    Delete: commands.bypassSelected,
    Backspace: commands.bypassSelected,
  };
  const anywhere: Record<string, Action> = { s: actions.saveNow, Enter: actions.run };

  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isInOverlay(event.target)) return;
    const action = actionFor(event, { plain, withMod, anywhere });
    if (!action) return;
    event.preventDefault();
    // Arrows walk here; left to React Flow they would move the node as well.
    if (event.key.startsWith("Arrow")) event.stopPropagation();
    action(event);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event);
    window.addEventListener("keydown", listener, true);
    return () => window.removeEventListener("keydown", listener, true);
  }, []);
}

interface Keymaps {
  plain: Record<string, Action>;
  withMod: Record<string, Action>;
  anywhere: Record<string, Action>;
}

function actionFor(event: KeyboardEvent, { plain, withMod, anywhere }: Keymaps): Action | undefined {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const writing = isWriting(event.target);
  if (isMod(event)) return anywhere[key] ?? (writing ? undefined : withMod[key]);
  if (writing || event.altKey || event.ctrlKey || event.metaKey) return undefined;
  return belongsElsewhere(event) ? undefined : plain[event.key];
}

const PRESSING = new Set(["Enter", "Tab", " "]);

/** Buttons keep the keys that press them, and Shift+Tab always leads back. */
function belongsElsewhere(event: KeyboardEvent): boolean {
  if (event.key === "Tab" && event.shiftKey) return true;
  return PRESSING.has(event.key) && isControl(event.target);
}

/** Buttons, links and menus keep their own keys. */
function isControl(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target === document.body) return false;
  return target.closest(".react-flow__node, .react-flow__pane, .react-flow__edge") === null;
}

function isInOverlay(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null
  );
}

function focusInspector(): void {
  document
    .querySelector<HTMLElement>("[data-inspector] :is(input, textarea, .cm-content, button[role=tab])")
    ?.focus();
}

function focusNode(id: string): void {
  requestAnimationFrame(() => {
    document
      .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
      ?.focus({ preventScroll: true });
  });
}
