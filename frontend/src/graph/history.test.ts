import { expect, test } from "vitest";

import type { Edit } from "./edit";
import { EMPTY_HISTORY, record, redo, undo } from "./history";
import type { Entry } from "./history";

function entry(name: string, at: number, mergeKey: string | null = null): Entry {
  return { label: name, redo: edit(name), undo: edit(`not ${name}`), mergeKey, at };
}

function edit(name: string): Edit {
  return { type: "patch-document", patch: { name } };
}

test("undo gives the last edit's inverse and redo gives the edit again", () => {
  const history = record(record(EMPTY_HISTORY, entry("one", 0)), entry("two", 9000));

  const back = undo(history);
  const forth = back && redo(back.history);

  expect(back?.edit).toEqual(edit("not two"));
  expect(forth?.edit).toEqual(edit("two"));
  expect(forth?.history.past).toHaveLength(2);
});

test("typing into one field in one go is one step", () => {
  const history = record(record(EMPTY_HISTORY, entry("a", 0, "field")), entry("ab", 200, "field"));

  const back = undo(history);

  expect(back?.edit).toEqual(edit("not a"));
  expect(back?.history.past).toEqual([]);
});

test("a pause or another field begins a new step", () => {
  const first = record(EMPTY_HISTORY, entry("a", 0, "field"));

  expect(record(first, entry("ab", 60_000, "field")).past).toHaveLength(2);
  expect(record(first, entry("b", 100, "other")).past).toHaveLength(2);
});

test("a new edit ends the way forward", () => {
  const back = undo(record(EMPTY_HISTORY, entry("one", 0)));

  const history = record(back?.history ?? EMPTY_HISTORY, entry("other", 1));

  expect(redo(history)).toBeNull();
});

test("typing after an undo does not join the step that was taken back", () => {
  const back = undo(record(EMPTY_HISTORY, entry("a", 0, "field")));
  const forth = back && redo(back.history);

  const history = record(forth?.history ?? EMPTY_HISTORY, entry("ab", 100, "field"));

  expect(history.past).toHaveLength(2);
});

test("at the beginning there is nothing to undo", () => {
  expect(undo(EMPTY_HISTORY)).toBeNull();
  expect(redo(EMPTY_HISTORY)).toBeNull();
});
