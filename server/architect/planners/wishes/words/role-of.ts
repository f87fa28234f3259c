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
const BOUNDED = /^(?:than|over|under|above|below|beyond|past|up|to|least|most)$/;

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
