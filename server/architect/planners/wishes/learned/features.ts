import type { Signs } from "../guess/signs.ts";
import type { Clause } from "../clause.ts";
import { UNITS } from "../words/word-lists.ts";
import type { Token } from "../words/words.ts";

/** Letters from which on the beginning of a word counts, too: "verlängern" and "Verlängerung". */
const LONG = 7;
const PREFIX = 5;
const SIGNS: ReadonlySet<string> = new Set(["?", "？", "!", "->", ":", "=", "+", "%"]);

/**
 * The features of what a clause says: its words, pairs of them, beginnings of long ones, and kinds of values, never values themselves; and how
 * it speaks.
 */
export function toFeatures({ tokens }: Pick<Clause, "tokens">, speech: Signs): ReadonlySet<string> {
  const features = new Set<string>(["bias", ...Object.keys(speech).map((stance) => `@${stance}`)]);
  const words = tokens.flatMap(toWord);
  for (const [at, word] of words.entries()) {
    features.add(word);
    const next = words[at + 1];
    if (next !== undefined) features.add(`${word} ${next}`);
    if (word.length >= LONG && /^\p{L}+$/u.test(word)) features.add(`${word.slice(0, PREFIX)}*`);
  }
  const [first] = words;
  if (first !== undefined) features.add(`^${first}`);
  if (words.length <= 6) features.add("short");
  if (words.length >= 25) features.add("long");
  return features;
}

/** A token as a feature; numbers by the kind of their unit, quoted texts by their length. */
function toWord({ kind, lower, text, unit }: Token): readonly string[] {
  if (kind === "sign") return SIGNS.has(text) ? [text] : [];
  if (kind === "number") return [`#${unit === undefined ? "" : (UNITS[unit]?.of ?? "")}`];
  if (kind === "quoted") return [/\s/.test(text) ? "QQ" : "Q"];
  if (/[_./]/.test(lower)) return [/^v?\d/.test(lower) ? "N.N" : "N_N"];
  return [lower];
}
