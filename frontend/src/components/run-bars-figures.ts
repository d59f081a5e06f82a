/** The figures behind the bars of past runs. */
import { isFinal, type RunStatus } from "@/lib/states";

const lowest = 4;
const highest = 22;

/** Heights in pixels, the longest run filling the strip; a run without a time is a short one. */
export function barHeights(seconds: readonly (number | null)[]): number[] {
  const longest = Math.max(0, ...seconds.map((each) => each ?? 0));
  return seconds.map((each) => {
    const share = each === null || longest === 0 ? 0 : Math.sqrt(each / longest);
    return Math.round(lowest + share * (highest - lowest));
  });
}

export function barsInWords(statuses: readonly RunStatus[]): string {
  const count = (status: RunStatus) => statuses.filter((each) => each === status).length;
  const open = statuses.filter((each) => !isFinal(each)).length;
  const parts = [`${count("succeeded")} succeeded`, `${count("failed")} failed`];
  if (count("cancelled") > 0) parts.push(`${count("cancelled")} cancelled`);
  if (open > 0) parts.push(`${open} not finished`);
  return `Past runs: ${parts.join(", ")}`;
}
