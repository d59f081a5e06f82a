/** Limits in words: what they bound, and by how much. */
import type { Limit, LimitTarget } from "@/api/types";
import { formatNumber } from "@/lib/format";

export const TARGETS: readonly { value: LimitTarget; label: string; hint: string }[] = [
  { value: "credential", label: "A credential", hint: "Steps that use it, whatever they call." },
  { value: "model", label: "A model", hint: "Steps that call it, by whichever credential." },
  { value: "workflow", label: "A workflow", hint: "Steps of its runs." },
  { value: "workspace", label: "The whole workspace", hint: "All steps of all runs." },
];

export type Names = ReadonlyMap<string, string>;

/** What is limited, by its name where it has one. */
export function nameOfLimit({ target, key }: Pick<Limit, "target" | "key">, names: Names): string {
  if (target === "workspace") return "The whole workspace";
  return names.get(key) ?? key;
}

/** "5 at once · 60 a minute". */
export function boundsOf({
  max_running,
  rate,
  per_s,
}: Pick<Limit, "max_running" | "rate" | "per_s">): string {
  const words = [
    max_running !== null && `${formatNumber(max_running)} at once`,
    rate !== null && `${formatNumber(rate)} ${per(per_s)}`,
  ];
  return words.filter(Boolean).join(" · ");
}

const UNITS: readonly [number, string][] = [
  [1, "a second"],
  [60, "a minute"],
  [3600, "an hour"],
  [86_400, "a day"],
];

function per(seconds: number): string {
  return UNITS.find(([unit]) => unit === seconds)?.[1] ?? `in ${seconds} s`;
}
