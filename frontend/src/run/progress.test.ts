import { expect, test } from "vitest";

import { foldLog } from "@/testing/event-logs";
import { mapping } from "@/testing/graphs";
import { cardRun } from "./card";
import { openItems } from "./items";
import { progressWords, weaveCells } from "./progress";
import { reduceAll } from "./reduce";
import { EMPTY_VIEW, type RunEvent } from "./view";

const of = (total: number | null, begun: number, done: number, failed: number) => ({
  total,
  begun,
  done,
  failed,
});

test("progress is told in words, failures only where there are some", () => {
  expect(progressWords(of(100, 60, 35, 2))).toBe("37 of 100 · 2 failed");
  expect(progressWords(of(3, 3, 3, 0))).toBe("3 of 3");
  expect(progressWords(of(null, 8, 7, 0))).toBe("7 done");
});

test("cells stand for shares, and one failure among thousands is seen", () => {
  expect(weaveCells(of(4, 3, 1, 1))).toEqual(["succeeded", "failed", "running", "pending"]);
  const many = weaveCells(of(10_000, 10_000, 9_999, 1));
  expect(many.filter((cell) => cell === "failed")).toHaveLength(1);
  expect(many.filter((cell) => cell === "succeeded")).toHaveLength(39);
  expect(weaveCells(of(0, 0, 0, 0))).toEqual(["pending"]);
});

test("a node inside a container that is not opened shows what became of all its steps", () => {
  expect(cardRun(mapping(), foldLog("map_with_progress"), "fetch", undefined)).toMatchObject({
    state: "failed",
    words: "2 done · 1 failed",
  });
  expect(cardRun(mapping(), foldLog("map_with_progress", 11), "short", undefined)).toMatchObject({
    state: "running",
    words: "1 done",
  });
});

test("in an opened item, what stands in a further container tells how often it ran there", () => {
  const document = mapping();
  document.nodes.push({ id: "deep", kind: "data.template", parent: "short" });
  const progress: RunEvent = {
    seq: 1,
    type: "step.progress",
    at: "2026-01-05T10:00:00Z",
    step_id: "s1",
    node: "short",
    path: "each[1]/short",
    attempt: 1,
    data: { total: 4, begun: 3, done: 2, failed: 0 },
  };
  const view = reduceAll(openItems(EMPTY_VIEW, ["each[1]/"]), [progress]);

  expect(cardRun(document, view, "deep", undefined)).toMatchObject({ state: "running", words: "3 times" });
});
