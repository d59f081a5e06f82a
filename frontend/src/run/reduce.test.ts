import { describe, expect, test } from "vitest";

import { eventLogs, foldLog, readLog } from "@/testing/event-logs";
import { reduce, reduceAll } from "./reduce";
import { EMPTY_VIEW, stepOfNode } from "./view";
import type { RunView } from "./view";

function statuses(view: RunView, log: { view: { steps: Record<string, string> } }) {
  const byPath = new Map([...view.steps.values()].map((step) => [step.path, step.status]));
  return Object.fromEntries(Object.keys(log.view.steps).map((key) => [key, byPath.get(key)]));
}

describe.each(eventLogs().map((log) => [log.name, log] as const))("the log %s", (_name, log) => {
  test("folds to the view the engine folds it to", () => {
    const view = reduceAll(EMPTY_VIEW, log.events);

    expect(view.status).toBe(log.view.status);
    expect(statuses(view, log)).toEqual(log.view.steps);
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

test("a step that was made during the run is added when its first event comes", () => {
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

  expect(view.steps.get("s1")).toMatchObject({ path: "each[3]/summary", status: "ready" });
  expect(view.byNode.size).toBe(0);
});
