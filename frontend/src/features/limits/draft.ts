/** A limit as its form holds it, and as it is sent. */
import type { Limit, LimitChange, LimitDraft, LimitTarget } from "@/api/types";

export interface LimitValues {
  target: LimitTarget;
  key: string;
  maxRunning: number | string;
  rate: number | string;
  perS: number | string;
}

const PER_MINUTE = 60;

const NEW: LimitValues = { target: "credential", key: "", maxRunning: "", rate: "", perS: PER_MINUTE };

export function valuesOf(limit: Limit | null): LimitValues {
  if (!limit) return NEW;
  const { target, key, max_running, rate, per_s } = limit;
  return { target, key, maxRunning: max_running ?? "", rate: rate ?? "", perS: per_s };
}

/** What is wrong with the values, by field. */
export const problems = {
  key: (key: string, { target }: LimitValues) =>
    target !== "workspace" && key.trim() === "" ? "Choose what is limited." : null,
  maxRunning: (value: number | string, { rate }: LimitValues) =>
    value === "" && rate === "" ? "Say how many at once, how many in a time, or both." : null,
  perS: (value: number | string, { rate }: LimitValues) =>
    rate !== "" && !(Number(value) > 0) ? "Say in how many seconds." : null,
};

export function changeOf({ maxRunning, rate, perS }: LimitValues): LimitChange {
  return {
    max_running: maxRunning === "" ? null : Number(maxRunning),
    rate: rate === "" ? null : Number(rate),
    ...(rate === "" ? {} : { per_s: Number(perS) }),
  };
}

export function draftOf(values: LimitValues): LimitDraft {
  const { target, key } = values;
  return { target, ...(target === "workspace" ? {} : { key: key.trim() }), ...changeOf(values) };
}
