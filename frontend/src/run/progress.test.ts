import { expect, test } from "vitest";

import { foldLog } from "@/testing/event-logs";
import { mapping } from "@/testing/graphs";
import { cardRun } from "./card";
import { progressWords, weaveCells } from "./progress";

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
