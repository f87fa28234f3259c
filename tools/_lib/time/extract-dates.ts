import { type LocalTime, readAmount, toInstant, toLocal } from "./calendar.ts";
import { type ClockMention, extractClocks } from "./extract-clock.ts";
import { type DayMention, extractDays } from "./extract-day.ts";
import { readRfc3339 } from "./read-rfc3339.ts";

/** Words that mean a point in time. */
export interface DateMention {
  readonly start: number;
  readonly end: number;
  /** Milliseconds since 1970. */
  readonly instant: number;
  /** "now", or "today" without a time: the present rather than a particular instant. */
  readonly present: boolean;
  /** Words for its time of day that stand elsewhere: "tomorrow in Oslo at 3pm". */
  readonly apart?: { readonly start: number; readonly end: number };
}

const RFC3339 = /\d{4}-\d{2}-\d{2}t\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:z|[+-]\d{2}:\d{2})/gi;
const PRESENT = /(?<!\p{L})(?:right now|now|currently|at the moment|at present)(?!\p{L})/giu;
const SHORT = String.raw`(?<amount>\d{1,5}|half\s+an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of)\s+(?<unit>minute|min|hour|hr)s?`;
const SPANS = [
  new RegExp(String.raw`(?<!\p{L})(?:in|within)\s+(?:the\s+next\s+)?${SHORT}(?:\s+time)?(?!\p{L})`, "giu"),
  new RegExp(String.raw`(?<![\p{L}\d])${SHORT}\s+(?:from\s+now|later|ahead)(?!\p{L})`, "giu"),
  new RegExp(String.raw`(?<![\p{L}\d])${SHORT}\s+(?<back>ago|earlier)(?!\p{L})`, "giu"),
];
const PAST = /(?<!\p{L})(?:was|were|wasn|weren|did|didn|had|rained|snowed|been|ago|happened)(?!\p{L})/iu;
/** Words between a day and its time: "tomorrow, at 3pm", "9:00 on Friday". */
const JOINT = /^\s*,?\s*(?:(?:at|on|in|by|around|about)\s+)?(?:the\s+)?$/i;
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59Z");

/**
 * Every point in time that `text` speaks of, read at `now` by someone whose clock is `offset` minutes east of UTC.
 * Where the words leave the direction open, a sentence in the past tense looks back and any other looks ahead.
 */
export function extractDates(text: string, now: number, offset: number): DateMention[] {
  const past = PAST.test(text);
  const local = toLocal(now, offset);
  const exact = extractExact(text, now);
  const rest = exact.reduce((left, { start, end }) => blank(left, start, end), text);
  const dates = combine(rest, extractDays(rest, local, past), extractClocks(rest), local, offset, past);
  return [...exact, ...dates]
    .filter(({ instant }) => instant >= FIRST && instant <= LAST)
    .sort((a, b) => a.start - b.start);
}

function extractExact(text: string, now: number): DateMention[] {
  const found: DateMention[] = [];
  for (const { 0: written, index } of text.matchAll(RFC3339)) {
    const instant = readRfc3339(written)?.instant;
    if (instant !== undefined) found.push({ start: index, end: index + written.length, instant, present: false });
  }
  for (const { 0: words, index } of text.matchAll(PRESENT)) {
    if (!/\bfrom\s+$/i.test(text.slice(0, index)))
      found.push({ start: index, end: index + words.length, instant: now, present: true });
  }
  for (const { 0: words, index, groups } of SPANS.flatMap((pattern) => [...text.matchAll(pattern)])) {
    const written = groups?.["amount"] ?? "";
    const amount = /^half/i.test(written) ? 0.5 : (readAmount(written) ?? 0);
    const minutes = amount * (groups?.["unit"]?.toLowerCase().startsWith("h") ? 60 : 1) * (groups?.["back"] ? -1 : 1);
    found.push({ start: index, end: index + words.length, instant: now + minutes * 60_000, present: false });
  }
  return found;
}

function combine(
  text: string,
  days: readonly DayMention[],
  clocks: readonly ClockMention[],
  now: LocalTime,
  offset: number,
  past: boolean,
): DateMention[] {
  const left = new Set(clocks);
  const found = days.map((mention): DateMention => {
    let { start, end } = mention;
    let clock: ClockMention | undefined;
    for (let next = findNeighbour(); next; next = findNeighbour()) {
      left.delete(next);
      clock = clock === undefined ? next : join(clock, next);
      [start, end] = [Math.min(start, next.start), Math.max(end, next.end)];
    }
    // The only time of day belongs to the only day, wherever it stands.
    const [only, ...others] = left;
    const apart = clock === undefined && days.length === 1 && others.length === 0 ? only : undefined;
    if (apart) {
      left.delete(apart);
      clock = apart;
    }
    // "Tonight at 11" is an hour before midnight.
    const late = clock?.twelve === true && mention.late === true ? 720 : 0;
    // On a Friday morning "Friday at 8 pm" is today.
    const day = mention.orToday === true && clock !== undefined && clock.minutes > now.minutes ? now.day : mention.day;
    const at = { day, minutes: (clock?.minutes ?? mention.minutes) + late };
    return {
      start,
      end,
      instant: toInstant(at, clock?.zone ?? offset),
      present: mention.today === true && !clock,
      ...(apart ? { apart } : {}),
    };

    function findNeighbour(): ClockMention | undefined {
      return [...left].find(
        (one) =>
          (one.start >= end && JOINT.test(text.slice(end, one.start))) ||
          (one.end <= start && JOINT.test(text.slice(one.end, start))),
      );
    }
  });
  for (const { start, end, minutes, twelve, vague, zone } of left) {
    if (vague) continue;
    const passed = minutes < now.minutes && !past;
    // At noon "half past three" is this afternoon.
    const half = passed && twelve && minutes + 720 >= now.minutes ? 720 : 0;
    const day = now.day + (passed && half === 0 ? 1 : 0);
    found.push({ start, end, instant: toInstant({ day, minutes: minutes + half }, zone ?? offset), present: false });
  }
  return found;
}

/** The time of two clocks beside one day: "at 7 in the evening" is 19:00, "9:30 in the morning" is 9:30. */
function join(one: ClockMention, other: ClockMention): ClockMention {
  const [hour, half] = one.twelve ? [one, other] : [other, one];
  if (hour.twelve && !half.twelve && half.vague)
    return { ...hour, minutes: hour.minutes + (half.minutes >= 720 ? 720 : 0) };
  return one.vague ? other : one;
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}
