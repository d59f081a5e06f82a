import { beforeEach, describe, expect, it, vi } from "vitest";
import { backoff } from "./backoff";
import { openSocket, type SocketState, type SocketWorld } from "./socket";

class FakeSocket {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  closed = false;
  readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  close() {
    this.closed = true;
  }
}

function makeWorld() {
  const sockets: FakeSocket[] = [];
  const state: { visible: boolean; wake: () => void } = { visible: true, wake: () => undefined };
  const world: SocketWorld = {
    connect: (address) => {
      const socket = new FakeSocket(address);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    random: () => 1,
    visible: () => state.visible,
    onWake: (wake) => {
      state.wake = wake;
      return () => {
        state.wake = () => undefined;
      };
    },
  };
  const last = () => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error("No socket was opened.");
    return socket;
  };
  return { sockets, state, world, last };
}

beforeEach(() => {
  vi.useFakeTimers();
});

describe("the socket", () => {
  it("hands on every frame", () => {
    const { world, last } = makeWorld();
    const frames: unknown[] = [];

    openSocket({ path: "/ws/runs/1/", onFrame: (frame) => frames.push(frame) }, world);
    last().onmessage?.({ data: '{"delta": {"text": "a"}}' });

    expect(frames).toEqual([{ delta: { text: "a" } }]);
  });

  it("asks for what followed the last event after a break", () => {
    const { world, last } = makeWorld();

    openSocket({ path: "/ws/runs/1/", after: 3, onFrame: () => undefined }, world);
    expect(last().address).toMatch(/^ws:.*\/ws\/runs\/1\/\?after=3$/u);
    last().onmessage?.({ data: '{"event": {"seq": 7}}' });
    last().onclose?.({ code: 1006 });
    vi.runAllTimers();

    expect(last().address).toMatch(/\?after=7$/u);
  });

  it("tells what state it is in", () => {
    const { world, last } = makeWorld();
    const states: SocketState[] = [];

    const socket = openSocket(
      { path: "/ws", onFrame: () => undefined, onState: (state) => states.push(state) },
      world,
    );
    last().onopen?.();
    last().onclose?.({ code: 1006 });
    socket.close();

    expect(states).toEqual(["connecting", "open", "interrupted", "closed"]);
  });

  it("does not ask again when it was refused", () => {
    const { world, sockets, last } = makeWorld();
    const states: SocketState[] = [];

    openSocket({ path: "/ws", onFrame: () => undefined, onState: (state) => states.push(state) }, world);
    last().onclose?.({ code: 4403 });
    vi.runAllTimers();

    expect([sockets.length, states.at(-1)]).toEqual([1, "refused"]);
  });

  it("waits with reconnecting while nobody looks, and reconnects at once when somebody does", () => {
    const { world, sockets, state, last } = makeWorld();

    openSocket({ path: "/ws", onFrame: () => undefined }, world);
    state.visible = false;
    last().onclose?.({ code: 1006 });
    vi.runAllTimers();
    expect(sockets).toHaveLength(1);

    state.visible = true;
    state.wake();
    expect(sockets).toHaveLength(2);
  });

  it("stays closed once it was closed", () => {
    const { world, sockets, state, last } = makeWorld();

    const socket = openSocket({ path: "/ws", onFrame: () => undefined }, world);
    socket.close();
    last().onclose?.({ code: 1000 });
    state.wake();
    vi.runAllTimers();

    expect([sockets.length, last().closed]).toEqual([1, true]);
  });
});

describe("the waiting between attempts", () => {
  it("grows with every failure up to a limit", () => {
    expect([0, 1, 2, 20].map((failures) => backoff(failures, 1))).toEqual([500, 1_000, 2_000, 15_000]);
  });

  it("is spread between half and the whole", () => {
    expect([backoff(1, 0), backoff(1, 0.5)]).toEqual([500, 750]);
  });
});
