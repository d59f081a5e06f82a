import { expect, test } from "vitest";

import { isIdentifier, nextId, stemOf, stemOfId } from "./ids";

test.each(["class", "1st", "a-b", "", "a".repeat(65)])("%s is no identifier", (text) => {
  expect(isIdentifier(text)).toBe(false);
});

test("a kind's last word is where its ids begin, unless Python has taken that word", () => {
  expect(stemOf("llm.chat")).toBe("chat");
  expect(stemOf("x.lambda")).toBe("node_lambda");
});

test("the next free number is taken", () => {
  expect(nextId("chat", new Set())).toBe("chat");
  expect(nextId("chat", new Set(["chat", "chat_2"]))).toBe("chat_3");
  expect(stemOfId("chat_12")).toBe("chat");
});
