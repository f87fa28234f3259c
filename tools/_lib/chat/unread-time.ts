import { type Draft, GONE, type Span } from "../fill/draft.ts";
import { fillArguments } from "../fill/fill-arguments.ts";
import type { Moment } from "../fill/find-date.ts";
import { findSynonyms } from "../fill/synonyms.ts";
import { isStopWord } from "../language/stop-words.ts";
import { stem } from "../language/stem.ts";
import { type Token, toTerms, tokenise } from "../language/tokenise.ts";
import { toLocal, toWeekday, WEEKDAYS } from "../time/calendar.ts";
import { type DateMention, extractDates } from "../time/extract-dates.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** Words for a time that is no day: "next summer", "in August", "Chinese New Year". */
const NO_DAY =
  /(?<!\p{L})(?:(?:(?:next|last|this|in|during|over|the)\s+)+(?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december)|(?:chinese|lunar|islamic|jewish)\s+new\s+year(?:['’]?s)?(?:\s+eve)?|(?:in|for|of|during)\s+(?:19|20)\d\d|ramadan|hanukkah|diwali|passover|carnival|(?:[\p{L}-]+\s+)?[\p{L}-]+\s+festival)(?!\p{L})/iu;

/** A day and a month in either order: "04/05/2026". */
const SLASHES = /(?<![\d/.])\d{1,2}\/\d{1,2}(?:\/(?:\d{2}){1,2})?(?![\d/])/;

/** Rests of a time that was not understood: "on 30 February", "at 25:00", "on my birthday". */
const LEFT =
  /(?<!\p{L})(?:(?:in|at|on|for|around|within|by|the|my|our|her|his|their|last|next|this|every|half|an?)\s+)*(?:[\d:.]*\d(?:\s*(?:st|nd|rd|th|am|pm|h|hours?|days?|weeks?|january|february|march|april|may|june|july|august|september|october|november|december))*|years?|months?|fortnights?|weeks?|days|hours?|minutes?|seconds?|centur(?:y|ies)|decades?|birthday|anniversary|wedding|o['’]?clock)(?![\p{L}\p{N}])/iu;

/** Amounts of something else: "over 30 degrees". */
const MEASURE =
  /(?<!\p{L})(?:(?:above|below|over|under|than|beyond)\s+(?:freezing|zero|-?\d+(?:[.,]\d+)?(?!\s*(?:minute|hour|day|week|month|year)))|-?\d+(?:[.,]\d+)?(?=\s*(?:°|%|degrees?|percent|mm|cm|inch|km|mile|mph|knots?|metres?|meters?|[CF](?!\p{L}))))/giu;
/** Words for several times at once. */
const SPAN =
  /(?<!\p{L})(?:(?:every|each|all)\s+(?:the\s+)?(?:\p{L}+\s+)?(?:(?:day|hour|morning|afternoon|evening|night|week|weekend|weekday)s?(?:\s+long)?(?!\p{L})|\uFFFC)|(?:(?:the\s+)?(?:whole|entire|rest|remainder)(?:\s+of)?)|daily|hourly|day\s+by\s+day)(?!\p{L})/iu;

/** "Mother's Day" is a time, whatever it is named after. */
const UNIT = /^(?:day|night|week|weekend|month|season|year|eve)s?$/;

const NAMED_DAY = /(?<!\p{L})\p{Lu}[\p{L}\p{M}'’]+\s+(?:Day|Eve)(?!\p{L})/u;

/** Words that lead to a time and hardly to anything else. */
const TO_TIME = new Set(
  "on next last this during after before until till since within over every each throughout between by".split(" "),
);
/** Words that lead to times, places and purposes. */
const TO_ANYTHING = new Set("in at for from".split(" "));
/** Words that end what others lead to. */
const ENDS = new Set("to near around with without and or but".split(" "));
/** Nouns of places, purposes and manners, which no lead makes a time: "on foot", "at the beach", "for a walk". */
const NO_TIME = new Set(
  `foot bike bicycle motorbike motorcycle train bus car plane boat ship ferry road way trail path street square bridge roof balcony terrace deck
   beach coast shore sea lake river ocean island mountain mountains hill hills slope slopes summit valley field fields forest woods park garden
   city town village country countryside region area place centre center downtown suburbs outskirts airport station harbour port north south east
   west office home work school university campus stadium hotel house sun shade open air general detail short fact particular total least all
   average earth ground water mind side hand top thing things kind sort family children kids dog degrees units numbers words english german french
   spanish chinese inch mm millimetre millimeter cm centimetre metre meter km kilometre kilometer mile yard kelvin scale system wife husband partner
   girlfriend boyfriend mother mom mum father dad parents friend sister brother daughter son cousin uncle aunt grandma grandpa grandmother grandfather
   neighbour boss colleague guest visitor reader student customer team class advance case sure real free example instance person people everyone somebody me us`
    .split(/\s+/)
    .map(stem),
);
/** Zones other than UTC: a clock in one of them is another one. */
const ZONE = new RegExp(
  String.raw`^\s*(?<zone>(?:[A-Z]{1,4}[SD]?T|MSK|(?:\p{L}+\s+){1,2}(?:standard\s+|daylight\s+)?time)(?![\p{L}\p{N}]))`,
  "u",
);
/** Clocks that need no zone: those of the place. */
const LOCAL = /^(?:local|the\s+local|there|same|this)\s+time$/i;

/**
 * Finds words for a time that a message has and that no answer may pass over: one that cannot be made a day, a second one, a span of several, or
 * the time of another zone. `filled` is what was read out of the message.
 */
export function findUnreadTime(
  message: string,
  profile: ToolProfile,
  moment: Moment,
  filled: Draft,
): string | undefined {
  const dated = profile.fields.filter(({ kind }) => kind === "date-time" || kind === "date");
  if (dated.length === 0 || profile.info.sideEffect) return undefined;
  const { rest: undated } = fillArguments(message, dated, { moment, known: profile.known, leftovers: false });
  const rest = filled.rest.replaceAll(MEASURE, (measure) => " ".repeat(measure.length));
  return (
    NO_DAY.exec(undated)?.[0].trim() ??
    findSecondTime(message, undated, moment) ??
    findZone(message, undated) ??
    SLASHES.exec(rest)?.[0] ??
    findLedTime(message, rest, profile) ??
    findSpan(message, rest) ??
    NAMED_DAY.exec(rest)?.[0] ??
    LEFT.exec(rest)?.[0].trim()
  );
}

/** Words for several days, of which a call can be for one only. */
const DAYS =
  /^(?:over\s+)?(?:(?:early|late|later|this|next|last|the|coming)\s+)*(?:weekend|week|month|year)(?!\p{L})/iu;

/** Finds the words for several days that a tool with one time was called for, and the weekday that was taken. */
export function findSeveralDays(
  message: string,
  { fields, info }: ToolProfile,
  { now, offset }: Moment,
): { readonly words: string; readonly weekday: string } | undefined {
  const dated = fields.filter(({ kind }) => kind === "date-time" || kind === "date");
  const [first] = extractDates(message, now, offset);
  if (dated.length !== 1 || info.sideEffect || !first) return undefined;
  const words = DAYS.exec(message.slice(first.start, first.end))?.[0];
  return words === undefined
    ? undefined
    : { words, weekday: WEEKDAYS[toWeekday(toLocal(first.instant, offset).day)] ?? "" };
}

/** A second time beside the one that was read: "from Monday to Friday". "Monday and Tuesday" is one after the other. */
function findSecondTime(message: string, undated: string, { now, offset }: Moment): string | undefined {
  const others = extractDates(undated, now, offset);
  const [other] = others;
  const first = undated.indexOf(GONE);
  if (!other || first < 0) return undefined;
  const taken = extractDates(message, now, offset).find(({ start, end }) => start <= first && first < end);
  if (!taken || others.every((one) => isSameDay(one, taken, offset))) return undefined;
  const between = message.slice(Math.min(taken.end, other.end), Math.max(taken.start, other.start));
  const isList = /^\s*(?:,|and|or|&)+\s*(?:on\s+)?$/i.test(between);
  if (isList && !/\bbetween\s+$/i.test(message.slice(0, Math.min(taken.start, other.start)))) return undefined;
  return message.slice(Math.min(taken.start, other.start), Math.max(taken.end, other.end));
}

function isSameDay(one: DateMention, other: DateMention, offset: number): boolean {
  return toLocal(one.instant, offset).day === toLocal(other.instant, offset).day;
}

function findZone(message: string, undated: string): string | undefined {
  const end = undated.lastIndexOf(GONE) + 1;
  const zone = end > 0 ? ZONE.exec(message.slice(end))?.groups?.["zone"] : undefined;
  return zone === undefined || LOCAL.test(zone) ? undefined : zone;
}

/** Words behind one that leads to a time, which nothing has read. */
function findLedTime(message: string, rest: string, profile: ToolProfile): string | undefined {
  const tokens = tokenise(rest);
  for (const [index, lead] of tokens.entries()) {
    const isSure = TO_TIME.has(lead.word);
    if (!isSure && !TO_ANYTHING.has(lead.word)) continue;
    const phrase = readPhrase(rest, tokens.slice(index + 1), lead);
    const said = phrase.filter(({ word }) => !isStopWord(word));
    const telling = said.filter((token) => !profile.known.has(token.stem));
    const last = telling.at(-1);
    const isTime = last !== undefined && (UNIT.test(said.at(-1)?.word ?? "") || !isOther(last, profile));
    if (isTime && (isSure || isNamedTime(lead, phrase, telling))) return toWords(message, rest, lead, phrase.at(-1));
  }
  return undefined;
}

/** The words behind a lead, up to the next lead or sign, or to what was read. */
function readPhrase(rest: string, tokens: readonly Token[], lead: Token): readonly Token[] {
  const end = tokens.findIndex(
    ({ word, start }, index) =>
      /[^\s'’-]/.test(rest.slice(tokens[index - 1]?.end ?? lead.end, start)) || TO_ANYTHING.has(word) || ENDS.has(word),
  );
  return end < 0 ? tokens : tokens.slice(0, end);
}

/** "For a walk" and "for hiking" are purposes, "at Wembley" is a place; "for the holidays" and "in a few days" are times. */
function isNamedTime(lead: Token, [first, second]: readonly Token[], [word]: readonly Token[]): boolean {
  if (!first || !word || /^(?:\p{Lu}|\p{Script=Han})/u.test(word.text)) return false;
  if (lead.word === "for" && word.word.endsWith("ing")) return false;
  return !/^an?$/.test(first.word) || /^(?:few|couple)$/.test(second?.word ?? "");
}

/** Checks that a word is a place, a purpose or a manner, or speaks of another field of the tool: "in inches". */
function isOther(token: Token, { fields }: ToolProfile): boolean {
  return (
    NO_TIME.has(token.stem) ||
    fields.some(({ words, choices }) =>
      [...words, ...choices.map(String), ...choices.flatMap((choice) => findSynonyms(String(choice)))].some(
        (own) => toTerms(own).includes(token.stem) || own === token.word,
      ),
    )
  );
}

/** "Every day next week": what is asked for each of several times is no one time. */
function findSpan(message: string, rest: string): string | undefined {
  const found = SPAN.exec(rest);
  if (!found) return undefined;
  const span = { start: found.index, end: found.index + found[0].length };
  return toWords(message, rest, span, span);
}

/** The words as they were written, with the time that they go with: "at the end of next week". */
function toWords(message: string, rest: string, lead: Span, last: Span | undefined): string {
  const behind = rest.slice(last?.end ?? lead.end);
  const gone = new RegExp(String.raw`^\s*(?:of\s+)?${GONE}+`, "u").exec(behind)?.[0].length ?? 0;
  return message.slice(lead.start, (last?.end ?? lead.end) + gone);
}
