import { toEpochDay } from "./read-rfc3339.ts";

/** Local time of the speaker: days since 1970, and minutes since midnight. */
export interface LocalTime {
  readonly day: number;
  readonly minutes: number;
}

const DAY_MINUTES = 1440;
export const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
export const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const AMOUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

export function toLocal(instant: number, offset: number): LocalTime {
  const minutes = Math.floor(instant / 60_000) + offset;
  const day = Math.floor(minutes / DAY_MINUTES);
  return { day, minutes: minutes - day * DAY_MINUTES };
}

export function toInstant({ day, minutes }: LocalTime, offset: number): number {
  return (day * DAY_MINUTES + minutes - offset) * 60_000;
}

/** 1 to 12 for a month's name or its beginning, else `undefined`. */
export function readMonth(name: string): number | undefined {
  const index = findByBeginning(MONTHS, name);
  return index < 0 ? undefined : index + 1;
}

/** 0 for Sunday to 6, else `undefined`. */
export function readWeekday(name: string): number | undefined {
  const index = findByBeginning(WEEKDAYS, name);
  return index < 0 ? undefined : index;
}

/** The place of the name that has the first three letters of `name`, or less than 0. */
function findByBeginning(names: readonly string[], name: string): number {
  const beginning = name.slice(0, 3).toLowerCase();
  return names.findIndex((one) => one.slice(0, 3).toLowerCase() === beginning);
}

export function toWeekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** "3", "three", "a" and "a couple of" as a number. */
export function readAmount(text: string): number | undefined {
  const word = text.trim().toLowerCase();
  if (/^\d{1,5}$/.test(word)) return Number(word);
  if (word === "a" || word === "an") return 1;
  if (word.startsWith("a couple")) return 2;
  const index = AMOUNTS.indexOf(word);
  return index < 0 ? undefined : index;
}

/**
 * Adds months to a day: the day of the month `months` later, or the last one of that month: 31 January and a month make
 * 28 February.
 */
export function addMonths(day: number, months: number): number {
  const date = new Date(day * 86_400_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) / 86_400_000;
}

/** The date without a year that is nearest to `today` on the side that is meant. */
export function nearestYear(month: number, date: number, today: number, past: boolean): number | undefined {
  const year = new Date(today * 86_400_000).getUTCFullYear();
  const days = [-1, 0, 1].flatMap((shift) => toEpochDay(year + shift, month, date) ?? []);
  return past ? days.findLast((day) => day <= today) : days.find((day) => day >= today);
}
