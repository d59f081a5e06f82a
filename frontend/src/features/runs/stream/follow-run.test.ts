import { beforeEach, expect, test, vi } from "vitest";
import { fetchEvents } from "@/api/runs";
import type { RunEventPage } from "@/api/types";
import { openSocket } from "@/lib/socket";
import { readLog } from "@/testing/event-logs";
import { followRun } from "./follow-run";
import { createRunStore } from "./run-store";

vi.mock("@/api/runs");
vi.mock("@/lib/socket");

const { events } = readLog("parallel_success");
const page = (from: number, to: number, next: number | null) =>
  ({ results: events.slice(from, to), next, ended: next === null }) as RunEventPage;

beforeEach(() => {
  vi.mocked(openSocket).mockReturnValue({ close: vi.fn() });
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => {
    queueMicrotask(draw);
    return 0;
  });
});

test("a run that is over is read page by page and needs no socket", async () => {
  vi.mocked(fetchEvents).mockImplementation((_id, after) =>
    Promise.resolve(after === 0 ? page(0, 4, 4) : page(4, events.length, null)),
  );
  const store = createRunStore();

  followRun("r1", store);

  await vi.waitFor(() => expect(store.getState().loaded).toBe(true));
  expect(store.getState().view.status).toBe("succeeded");
  expect(openSocket).not.toHaveBeenCalled();
});

test("a live run is listened to from the last event that was read, until it ends", async () => {
  const close = vi.fn();
  vi.mocked(openSocket).mockReturnValue({ close });
  vi.mocked(fetchEvents).mockResolvedValue(page(0, 6, null));
  const store = createRunStore();
  followRun("r1", store);
  await vi.waitFor(() => expect(openSocket).toHaveBeenCalled());
  const options = vi.mocked(openSocket).mock.calls[0]?.[0];
  expect(options).toMatchObject({ path: "/ws/runs/r1/", after: 6 });

  for (const event of events.slice(4)) options?.onFrame({ event });

  await vi.waitFor(() => expect(store.getState().view.status).toBe("succeeded"));
  expect(store.getState().events).toHaveLength(events.length);
  expect(close).toHaveBeenCalledOnce();
});

test("while the server does not answer it is asked again", async () => {
  vi.useFakeTimers();
  vi.mocked(fetchEvents)
    .mockRejectedValueOnce(new Error("down"))
    .mockResolvedValue(page(0, events.length, null));
  const store = createRunStore();

  followRun("r1", store);
  await vi.advanceTimersByTimeAsync(1000);

  expect(store.getState().view.status).toBe("succeeded");
  vi.useRealTimers();
});
