import { expect, test } from "vitest";

import { foldLog, readLog } from "@/testing/event-logs";
import { branching, diamond } from "@/testing/graphs";
import { criticalPath } from "./critical-path";
import { reduceAll } from "./reduce";
import { sentence } from "./sentences";
import { summary } from "./summary";
import { threadStates } from "./threads";
import { axisMarks, listed, timeline } from "./timeline";
import { EMPTY_VIEW } from "./view";

const LATER = Date.parse("2026-01-05T11:00:00Z");
const failing = {
  ...diamond(),
  nodes: ["start", "fetch", "other", "end"].map((id) => ({ id, kind: "data.template" })),
  edges: ["fetch", "other"].flatMap((id) => [
    { from: "start", to: id },
    { from: id, to: "end" },
  ]),
};

test("the critical path leads back through the inputs that came last", () => {
  expect(criticalPath(diamond(), foldLog("parallel_success"), LATER)).toEqual(["start", "b", "join", "end"]);
});

test("rows stand in the order of their start and parallel bars overlap", () => {
  const { rows } = timeline(diamond(), foldLog("parallel_success"), ["start", "b"], LATER);

  expect(rows.map((row) => row.node)).toEqual(["start", "a", "b", "join", "end"]);
  expect(rows.map((row) => row.critical)).toEqual([true, false, true, false, false]);
  const [a, b] = [rows[1]?.bars.at(-1), rows[2]?.bars.at(-1)];
  expect(a && b && a.to > b.from).toBe(true);
});

test("a wait for a place is its own bar before the work", () => {
  const row = timeline(diamond(), foldLog("parallel_success"), [], LATER).rows[2];

  expect(row?.bars.map((bar) => [bar.kind, bar.from, bar.to])).toEqual([
    ["wait", 2, 590],
    ["work", 590, 2590],
  ]);
});

test("a retry's pause stands between its tries, with the error beside them", () => {
  const row = timeline(failing, foldLog("retry_then_failure"), [], LATER).rows.find(
    ({ node }) => node === "fetch",
  );

  expect(row?.bars.map((bar) => [bar.kind, bar.state])).toEqual([
    ["work", "failed"],
    ["pause", "failed"],
    ["work", "failed"],
  ]);
  expect(row?.note).toContain("503");
});

test("while the run goes on running bars reach to now and pending rows say what they need", () => {
  const now = Date.parse("2026-01-05T10:00:01.500Z");

  const drawn = timeline(diamond(), foldLog("parallel_success", 8), [], now);

  expect(drawn.now).toBe(1490);
  expect(drawn.rows.find(({ node }) => node === "a")?.bars.at(-1)).toMatchObject({ to: 1490, open: true });
  expect(drawn.rows.find(({ node }) => node === "join")?.note).toBe("needs Optimist and Sceptic");
});

test("a run's figures are wall, work and their quotient", () => {
  const figures = summary(foldLog("parallel_success"), LATER);

  expect(figures).toMatchObject({
    wallMs: 2600,
    workMs: 4000,
    inputTokens: 24,
    outputTokens: 58,
    cost: 0.002,
    done: 5,
  });
  expect(figures.speedUp).toBeCloseTo(4000 / 2600);
});

test("edges show what flowed, what was not taken and what decided the end", () => {
  const view = foldLog("branch_with_skip");

  const states = threadStates(branching(), view, criticalPath(branching(), view, LATER));

  expect([...states.values()]).toEqual(["critical", "critical", "skipped", "critical", "skipped"]);
});

test("an edge into a running step flows", () => {
  const states = threadStates(diamond(), foldLog("parallel_success", 8), []);

  expect(states.get("start:out->a:in")).toBe("flow");
  expect(states.get("a:out->join:in")).toBe("idle");
});

test("events read as sentences", () => {
  const said = readLog("retry_then_failure").events.map((event) => sentence(event, (id) => `“${id}”`)?.text);

  expect(said).toContain("“fetch”: The server answered 503, again in 1.0 s");
  expect(said).toContain("“end” cancelled: fetch failed");
  expect(readLog("branch_with_skip").events.map((event) => sentence(event, (id) => id)?.text)).toContain(
    "route chose yes",
  );
});

test("the axis has round marks and not too many", () => {
  expect(axisMarks(18_400, 6)).toEqual([0, 5000, 10_000, 15_000]);
  expect(axisMarks(3, 10)).toEqual([0, 1, 2, 3]);
});

test("long lists of names become a number", () => {
  expect(listed(["a", "b", "c", "d"])).toBe("a, b and 2 more");
});

test("a step that was parked worked only until then", () => {
  const events = readLog("parallel_success").events.flatMap((event) =>
    event.type === "step.succeeded" && event.node === "a"
      ? [
          { ...event, type: "step.waiting", at: "2026-01-05T10:00:00.200Z", data: { until: null } },
          { ...event, seq: event.seq + 0.5 },
        ]
      : [event],
  );
  const view = reduceAll(EMPTY_VIEW, events);

  const row = timeline(diamond(), view, [], LATER).rows.find(({ node }) => node === "a");

  expect(row?.bars.slice(-2).map((bar) => [bar.kind, bar.state])).toEqual([
    ["work", "succeeded"],
    ["pause", "waiting"],
  ]);
  expect(summary(view, LATER).workMs).toBe(2100);
});

test("what was cancelled is on no critical path", () => {
  expect(criticalPath(failing, foldLog("retry_then_failure"), LATER)).toEqual(["start", "fetch"]);
});
