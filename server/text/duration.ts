/** Milliseconds of a day. */
export const DAY_MS = 24 * 60 * 60_000;

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: DAY_MS };

/** Reads a duration such as `30m`, `24h` or `90d`, in milliseconds; undefined where `text` is none. */
export function readDuration(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 0);
}
