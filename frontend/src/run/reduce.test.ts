import { describe, expect, test } from "vitest";

import { eventLogs, foldLog, readLog, type EventLog } from "@/testing/event-logs";
import { addRows, openItems, type StepRow } from "./items";
import { reduce, reduceAll } from "./reduce";
import { EMPTY_VIEW, itemOf, stepOfNode } from "./view";
import type { RunView } from "./view";

function statuses(view: RunView) {
  return Object.fromEntries([...view.steps.values()].map((step) => [step.path, step.status]));
}

/** All items that a log tells of, opened at once: then the view holds every step, as the engine's does. */
function allItems(log: EventLog): string[] {
  return [...new Set(Object.keys(log.view.steps).map(itemOf))].filter(Boolean);
}

function atTheTop(log: EventLog) {
  return Object.fromEntries(Object.entries(log.view.steps).filter(([path]) => itemOf(path) === ""));
}

describe.each(eventLogs().map((log) => [log.name, log] as const))("the log %s", (_name, log) => {
  test("folds to the view the engine folds it to", () => {
    const view = reduceAll(EMPTY_VIEW, log.events);

    expect(view.status).toBe(log.view.status);
    expect(statuses(view)).toEqual(atTheTop(log));
  });

  test("folds to every step the engine knows where all items are opened", () => {
    const view = reduceAll(openItems(EMPTY_VIEW, allItems(log)), log.events);

    expect(statuses(view)).toEqual(log.view.steps);
  });

  test("folds to the same view one event at a time, and with every event twice", () => {
    const whole = reduceAll(EMPTY_VIEW, log.events);

    expect(log.events.reduce(reduce, EMPTY_VIEW)).toEqual(whole);
    expect(
      reduceAll(
        EMPTY_VIEW,
        log.events.flatMap((event) => [event, event]),
      ),
    ).toEqual(whole);
  });

  test("leaves the view it was given as it was", () => {
    const before = reduceAll(EMPTY_VIEW, log.events.slice(0, 3));
    const copy = structuredClone(before);

    reduceAll(before, log.events);

    expect(before).toEqual(copy);
  });
});

test("a step shows its tries, each with its error", () => {
  const fetch = stepOfNode(foldLog("retry_then_failure"), "fetch");

  expect(fetch?.attempts.map((attempt) => [attempt.number, attempt.outcome])).toEqual([
    [1, "failed"],
    [2, "failed"],
  ]);
  expect(fetch?.error?.message).toContain("503");
});

test("while a retry is due the step is ready and says when", () => {
  const retrying = readLog("retry_then_failure").events.find((event) => event.type === "step.retrying");
  const fetch = stepOfNode(foldLog("retry_then_failure", retrying?.seq), "fetch");

  expect(fetch).toMatchObject({ status: "ready", startedAt: null });
  expect(fetch?.notBefore).toBe(Date.parse("2026-01-05T10:00:02.020Z"));
});

test("a lost worker leaves its attempt as lost and the step goes on elsewhere", () => {
  const left = stepOfNode(foldLog("branch_with_skip"), "left");

  expect(left?.attempts.map((attempt) => attempt.outcome)).toEqual(["lost", "succeeded"]);
});

test("a step inside an item that nobody looks at is not kept", () => {
  const view = reduce(EMPTY_VIEW, {
    seq: 1,
    type: "step.ready",
    at: "2026-01-05T10:00:00Z",
    step_id: "s1",
    node: "each",
    path: "each[3]/summary",
    attempt: null,
    data: {},
  });

  expect(view.steps.size).toBe(0);
  expect(view.seq).toBe(1);
});

test("a container tells how far it is, and its nodes how many of their steps have ended", () => {
  const view = foldLog("map_with_progress");

  expect(stepOfNode(view, "each")?.progress).toEqual({ total: 3, begun: 3, done: 2, failed: 1 });
  expect(view.tallies.get("fetch")).toEqual({ succeeded: 2, failed: 1 });
});

test("the steps of the opened item alone are kept, and go when another is opened", () => {
  const { events } = readLog("map_with_progress");
  const opened = reduceAll(openItems(EMPTY_VIEW, ["each[1]/"]), events);

  expect(stepOfNode(opened, "fetch")).toMatchObject({ path: "each[1]/fetch", status: "failed" });
  expect(stepOfNode(openItems(opened, ["each[2]/"]), "fetch")).toBeUndefined();
  expect(stepOfNode(openItems(opened, []), "each")).toBeDefined();
});

test("rows of an opened item fill in what no event has told since", () => {
  const told = reduceAll(openItems(EMPTY_VIEW, ["each[2]/"]), readLog("map_with_progress").events);
  const known = stepOfNode(told, "fetch");
  const row = { ...ROW, id: known?.id ?? "", node: "fetch", path: "each[2]/fetch" };

  expect(stepOfNode(addRows(told, [row]), "fetch")?.status).toBe("succeeded");
  expect(stepOfNode(addRows(openItems(EMPTY_VIEW, ["each[2]/"]), [row]), "fetch")?.status).toBe("ready");
  expect(addRows(EMPTY_VIEW, [row]).steps.size).toBe(0);
});

test("a run that is retried has not ended, and what failed waits again with its history", () => {
  const retried = readLog("retried_run").events.find(
    (event) => event.type === "step.ready" && event.seq > 19,
  );
  const view = foldLog("retried_run", (retried?.seq ?? 0) - 1);

  expect(view).toMatchObject({ status: "running", finishedAt: null, error: null });
  expect(stepOfNode(view, "fetch")).toMatchObject({ status: "pending", startedAt: null, error: null });
  expect(stepOfNode(view, "fetch")?.attempts).toHaveLength(1);
  expect(view.tallies.get("call")?.failed).toBe(0);
});

test("a paused run says why, and steps that wait say what for", () => {
  const view = foldLog("paused_and_held");

  expect(view).toMatchObject({ status: "paused", reason: "The budget is used up." });
  expect(stepOfNode(view, "wait")?.waitsFor).toBe("signal");
  expect(stepOfNode(view, "call")).toMatchObject({ waitsFor: "workflow" });
  expect(stepOfNode(view, "call")?.childRunId).not.toBeNull();
  expect(stepOfNode(view, "a")?.attempts.at(-1)?.outcome).toBe("lost");
});

test("a changed graph brings its new steps and counts the change", () => {
  const view = foldLog("patched_run");

  expect(view.changes).toBe(1);
  expect(stepOfNode(view, "check")?.status).toBe("running");
});

const ROW: StepRow = {
  id: "s1",
  node: "fetch",
  path: "each[2]/fetch",
  status: "ready",
  attempt: 0,
  ready_at: "2026-01-05T10:00:00Z",
  not_before: null,
  waiting_until: null,
  started_at: null,
  finished_at: null,
  ports: [],
  error: null,
  usage: null,
  reason: "",
  child_run_id: null,
  progress: null,
  output_preview: null,
};
