/** How long to wait before the next attempt: longer each time, and never everybody at once. */
const first = 500;
const longest = 15_000;

export function backoff(failures: number, random: number): number {
  const ceiling = Math.min(longest, first * 2 ** Math.min(failures, 10));
  return Math.round(ceiling * (0.5 + random / 2));
}
