/** A point in time as RFC 3339 writes it: the instant, and the offset from UTC it was written in. */
export interface Timestamp {
  /** Milliseconds since 1970. */
  readonly instant: number;
  /** Minutes east of UTC. */
  readonly offset: number;
}

const FORM = /^(\d{4})-(\d{2})-(\d{2})t(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:z|([+-])(\d{2}):(\d{2}))$/i;

/**
 * Reads an RFC 3339 date-time, or returns `undefined`. Stricter than `Date.parse`, which takes other forms and turns
 * 30 February into 2 March. A leap second is refused: no instant of POSIX time stands for it.
 */
export function readRfc3339(text: string): Timestamp | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = "0", sign, offsetHours = "0", offsetMinutes = "0"] = match.slice(7);
  const date = toEpochDay(year, month, day);
  if (date === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const offset = (sign === "-" ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  const milliseconds = Math.trunc(Number(`0.${fraction}`) * 1000);
  const local = ((date * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + milliseconds;
  return { instant: local - offset * 60_000, offset: offset === 0 ? 0 : offset };
}

/** Days since 1970 of a date of the Gregorian calendar; `undefined` if there is no such date. */
export function toEpochDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? date.getTime() / 86_400_000 : undefined;
}
