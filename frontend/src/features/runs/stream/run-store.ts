/** What the page of one run knows: its view, its streams and its events, folded in batches. */
import { createStore, type StoreApi } from "zustand";
import type { SocketState } from "@/lib/socket";
import { applyDeltas, NO_STREAMS, type Delta, type Streams } from "@/run/deltas";
import { reduceAll } from "@/run/reduce";
import { EMPTY_VIEW, type RunEvent, type RunView } from "@/run/view";

export interface RunState {
  view: RunView;
  streams: Streams;
  events: readonly RunEvent[];
  socket: SocketState | "none";
  /** All events up to now were read. */
  loaded: boolean;
  selected: string | null;
  apply: (events: readonly RunEvent[], deltas: readonly Delta[]) => void;
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
    apply: (events, deltas) =>
      set((state) => {
        const fresh = events.filter((event) => event.seq > state.view.seq);
        return {
          view: reduceAll(state.view, fresh),
          streams: applyDeltas(state.streams, deltas),
          events: fresh.length ? [...state.events, ...fresh].slice(-KEPT_EVENTS) : state.events,
        };
      }),
    set,
  }));
}
