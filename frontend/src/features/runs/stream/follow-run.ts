/** Follows a run: reads its events from the table, then listens; after a break it goes on where it was. */
import { fetchEvents } from "@/api/runs";
import { backoff } from "@/lib/backoff";
import { openSocket, type LiveSocket } from "@/lib/socket";
import { isFinal } from "@/lib/states";
import type { Delta } from "@/run/deltas";
import type { RunEvent } from "@/run/view";
import type { RunStore } from "./run-store";

interface Frame {
  event?: RunEvent;
  delta?: Delta;
}

/** Gives a function that stops following. */
export function followRun(runId: string, store: RunStore): () => void {
  const abort = new AbortController();
  const batch = makeBatch(store);
  let socket: LiveSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const catchUp = async () => {
    try {
      await readEvents(runId, store, abort.signal);
      store.getState().set({ loaded: true });
      if (!isFinal(store.getState().view.status)) listen();
    } catch {
      if (abort.signal.aborted) return;
      timer = setTimeout(() => void catchUp(), backoff(failures, Math.random()));
      failures += 1;
    }
  };

  const listen = () => {
    socket = openSocket({
      path: `/ws/runs/${runId}/`,
      after: store.getState().view.seq,
      onFrame: (frame) => batch.add(frame as Frame),
      onState: (state) => store.getState().set({ socket: state }),
    });
  };

  const stopWatching = store.subscribe((state) => {
    if (socket && isFinal(state.view.status)) {
      const finished = socket;
      socket = null;
      finished.close();
      store.getState().set({ socket: "none" });
    }
  });

  void catchUp();
  return () => {
    abort.abort();
    clearTimeout(timer);
    stopWatching();
    socket?.close();
    batch.stop();
  };
}

async function readEvents(runId: string, store: RunStore, signal: AbortSignal): Promise<void> {
  for (;;) {
    const page = await fetchEvents(runId, store.getState().view.seq, signal);
    store.getState().apply(page.results, []);
    if (page.next === null || !page.results.length) return;
  }
}

/** Frames come by the hundred; they are folded once for each picture the screen draws. */
function makeBatch(store: RunStore) {
  let events: RunEvent[] = [];
  let deltas: Delta[] = [];
  let cancel: (() => void) | null = null;
  const flush = () => {
    cancel = null;
    store.getState().apply(events, deltas);
    events = [];
    deltas = [];
  };
  return {
    add: ({ event, delta }: Frame) => {
      if (event) events.push(event);
      if (delta) deltas.push(delta);
      cancel ??= nextPicture(flush);
    },
    stop: () => cancel?.(),
  };
}

const HIDDEN_MS = 500;

/** A tab that nobody sees draws no pictures: there a timer takes their place. */
function nextPicture(draw: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(draw, HIDDEN_MS);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(draw);
  return () => cancelAnimationFrame(frame);
}
