/** Words that mean a time of day. */
export interface ClockMention {
  readonly start: number;
  readonly end: number;
  /** Minutes since midnight. */
  readonly minutes: number;
  /** "in the morning" or "at 9" rather than "at 9:00": means a time only next to a day, and yields to an exact one. */
  readonly vague: boolean;
  /** UTC is named, so whoever speaks does not mean their own clock. */
  readonly utc: boolean;
}

const ZONE = String.raw`(?<zone>\s*(?:UTC|GMT|Z)\b)?`;
const EXACT: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\d.:])(?<hour>1[0-2]|0?[1-9])(?::(?<minute>[0-5]\d))?\s*(?<half>[ap])\.?m\b\.?${ZONE}`,
    "gi",
  ),
  new RegExp(String.raw`(?<![\d.:])(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])${ZONE}`, "gi"),
  /(?<!\p{L})(?<hour>[01]?\d|2[0-3])\s*o['’]?clock\b/giu,
  /(?<!\p{L})(?<name>noon|midday|midnight)(?!\p{L})/giu,
];
/** "at 9" is a time in "tomorrow at 9", but not in "look at 9 of them". */
const BARE = /(?<!\p{L})at\s+(?<hour>[01]?\d|2[0-3])(?![\d:.,]|\s*[%\p{L}])/giu;
const VAGUE = /(?<!\p{L})(?:(?:in|during)\s+the\s+|at\s+)?(?<name>morning|afternoon|evening|night)(?!\p{L})/giu;
const NAMES: Readonly<Record<string, number>> = {
  midnight: 0,
  morning: 9 * 60,
  noon: 12 * 60,
  midday: 12 * 60,
  afternoon: 15 * 60,
  evening: 19 * 60,
  night: 22 * 60,
};

export function extractClocks(text: string): ClockMention[] {
  const found: ClockMention[] = [];
  for (const pattern of [...EXACT, BARE, VAGUE]) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const { hour, minute = "0", half, name, zone } = match.groups ?? {};
      const minutes = name ? (NAMES[name.toLowerCase()] ?? 0) : toHour(Number(hour), half) * 60 + Number(minute);
      found.push({ start, end, minutes, vague: pattern === VAGUE || pattern === BARE, utc: zone !== undefined });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

function toHour(hour: number, half: string | undefined): number {
  if (!half) return hour;
  return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}
