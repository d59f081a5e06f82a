import { expect, it } from "vitest";
import { exampleMonitoring } from "./example";
import { figuresOf } from "./figures";

const valueOf = (monitoring: typeof exampleMonitoring, title: string) => {
  const figure = figuresOf(monitoring).find((each) => each.title === title);
  return figure && `${figure.value} ${figure.beside}`;
};

it("counts the slots of living workers only", () => {
  expect(valueOf(exampleMonitoring, "Running steps")).toBe("61 of 96 slots");
});

it("shows the last whole minute", () => {
  expect(valueOf(exampleMonitoring, "Steps finished, last minute")).toBe("240 490 in the last hour");
});

it("names the oldest wait only where something waits", () => {
  const calm = { ...exampleMonitoring, lanes: [{ lane: "io", ready: 0, running: 0, oldest_wait_s: null }] };

  expect(valueOf(exampleMonitoring, "Waiting to start")).toBe("4 oldest 1.9 s");
  expect(valueOf(calm, "Waiting to start")).toBe("0 nothing is held up");
});

it("relates failures to all steps", () => {
  expect(valueOf(exampleMonitoring, "Failed steps, last hour")).toBe("1.4 % 7 of 490");
});
