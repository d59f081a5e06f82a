/**
 * A WebSocket that comes back by itself.
 *
 * The server's tables are the truth and the socket is a hint, so after every break it asks for what followed the
 * last event it saw (`?after=seq`). A tab nobody looks at does not try to reconnect until somebody does.
 */
import { backoff } from "./backoff";

export type SocketState = "connecting" | "open" | "interrupted" | "refused" | "closed";

export interface SocketOptions {
  path: string;
  /** The last event already known; without it the socket carries no sequence. */
  after?: number;
  onFrame: (frame: unknown) => void;
  onState?: (state: SocketState) => void;
}

export interface LiveSocket {
  close: () => void;
}

/** What the socket needs of the browser, so that tests can bring their own. */
export interface SocketWorld {
  connect: (address: string) => WebSocket;
  random: () => number;
  visible: () => boolean;
  /** Calls back when a new attempt is worth it at once: the tab is looked at, or the network is back. */
  onWake: (wake: () => void) => () => void;
}

const browserWorld: SocketWorld = {
  connect: (address) => new WebSocket(address),
  random: Math.random,
  visible: () => document.visibilityState === "visible",
  onWake: (wake) => {
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    return () => {
      document.removeEventListener("visibilitychange", wake);
      window.removeEventListener("online", wake);
    };
  },
};

/** Codes with which the server says that asking again is of no use. */
const refusals = new Set([4400, 4401, 4403, 4404]);

export function openSocket(options: SocketOptions, world: SocketWorld = browserWorld): LiveSocket {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let after = options.after;
  let finished = false;
  const report = (state: SocketState) => options.onState?.(state);

  const connect = () => {
    timer = undefined;
    if (!world.visible()) return;
    report("connecting");
    const current = world.connect(addressOf(options.path, after));
    socket = current;
    current.onopen = () => {
      failures = 0;
      report("open");
    };
    current.onmessage = (message: MessageEvent<string>) => {
      const frame: unknown = JSON.parse(message.data);
      after = sequenceOf(frame) ?? after;
      options.onFrame(frame);
    };
    current.onclose = (event) => lost(current, event.code);
  };

  const lost = (current: WebSocket, code: number) => {
    if (socket !== current) return;
    socket = null;
    if (refusals.has(code)) {
      finish("refused");
      return;
    }
    report("interrupted");
    timer = setTimeout(connect, backoff(failures, world.random()));
    failures += 1;
  };

  const stopWaking = world.onWake(() => {
    if (finished || socket !== null || !world.visible()) return;
    clearTimeout(timer);
    connect();
  });

  const finish = (state: SocketState) => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    stopWaking();
    const current = socket;
    socket = null;
    current?.close(1000);
    report(state);
  };

  connect();
  return { close: () => finish("closed") };
}

function addressOf(path: string, after: number | undefined): string {
  const address = new URL(path, window.location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  if (after !== undefined) address.searchParams.set("after", String(after));
  return address.href;
}

function sequenceOf(frame: unknown): number | undefined {
  if (typeof frame !== "object" || frame === null || !("event" in frame)) return undefined;
  const event = frame.event;
  if (typeof event !== "object" || event === null || !("seq" in event)) return undefined;
  return typeof event.seq === "number" ? event.seq : undefined;
}
