import { expect, test } from "vitest";
import { moreOf } from "./more-fields";

test("a budget that bounds nothing is not sent, so that the workflow's own holds", () => {
  expect(moreOf({ deadline_s: 60, budget: { on_exceeded: "pause" } })).toEqual({ deadline_s: 60 });
  expect(moreOf({ budget: { tokens: 0, on_exceeded: "pause" } })).toEqual({
    budget: { tokens: 0, on_exceeded: "pause" },
  });
});
