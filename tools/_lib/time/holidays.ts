import { toWeekday } from "./calendar.ts";
import { toEpochDay } from "./read-rfc3339.ts";

/** A day of a year, in days since 1970. */
type Holiday = (year: number) => number | undefined;

const on =
  (month: number, date: number): Holiday =>
  (year) =>
    toEpochDay(year, month, date);
/** Days after Easter Sunday. */
const easter =
  (shift: number): Holiday =>
  (year) =>
    findEaster(year) + shift;
/** The `nth` weekday (0 for Sunday) of a month. */
const nth =
  (count: number, weekday: number, month: number): Holiday =>
  (year) => {
    const first = toEpochDay(year, month, 1) ?? 0;
    return first + ((weekday - toWeekday(first) + 7) % 7) + 7 * (count - 1);
  };

const later = (day: number | undefined, days: number) => (day === undefined ? undefined : day + days);

/** In order: where two find the same words, the first wins. The days of the moon's calendars are not known here. */
export const HOLIDAYS: readonly (readonly [pattern: string, day: Holiday])[] = [
  [
    String.raw`(?<!chinese |lunar |islamic |jewish )new\s+year['’]?s\s+eve|silvester|sylvester|nochevieja|saint-sylvestre`,
    on(12, 31),
  ],
  [String.raw`(?<!chinese |lunar |islamic |jewish )new\s+year(?:['’]?s)?(?:\s+day)?`, on(1, 1)],
  [String.raw`(?:christmas|xmas)\s+eve|heilig(?:er\s+)?abend|nochebuena`, on(12, 24)],
  [String.raw`(?:christmas|xmas)(?:\s+day)?|weihnachten|navidad|noël`, on(12, 25)],
  [String.raw`boxing\s+day`, on(12, 26)],
  [String.raw`valentine['’]?s?(?:\s+day)?`, on(2, 14)],
  [String.raw`(?:st\.?|saint)\s+patrick['’]?s(?:\s+day)?`, on(3, 17)],
  [String.raw`halloween`, on(10, 31)],
  [String.raw`bonfire\s+night|guy\s+fawkes(?:\s+night)?`, on(11, 5)],
  [String.raw`(?:the\s+)?(?:fourth|4th)\s+of\s+july|independence\s+day`, on(7, 4)],
  [String.raw`bastille\s+day`, on(7, 14)],
  [String.raw`may\s+day`, on(5, 1)],
  [String.raw`thanksgiving(?:\s+day)?`, nth(4, 4, 11)],
  [String.raw`black\s+friday`, (year) => later(nth(4, 4, 11)(year), 1)],
  [String.raw`cyber\s+monday`, (year) => later(nth(4, 4, 11)(year), 4)],
  [String.raw`memorial\s+day`, (year) => later(nth(1, 1, 6)(year), -7)],
  [String.raw`labou?r\s+day`, nth(1, 1, 9)],
  [String.raw`(?:shrove|fat|pancake)\s+tuesday|pancake\s+day|mardi\s+gras`, easter(-47)],
  [String.raw`ash\s+wednesday`, easter(-46)],
  [String.raw`palm\s+sunday`, easter(-7)],
  [String.raw`maundy\s+thursday`, easter(-3)],
  [String.raw`ascension(?:\s+(?:day|thursday))?`, easter(39)],
  [String.raw`whit\s+monday`, easter(50)],
  [String.raw`corpus\s+christi`, easter(60)],
  [String.raw`good\s+friday`, easter(-2)],
  [String.raw`easter\s+monday`, easter(1)],
  [String.raw`easter(?:\s+sunday)?`, easter(0)],
  [String.raw`pentecost|whitsun(?:day)?`, easter(49)],
];

/** Finds the holiday nearest to a day on the side that is meant. */
export function nearestHoliday(day: Holiday, today: number, past: boolean): number | undefined {
  const year = new Date(today * 86_400_000).getUTCFullYear();
  const days = [-1, 0, 1].flatMap((shift) => day(year + shift) ?? []);
  return past ? days.findLast((one) => one <= today) : days.find((one) => one >= today);
}

/** Easter Sunday of the Gregorian calendar. Source: the anonymous computus (Nature, 1876; Meeus, Astronomical Algorithms). */
function findEaster(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const [i, k] = [Math.floor(c / 4), c % 4];
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  const date = (h + l - 7 * m + 33 * month + 19) % 32;
  return toEpochDay(year, month, date) ?? 0;
}
