import { UNITS } from "./units.ts";
import type { Token } from "./words.ts";

const FROM = new Set(["from", "than", "of", "currently", "was", "von", "desde", "de", "statt", "从", "now", "not"]);
const SKIPPED = new Set([
  "a",
  "an",
  "the",
  "its",
  "about",
  "just",
  "only",
  "say",
  "exactly",
  "of",
  "around",
  ",",
  ":",
  "(",
  "another",
  "present",
  "current",
]);
/** What is said of a value that is to be another one: "12 hours is too short", "2 are not enough". */
const INSUFFICIENT =
  /^(?:\p{L}+ )?(?:is|are|was|were|seems?|feels?|looks?) (?:(?:n ?['’] ?t|not) (?:\p{L}+ )?(?:enough|sufficient)|(?:\p{L}+ ){0,2}too )/u;
/** "Add 30 seconds to the time limit", "take 5 off it", "put another 20 on it": words before and behind a step. */
const ADDING = /^(?:add(?:s|ing)?|sum(?:a|ar|e)|añad(?:e|ir|a|an)|agreg(?:a|ar|ue)|ajout(?:e|er|ez)|addier(?:e|en))$/u;
const TAKING =
  /^(?:take|taking|cut(?:ting)?|knock|shave|trim|subtract|deduct|quit(?:a|ar|e)|rest(?:a|ar|e)|enlèv(?:e|ez)|enlever|retir(?:e|er|ez))$/u;
const ONTO = /^(?:to|on|onto|a|al|à|au|aux|zu|zum|zur)$/u;
const OFF = /^(?:off|from|de|del|du|d|a|al|à|au)$/u;
const FURTHER = /^(?:another|extra|additional|further|zusätzliche[nrs]?|weitere[nrs]?|autres|otr[oa]s)$/u;
const MORE = /^(?:more|longer|higher|larger|bigger|extra|mehr|länger|höher|más)$/u;
const LESS = /^(?:less|fewer|shorter|lower|smaller|cheaper|weniger|kürzer|niedriger|menos)$/u;
/** What comes earlier may be a larger or a smaller number. */
const MOVED = /^(?:earlier|later|sooner|früher|später)$/u;
/** What is counted or paid, between a number and what it is to be more than: "5 euros lower". */
const MEASURE =
  /^(?:euros?|dollars?|pounds?|francs?|cents?|points?|met(?:re|er)s?|places?|steps?|degrees?|grad|punkte)$/u;
const BOUNDED = /^(?:than|over|under|above|below|beyond|past|up|to|least|most)$/;

/** A step from what a number is now: where it goes, which its words may leave open, and the word behind it that says so. */
export interface Step {
  readonly goes: "up" | "down" | "open";
  readonly said: readonly number[];
}

/** Reads whether a value is what comes on top of another one or goes off it: "add 30 seconds to it", "5 euros lower", "another 7 days". */
export function stepAt(tokens: readonly Token[], at: number, end: number): Step | undefined {
  const isCounted = UNITS[tokens[end + 1]?.lower ?? ""]?.of === "plain" || MEASURE.test(tokens[end + 1]?.lower ?? "");
  const behind = isCounted ? end + 2 : end + 1;
  const next = tokens[behind]?.lower ?? "";
  const before = tokens[at - 1]?.lower ?? "";
  const isFurther = FURTHER.test(before);
  const verb = tokens[isFurther ? at - 2 : at - 1]?.lower ?? "";
  const verbs = [verb, tokens[at - 3]?.lower ?? ""];
  if (ONTO.test(next) && verbs.some((one, place) => ADDING.test(one) && (place === 0 || isFurther)))
    return { goes: "up", said: [] };
  if (OFF.test(next) && TAKING.test(verb)) return { goes: "down", said: [] };
  if (before === "than") return undefined;
  if (MORE.test(next)) return { goes: "up", said: [behind] };
  if (LESS.test(next)) return { goes: "down", said: [behind] };
  if (MOVED.test(next)) return { goes: "open", said: [behind] };
  if (/^(?:de|d)$/.test(next)) {
    const last = tokens[behind + 1]?.lower ?? "";
    if (/^(?:plus|más)$/.test(last)) return { goes: "up", said: [behind, behind + 1] };
    if (/^(?:moins|menos)$/.test(last)) return { goes: "down", said: [behind, behind + 1] };
  }
  return isFurther ? { goes: "up", said: [] } : undefined;
}

/** Reads the role of a value from the words before and behind it. */
export function roleOf(tokens: readonly Token[], at: number, end = at): "to" | "from" | "by" {
  const isCounted = UNITS[tokens[end + 1]?.lower ?? ""]?.of === "plain";
  if (tokens[isCounted ? end + 2 : end + 1]?.text === "->") return "from";
  let place = at - 1;
  while (
    place >= 0 &&
    SKIPPED.has(tokens[place]?.lower ?? "") &&
    !(tokens[place]?.lower === "of" && tokens[place - 1]?.lower === "instead")
  )
    place -= 1;
  const before = tokens[place]?.lower ?? "";
  if (["by", "um", "por"].includes(before) && !/^(?:default|standard)/.test(tokens[place + 1]?.lower ?? ""))
    return "by";
  const rest = tokens.slice(end + 1).map(({ lower }) => lower);
  if (INSUFFICIENT.test(rest.slice(0, 8).join(" ")) && !BOUNDED.test(before)) return "from";
  const isPair = rest.some((word) => ["to", "auf", "a", "à", "into", "zu", "到", "至", "改为"].includes(word));
  if (["from", "von", "从", "desde"].includes(before) || (before === "de" && isPair)) return isPair ? "from" : "to";
  const further = tokens[place - 1]?.lower ?? "";
  if (before === "of" && further === "instead") return "from";
  // "En vez de 5", "au lieu de 5"; "90 minutos, no 45".
  if (before === "de" && /^(?:vez|lugar|lieu)$/.test(further)) return "from";
  if (/^(?:no|nicht|pas|non|anstatt)$/.test(before) && /^(?:,|;|y|und|et|and|\()$/.test(further)) return "from";
  if (before === "than" && further === "rather") return "from";
  return (["currently", "was", "not", "statt", "aktuell"].includes(before) && FROM.has(before)) ||
    (["currently", "now"].includes(tokens[end + 1]?.lower ?? "") && before === "is")
    ? "from"
    : "to";
}
