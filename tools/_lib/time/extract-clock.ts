/** Words that mean a time of day. */
export interface ClockMention {
  readonly start: number;
  readonly end: number;
  /** Minutes since midnight. */
  readonly minutes: number;
  /** "in the morning" or "at 9" rather than "at 9:00": means a time only next to a day, and yields to an exact one. */
  readonly vague: boolean;
  /** Hours of twelve, with nothing that says which half of the day: "at 7", "half past seven". */
  readonly twelve: boolean;
  /** Minutes east of UTC where a zone is named, so that whoever speaks does not mean their own clock. */
  readonly zone?: number;
}

const ZONE = String.raw`(?<zone>\s*(?:(?:UTC|GMT)(?:\s*[+-]\s?(?:1[0-4]|0?\d)(?::?[0-5]\d)?(?!\d))?|Z)(?![\p{L}\p{N}]))?`;
const HOURS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const STEPS: Readonly<Record<string, number>> = { half: 30, quarter: 15, five: 5, ten: 10, twenty: 20 };
const EXACT: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<!\p{L})(?<step>half|quarter|(?:five|ten|twenty|\d{1,2})(?:\s+minutes?)?)\s+(?<side>past|after|to|before)\s+(?<spoken>${HOURS.join("|")}|1[0-2]|[1-9])(?![\d:.]|\p{L})(?:\s*(?<half>[ap])\.?m\b\.?)?`,
    "giu",
  ),
  /(?<=(?<!\p{L})at\s+)(?<hour>[01]\d|2[0-3])(?<minute>[0-5]\d)(?:\s*(?:hours|hrs|h))?(?![\d:.\p{L}])/giu,
  /(?<![\d.:\p{L}])(?<hour>[01]?\d|2[0-3])h(?<minute>[0-5]\d)?(?![\p{L}\d])/giu,
  new RegExp(
    String.raw`(?<![\d.:])(?<hour>1[0-2]|0?[1-9])(?::(?<minute>[0-5]\d))?\s*(?<half>[ap])\.?m\b\.?${ZONE}`,
    "giu",
  ),
  new RegExp(String.raw`(?<![\d.:])(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])${ZONE}`, "giu"),
  /(?<!\p{L})(?<hour>[01]?\d|2[0-3])\s*o['’]?clock\b/giu,
  /(?<![\p{L}\d.:])(?<hour>[01]?\d|2[0-3])(?:[:.](?<minute>[0-5]\d))?\s*uhr(?!\p{L})/giu,
  /(?<!\p{L})(?<name>noon|midday|midnight)(?!\p{L})/giu,
];
/** "at 9" is a time in "tomorrow at 9", but not in "look at 9 of them". */
const BARE =
  /(?<!\p{L})(?:at|around|about)\s+(?<hour>[01]?\d|2[0-3])(?![\d:]|[.,]\d|\s*%|\s*(?!(?:in|on|at|near|for|tonight|tomorrow|today|this|next|please)\b)\p{L})/giu;
const VAGUE =
  /(?<!\p{L})(?:(?:in|during)\s+the\s+|at\s+)?(?<name>morning|afternoon|evening|night|dawn|sunrise|dusk|sunset|lunchtime|breakfast)(?!\p{L})/giu;
const NAMES: Readonly<Record<string, number>> = {
  midnight: 0,
  dawn: 6 * 60,
  sunrise: 6 * 60,
  breakfast: 8 * 60,
  morning: 9 * 60,
  noon: 12 * 60,
  midday: 12 * 60,
  lunchtime: 12 * 60,
  afternoon: 15 * 60,
  dusk: 18 * 60,
  sunset: 18 * 60,
  evening: 19 * 60,
  night: 22 * 60,
};

export function extractClocks(text: string): ClockMention[] {
  const found: ClockMention[] = [];
  for (const pattern of [...EXACT, BARE, VAGUE]) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const { hour, minute = "0", half, name, zone, spoken } = match.groups ?? {};
      const minutes = name
        ? (NAMES[name.toLowerCase()] ?? 0)
        : spoken
          ? toSpoken(match.groups ?? {})
          : toHour(Number(hour), half) * 60 + Number(minute);
      const isOpen = !name && !half && (spoken !== undefined || pattern === BARE || /clock/i.test(match[0]));
      found.push({
        start,
        end,
        minutes,
        vague: pattern === VAGUE || pattern === BARE,
        twelve: isOpen && minutes < 720,
        ...(zone === undefined ? {} : { zone: toOffset(zone) }),
      });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** "UTC+5:30" in minutes. */
function toOffset(zone: string): number {
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])\s?(\d{1,2}):?(\d\d)?/.exec(zone) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** "Half past seven", "quarter to 9 pm": minutes since midnight. */
function toSpoken({ step = "", side = "", spoken = "", half }: Readonly<Record<string, string | undefined>>): number {
  const word = spoken.toLowerCase();
  const hour = HOURS.includes(word) ? HOURS.indexOf(word) + 1 : Number(word);
  const name = step.toLowerCase();
  const minutes = STEPS[name.split(/\s/)[0] ?? ""] ?? Number.parseInt(name, 10);
  const isBefore = /^(?:to|before)$/i.test(side);
  return (toHour(hour, half) * 60 + (isBefore ? -minutes : minutes) + 1440) % 1440;
}

function toHour(hour: number, half: string | undefined): number {
  if (!half) return hour;
  return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}
