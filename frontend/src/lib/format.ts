/** Numbers, times and amounts in the words of the screen. */

const thinSpace = "\u2009";
export const dash = "–";

/** A whole number, its thousands held apart by thin spaces. */
export function formatNumber(value: number): string {
  const [whole = "", fraction] = String(Math.abs(value)).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/gu, thinSpace);
  const sign = value < 0 ? "−" : "";
  return sign + (fraction === undefined ? grouped : `${grouped}.${fraction}`);
}

/** A number as short as it may be without misleading: `950`, `21.8k`, `1.12 M`. */
export function formatCompact(value: number): string {
  if (Math.abs(value) < 1_000) return formatNumber(Math.round(value));
  if (Math.abs(value) < 999_500) return `${trimmed(value / 1_000, 1)}k`;
  return `${trimmed(value / 1_000_000, 2)} M`;
}

function trimmed(value: number, digits: number): string {
  return value.toFixed(Math.abs(value) >= 100 ? 0 : digits).replace(/\.0+$/u, "");
}

/** A length of time: `4 ms`, `1.5 s`, `2 min 4 s`, `1 h 12 min`, `3 d 4 h`. */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return dash;
  const positive = Math.max(0, seconds);
  if (positive < 0.9995) return `${Math.round(positive * 1_000)} ms`;
  if (positive < 59.95) return `${positive.toFixed(1)} s`;
  const whole = Math.round(positive);
  if (whole < 3_600) return pair(whole, 60, "min", "s");
  const minutes = Math.round(positive / 60);
  if (minutes < 1_440) return pair(minutes, 60, "h", "min");
  return pair(Math.round(positive / 3_600), 24, "d", "h");
}

function pair(value: number, size: number, big: string, small: string): string {
  const rest = value % size;
  const head = `${Math.floor(value / size)} ${big}`;
  return rest === 0 ? head : `${head} ${rest} ${small}`;
}

/** Money in dollars: three decimals below a dollar, two above. */
export function formatMoney(dollars: number | null | undefined): string {
  if (dollars === null || dollars === undefined) return dash;
  if (dollars === 0) return "$0.00";
  const digits = Math.abs(dollars) < 1 ? 3 : 2;
  const [whole = "0", fraction = ""] = Math.abs(dollars).toFixed(digits).split(".");
  return `${dollars < 0 ? "−" : ""}$${formatNumber(Number(whole))}.${fraction}`;
}

/** A size in the units of storage: `812 B`, `3.4 KB`, `1.2 GB`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return dash;
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1_024)));
  const value = bytes / 1_024 ** power;
  return `${power === 0 ? Math.round(value) : trimmed(value, 1)} ${units[power] ?? "B"}`;
}

export function formatPercent(share: number): string {
  const percent = share * 100;
  const digits = percent === 0 || percent >= 10 ? 0 : percent >= 1 ? 1 : 2;
  return `${percent.toFixed(digits)} %`;
}

/** `1 step`, `3 steps`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** How long ago, up to a day; then the date. */
export function formatAgo(iso: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(iso)) / 1_000);
  if (seconds < 1) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return formatDate(iso, now);
}

/** A date, with its year only where it is not this one. */
export function formatDate(iso: string, now: number): string {
  const date = new Date(iso);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  });
}

/** The exact moment, for tooltips. */
export function formatExact(iso: string): string {
  return new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** The time of day: `09:42`. */
export function formatClock(iso: string): string {
  return new Date(iso).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
