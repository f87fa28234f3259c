import { addMonths, type LocalTime, nearestYear, readAmount, readMonth, readWeekday, toWeekday } from "./calendar.ts";
import { HOLIDAYS, nearestHoliday } from "./holidays.ts";
import { toEpochDay } from "./read-rfc3339.ts";

/** Words that mean a day. */
export interface DayMention {
  readonly start: number;
  readonly end: number;
  readonly day: number;
  /** Minutes since midnight to assume when no time is given. */
  readonly minutes: number;
  /** The words mean the present day and nothing more exact. */
  readonly today?: true;
  /** The words mean its evening or night. */
  readonly late?: true;
}

type Reader = (
  groups: Groups,
  now: LocalTime,
  past: boolean,
) => { day: number; minutes?: number; today?: true; late?: true } | undefined;
type Groups = Readonly<Record<string, string | undefined>>;

const NOON = 720;
const AMOUNT = String.raw`(?<amount>\d{1,5}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of)`;
const MONTH = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`;
const DATE = String.raw`(?<date>\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`(?:,?\s+(?<year>\d{4})\b)?`;
const WEEKDAY = "(?<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?";
const SHORT_WEEKDAY = String.raw`(?<weekday>mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)`;

/** In order: where two find the same words, the first wins. */
const READERS: readonly (readonly [pattern: string, read: Reader])[] = [
  [String.raw`(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<date>\d{1,2})`, readDate],
  [String.raw`(?<date>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})`, readDate],
  [String.raw`(?<date>\d{1,2})\.(?<month>\d{1,2})\.(?!\d)`, readDate],
  [String.raw`(?<first>\d{1,2})/(?<second>\d{1,2})/(?<year>\d{4})`, readSlashes],
  ...HOLIDAYS.map(([pattern, holiday]): (typeof READERS)[number] => [
    pattern,
    (_, { day }, past) => toDay(nearestHoliday(holiday, day, past)),
  ]),
  [String.raw`(?:the\s+)?${DATE}\s+(?:of\s+)?${MONTH}${YEAR}`, readDate],
  [String.raw`${MONTH}\s+(?:the\s+)?${DATE}${YEAR}`, readDate],
  [String.raw`(?:the\s+)?day\s+after\s+tomorrow`, (_, { day }) => ({ day: day + 2 })],
  [String.raw`(?:the\s+)?day\s+before\s+yesterday`, (_, { day }) => ({ day: day - 2 })],
  [String.raw`(?:in|after)\s+${AMOUNT}\s+(?<unit>day|week|month|year)s?(?:\s+time)?`, readAhead],
  [String.raw`${AMOUNT}\s+(?<unit>day|week|month|year)s?\s+(?:from\s+(?:now|today)|ahead|later)`, readAhead],
  [String.raw`${AMOUNT}\s+(?<unit>day|week|month|year)s?\s+(?<back>ago|earlier|back)`, readAhead],
  [String.raw`(?:a\s+)?week\s+(?:on|from)\s+${WEEKDAY}|${WEEKDAY.replace("weekday", "other")}\s+week`, readWeekLater],
  [
    String.raw`(?:(?:at|around)\s+)?(?:the\s+)?(?:this|same)\s+time\s+tomorrow`,
    (_, { day, minutes }) => ({ day: day + 1, minutes }),
  ],
  ["tomorrow", (_, { day }) => ({ day: day + 1 })],
  ["yesterday", (_, { day }) => ({ day: day - 1 })],
  [
    String.raw`tonight|this\s+night`,
    (_, { day, minutes }) => ({ day, minutes: Math.max(20 * 60, minutes), late: true }),
  ],
  [String.raw`last\s+night`, (_, { day }) => ({ day: day - 1, minutes: 22 * 60, late: true })],
  [String.raw`this(?=\s+(?:morning|afternoon|evening))`, (_, { day }) => ({ day })],
  ["today", (_, { day, minutes }) => ({ day, minutes, today: true })],
  [String.raw`(?<which>next|last)\s+(?<unit>week|month|year)`, readNeighbour],
  [
    String.raw`(?:over\s+)?(?:(?:this|next|the|coming)\s+)*weekend`,
    (_, now) => ({ day: now.day + ((6 - toWeekday(now.day) + 7) % 7) }),
  ],
  [String.raw`(?:(?<which>next|this|coming|last|past)\s+)?${WEEKDAY}`, readWeekdayName],
  [String.raw`(?<which>next|this|coming|last|past|on)\s+${SHORT_WEEKDAY}`, readWeekdayName],
  [String.raw`the\s+(?<date>\d{1,2})(?:st|nd|rd|th)`, readDayOfMonth],
];

function toDay(day: number | undefined): { readonly day: number } | undefined {
  return day === undefined ? undefined : { day };
}

const COMPILED = READERS.map(([pattern, read]) => ({
  pattern: new RegExp(
    String.raw`(?<![\p{L}\p{N}_.-])(?:(?:early|late|later)\s+)?(?:${pattern})(?![\p{L}\p{N}_-])`,
    "giu",
  ),
  read,
}));

/** Every mention of a day in `text`; `past` says which way to look where the words leave it open. */
export function extractDays(text: string, now: LocalTime, past: boolean): DayMention[] {
  const found: DayMention[] = [];
  for (const { pattern, read } of COMPILED) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const meaning = read(match.groups ?? {}, now, past);
      if (meaning && Number.isSafeInteger(meaning.day)) found.push({ start, end, minutes: NOON, ...meaning });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

function readDate({ year, month = "", date }: Groups, now: LocalTime, past: boolean) {
  const number = /^\d/.test(month) ? Number(month) : (readMonth(month) ?? 0);
  const day =
    year === undefined
      ? nearestYear(number, Number(date), now.day, past)
      : toEpochDay(Number(year), number, Number(date));
  return day === undefined ? undefined : { day };
}

/** 24/12/2026 and 12/24/2026 say which number is the day; 04/05/2026 does not, and a wrong guess is worse than none. */
function readSlashes({ first, second, year }: Groups, now: LocalTime, past: boolean) {
  const [a, b] = [Number(first), Number(second)];
  if (a <= 12 && b <= 12 && a !== b) return undefined;
  const [date, month] = a > 12 ? [first, second] : [second, first];
  return readDate({ year, month, date }, now, past);
}

function readAhead({ amount = "", unit, back }: Groups, { day, minutes }: LocalTime) {
  const count = readAmount(amount);
  if (count === undefined) return undefined;
  const signed = back ? -count : count;
  return {
    day: unit === "day" || unit === "week" ? day + signed * (unit === "day" ? 1 : 7) : addUnits(day, unit, signed),
    minutes,
  };
}

function readNeighbour({ which, unit }: Groups, { day, minutes }: LocalTime) {
  const step = which === "last" ? -1 : 1;
  return { day: unit === "week" ? day + 7 * step : addUnits(day, unit, step), minutes };
}

function addUnits(day: number, unit: string | undefined, count: number): number {
  return addMonths(day, unit?.toLowerCase() === "year" ? count * 12 : count);
}

function readWeekdayName({ which, weekday = "" }: Groups, now: LocalTime, past: boolean) {
  const wanted = readWeekday(weekday);
  if (wanted === undefined) return undefined;
  const ahead = (wanted - toWeekday(now.day) + 7) % 7;
  const word = which?.toLowerCase();
  if (word === "this" && ahead === 0) return { day: now.day };
  const back = word === "last" || word === "past" || (past && word !== "next" && word !== "coming");
  return { day: now.day + (back ? ahead - 7 : ahead === 0 ? 7 : ahead) };
}

/** "A week on Sunday", "Tuesday week". */
function readWeekLater({ weekday, other }: Groups, now: LocalTime) {
  const found = readWeekdayName({ weekday: weekday ?? other }, now, false);
  return found === undefined ? undefined : { day: found.day + 7 };
}

function readDayOfMonth({ date }: Groups, now: LocalTime, past: boolean) {
  const today = new Date(now.day * 86_400_000);
  const steps = past ? [0, -1, -2] : [0, 1, 2];
  for (const step of steps) {
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + step, 1));
    const day = toEpochDay(month.getUTCFullYear(), month.getUTCMonth() + 1, Number(date));
    if (day !== undefined && (past ? day <= now.day : day >= now.day)) return { day };
  }
  return undefined;
}
