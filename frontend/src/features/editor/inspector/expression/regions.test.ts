import { expect, test } from "vitest";

import { isInExpression, referenceSpans } from "./regions";

test("references are found inside braces only, escaped braces not", () => {
  const text = "nodes.a.output {{ nodes.b.output.text }} \\{{ nodes.c.output }} {{ inputs.topic";

  expect(referenceSpans(text, "template").map((span) => [span.text, span.node])).toEqual([
    ["nodes.b.output.text", "b"],
    ["inputs.topic", null],
  ]);
});

test("in a bare box every reference counts, parts of other names do not", () => {
  expect(referenceSpans("nodes.a.output == my_inputs.x", "bare").map((span) => span.text)).toEqual([
    "nodes.a.output",
  ]);
});

test("the place after an opening brace is inside an expression", () => {
  expect(isInExpression("a {{ ", 5, "template")).toBe(true);
  expect(isInExpression("a {{ b }} c", 11, "template")).toBe(false);
});
