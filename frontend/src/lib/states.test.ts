import { expect, it } from "vitest";
import { isFinal, stateOfRun, stateWord } from "./states";

it("draws a queued run as ready and a paused one as held", () => {
  expect([stateOfRun("queued"), stateOfRun("paused")]).toEqual(["ready", "held"]);
});

it("names a state as a word that starts a sentence", () => {
  expect(stateWord("succeeded")).toBe("Succeeded");
});

it("knows which runs are over", () => {
  expect([isFinal("running"), isFinal("paused"), isFinal("failed")]).toEqual([false, false, true]);
});
