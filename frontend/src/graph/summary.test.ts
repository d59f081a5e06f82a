import { expect, test } from "vitest";

import { emptyDocument } from "./graph";
import type { NodeKind } from "./kinds";
import { summarise } from "./summary";

const summaryOf = (code: string) =>
  summarise(
    { id: "a", kind: "data.transform", config: { code } },
    { title: "Transform" } as NodeKind,
    emptyDocument("Test"),
  );

test("code is told by its first line that does something", () => {
  expect(
    summaryOf("import re\nfrom math import floor\n# count\n\nwords = re.findall('x', 'y')\nlen(words)"),
  ).toBe("words = re.findall('x', 'y')");
});

test("code without such a line is told by what it has", () => {
  expect(summaryOf("import re")).toBe("import re");
  expect(summaryOf("")).toBe("no code yet");
});
