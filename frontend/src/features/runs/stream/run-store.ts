/** What the page of one run knows: its view, its streams and its events, folded in batches. */
import { createStore, type StoreApi } from "zustand";
import type { SocketState } from "@/lib/socket";
import { applyDeltas, NO_STREAMS, type Delta, type Streams } from "@/run/deltas";
import { addRows, openItems, type StepRow } from "@/run/items";
import { reduceAll } from "@/run/reduce";
import { EMPTY_VIEW, type RunEvent, type RunView } from "@/run/view";

/** An item of a map, or a round of a loop, that the reader looks into. */
export interface OpenItem {
  /** The container it belongs to. */
  node: string;
  stepId: string;
  index: number;
  scope: number;
  /** In front of the paths of its steps: `each[3]/`. */
  prefix: string;
}

export interface RunState {
  view: RunView;
  streams: Streams;
  events: readonly RunEvent[];
  socket: SocketState | "none";
  /** All events up to now were read. */
  loaded: boolean;
  selected: string | null;
  /** Opened items, the outermost first. */
  items: readonly OpenItem[];
  /** How often the run was followed anew: a run that is retried begins to tell once more. */
  round: number;
  apply: (events: readonly RunEvent[], deltas: readonly Delta[]) => void;
  addRows: (rows: readonly StepRow[]) => void;
  /** Look into these items, one inside the other; nothing closes all. */
  open: (items: readonly OpenItem[]) => void;
  followAgain: () => void;
  set: (part: Partial<Pick<RunState, "socket" | "loaded" | "selected">>) => void;
}

export type RunStore = StoreApi<RunState>;

/** The list of events on the screen is bounded; the view holds what all of them came to. */
const KEPT_EVENTS = 5000;

export function createRunStore(): RunStore {
  return createStore<RunState>()((set) => ({
    view: EMPTY_VIEW,
    streams: NO_STREAMS,
    events: [],
    socket: "none",
    loaded: false,
    selected: null,
    items: [],
    round: 0,
    apply: (events, deltas) => set((state) => applied(state, events, deltas)),
    addRows: (rows) => set((state) => ({ view: addRows(state.view, rows) })),
    open: (items) => set((state) => opened(state, items)),
    followAgain: () => set((state) => ({ round: state.round + 1 })),
    set,
  }));
}

function applied(state: RunState, events: readonly RunEvent[], deltas: readonly Delta[]): Partial<RunState> {
  const fresh = events.filter((event) => event.seq > state.view.seq);
  const view = reduceAll(state.view, fresh);
  // Words of steps that nobody looks at are not kept: a map may stream by the hundred.
  const shown = deltas.filter((delta) => view.steps.has(delta.step_id));
  return {
    view,
    streams: applyDeltas(state.streams, shown),
    events: fresh.length ? [...state.events, ...fresh].slice(-KEPT_EVENTS) : state.events,
  };
}

function opened(state: RunState, items: readonly OpenItem[]): Partial<RunState> {
  const view = openItems(
    state.view,
    items.map((item) => item.prefix),
  );
  const streams = new Map([...state.streams].filter(([id]) => view.steps.has(id)));
  const selected = state.selected !== null && view.steps.has(state.selected) ? state.selected : null;
  return { items, view, streams, selected };
}
