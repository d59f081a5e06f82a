import { expect, test } from "vitest";

import { foldLog } from "@/testing/event-logs";
import { branching, diamond } from "@/testing/graphs";
import { cardRun, ordinal } from "./card";
import { applyDeltas, NO_STREAMS } from "./deltas";
import { stepOfNode } from "./view";

test("a card says how long its step took, a branch which way it went", () => {
  expect(cardRun(diamond(), foldLog("parallel_success"), "a", undefined)).toMatchObject({
    state: "succeeded",
    words: "2.0 s",
    end: "$0.002",
  });
  expect(cardRun(branching(), foldLog("branch_with_skip"), "route", undefined).words).toMatch(/^yes · /);
});

test("a running card counts from its start and shows the last words of its stream", () => {
  const view = foldLog("parallel_success", 8);
  const step = stepOfNode(view, "a");
  const streams = applyDeltas(NO_STREAMS, [
    { step_id: step?.id ?? "", attempt: 1, offset: 0, text: "Tea is" },
  ]);

  const card = cardRun(diamond(), view, "a", streams.get(step?.id ?? ""));

  expect(card).toMatchObject({ state: "running", since: step?.startedAt, stream: "Tea is" });
});

test("a pending card says how much is missing", () => {
  expect(cardRun(diamond(), foldLog("parallel_success", 8), "join", undefined).words).toBe("needs 2 more");
});

test("a repeated step says which try it is", () => {
  expect(cardRun(branching(), foldLog("branch_with_skip"), "left", undefined).retried).toBe("2nd try");
  expect([1, 3, 11, 22].map(ordinal)).toEqual(["1st", "3rd", "11th", "22nd"]);
});
