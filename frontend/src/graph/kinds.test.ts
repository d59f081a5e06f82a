import { expect, test } from "vitest";
import { searchKinds, type NodeKind } from "./kinds";

const kind = (title: string, name: string, summary: string) => ({ title, kind: name, summary }) as NodeKind;
const kinds = [
  kind("Join", "flow.join", "Waits for branches."),
  kind("Wait", "flow.wait", "Goes on later."),
  kind("Text", "data.template", "Writes a text."),
];

const titles = (search: string) => searchKinds(kinds, search).map(({ title }) => title);

test("a kind with the name that was typed comes before those that only speak of it", () => {
  expect(titles("wait")).toEqual(["Wait", "Join"]);
});

test("every word must be found somewhere", () => {
  expect(titles("flow branches")).toEqual(["Join"]);
  expect(titles("nothing")).toEqual([]);
});
