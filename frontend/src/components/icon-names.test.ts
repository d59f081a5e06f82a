import { expect, it } from "vitest";
import { stepStates } from "@/lib/states";
import { iconNames } from "./icon-names";
import { mountSprite } from "./sprite";

it("draws every icon and every state", () => {
  mountSprite(document);

  const wanted = [
    ...iconNames.map((name) => `i-${name}`),
    ...[...stepStates, "cached"].map((name) => `s-${name}`),
  ];
  expect(wanted.filter((id) => document.getElementById(id) === null)).toEqual([]);
});
