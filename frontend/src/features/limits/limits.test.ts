import { expect, test } from "vitest";
import type { Limit } from "@/api/types";
import { changeOf, draftOf, problems, valuesOf } from "./draft";
import { boundsOf, nameOfLimit } from "./words";

const limit: Limit = {
  id: "l1",
  target: "model",
  key: "qwen3",
  max_running: 5,
  rate: 60,
  per_s: 60,
  running: 5,
  waiting: 2,
  created_at: "2026-01-05T10:00:00Z",
  updated_at: "2026-01-05T10:00:00Z",
};

test("a limit says what it bounds and by how much", () => {
  expect(boundsOf(limit)).toBe("5 at once · 60 a minute");
  expect(boundsOf({ ...limit, max_running: null, per_s: 90 })).toBe("60 in 90 s");
  expect(nameOfLimit({ target: "credential", key: "c1" }, new Map([["c1", "Lab GPU"]]))).toBe("Lab GPU");
  expect(nameOfLimit({ target: "workspace", key: "" }, new Map())).toBe("The whole workspace");
});

test("an emptied number lifts that bound, and a limit that bounds nothing is refused", () => {
  const values = { ...valuesOf(limit), rate: "" };

  expect(changeOf(values)).toEqual({ max_running: 5, rate: null });
  expect(problems.maxRunning(values.maxRunning, values)).toBeNull();
  expect(problems.maxRunning("", { ...values, maxRunning: "" })).not.toBeNull();
});

test("the workspace's limit is sent without a key, every other one needs it", () => {
  expect(draftOf({ ...valuesOf(null), target: "workspace", maxRunning: 3 })).toEqual({
    target: "workspace",
    max_running: 3,
    rate: null,
  });
  expect(problems.key(" ", valuesOf(null))).not.toBeNull();
});
