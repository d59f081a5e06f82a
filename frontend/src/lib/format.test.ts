import { describe, expect, it } from "vitest";
import {
  formatAgo,
  formatBytes,
  formatCompact,
  formatCount,
  formatDate,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
} from "./format";

describe("durations", () => {
  it.each([
    [0, "0 ms"],
    [0.004, "4 ms"],
    [0.9996, "1.0 s"],
    [1.5, "1.5 s"],
    [41.72, "41.7 s"],
    [59.96, "1 min"],
    [124, "2 min 4 s"],
    [3_599.6, "1 h"],
    [4_320, "1 h 12 min"],
    [86_399, "1 d"],
    [273_600, "3 d 4 h"],
  ])("writes %d seconds as %s", (seconds, words) => {
    expect(formatDuration(seconds)).toBe(words);
  });

  it("writes a missing duration as a dash", () => {
    expect([formatDuration(null), formatDuration(Number.NaN)]).toEqual(["–", "–"]);
  });
});

describe("numbers", () => {
  it("holds thousands apart by thin spaces", () => {
    expect([formatNumber(950), formatNumber(4_812), formatNumber(-1_234_567)]).toEqual([
      "950",
      "4\u2009812",
      "−1\u2009234\u2009567",
    ]);
  });

  it.each([
    [950, "950"],
    [21_800, "21.8k"],
    [21_000, "21k"],
    [999_400, "999k"],
    [999_900, "1 M"],
    [1_120_000, "1.12 M"],
  ])("shortens %d to %s", (value, words) => {
    expect(formatCompact(value)).toBe(words);
  });

  it("counts things in the singular and the plural", () => {
    expect([formatCount(1, "step"), formatCount(0, "step"), formatCount(2, "entry", "entries")]).toEqual([
      "1 step",
      "0 steps",
      "2 entries",
    ]);
  });

  it("shows small shares with the digits they need", () => {
    expect([0, 0.0006, 0.034, 0.5].map(formatPercent)).toEqual(["0 %", "0.06 %", "3.4 %", "50 %"]);
  });
});

it("writes money with three decimals below a dollar and two above", () => {
  expect([0.043, 48.2, 0, 1_234.5, null].map(formatMoney)).toEqual([
    "$0.043",
    "$48.20",
    "$0.00",
    "$1\u2009234.50",
    "–",
  ]);
});

it("writes sizes in the largest unit that keeps a digit before the point", () => {
  expect([0, 812, 3_481, 1_288_490_189].map(formatBytes)).toEqual(["0 B", "812 B", "3.4 KB", "1.2 GB"]);
});

describe("moments", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");

  it.each([
    ["2026-11-30T12:00:00Z", "just now"],
    ["2026-11-30T11:59:57Z", "3 s ago"],
    ["2026-11-30T11:38:00Z", "22 min ago"],
    ["2026-11-29T12:00:01Z", "23 h ago"],
    ["2026-11-27T12:00:00Z", "27 Nov"],
  ])("writes %s as %s", (iso, words) => {
    expect(formatAgo(iso, now)).toBe(words);
  });

  it("adds the year where it is another one", () => {
    expect(formatDate("2025-02-03T12:00:00Z", now)).toBe("3 Feb 2025");
  });
});
