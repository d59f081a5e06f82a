/** How long a key may live. */
export const lifetimes = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "No end" },
] as const;

export type Lifetime = (typeof lifetimes)[number]["value"];

const day = 86_400_000;

/** When a key of this lifetime ends, or nothing where it does not. */
export function expiryOf(lifetime: Lifetime, now: number): string | undefined {
  return lifetime === "never" ? undefined : new Date(now + Number(lifetime) * day).toISOString();
}
