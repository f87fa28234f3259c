import type { Clause } from "../clause.ts";
import type { Place } from "../places/places.ts";
import { type Guess, toGuess } from "./guess-value.ts";

const WRITTEN = /\^[^\s"“”「」`]+\$/;
const ONLY =
  /\b(?:only|nothing but|just|solely|consists? of|made of|nur|ausschließlich|solo|sólo|únicamente|uniquement|seulement|ne [^.!?]{1,30} que)\b|只能|仅/i;
/** Kinds of characters by the words for them, with what stands for them in a pattern. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:lower[- ]?case|small) (?:letters|characters)|Kleinbuchstaben|minúsculas|minuscules|小写字母/i, "a-z"],
  [
    /\b(?:upper[- ]?case|capital|big) (?:letters|characters)|\bcapitals\b|Großbuchstaben|mayúsculas|majuscules|大写字母/i,
    "A-Z",
  ],
  [/\b(?:digits|numerals|figures|numbers)\b|Ziffern|dígitos|cifras|chiffres|数字/i, "0-9"],
  [/\bunderscores?\b|Unterstrich|guion(?:es)? bajos?|tirets? bas|下划线/i, "_"],
  [/\b(?:dots?|full stops?|periods?)\b|Punkte?n?\b|puntos?\b|\bpoints?\b|点号/i, "."],
  [/\b(?:spaces?|blanks?)\b|Leerzeichen|espacios?|espaces?|空格/i, " "],
  [/\b(?:dash(?:es)?|hyphens?)\b|Bindestrich|guion(?:es)?(?! bajo)|tirets?(?! bas)|连字符|短横/i, "-"],
];
const LETTERS =
  /(?<!(?:case|small|capital|big|Klein|Groß)[- ]?)\bletters\b|Buchstaben|letras|lettres|(?<![小大]写)字母/i;

/** A pattern for a text: one that is written, or the kinds of characters that it may have. */
export function guessPattern(clause: Clause, place: Place): readonly Guess[] {
  const { text, tokens } = clause;
  const written = WRITTEN.exec(text);
  const classes = written === null && ONLY.test(text) ? findClasses(text) : [];
  const value = written?.[0] ?? (classes.length === 0 ? undefined : `^[${classes.map(([, sign]) => sign).join("")}]+$`);
  if (value === undefined || value === place.now) return [];
  const spans = written === null ? classes.map(([span]) => span) : [toSpan(written)];
  const core = tokens.flatMap(({ start, end }, at) =>
    spans.some((span) => start < span.end && end > span.start) ? [at] : [],
  );
  const keys = clause.keys.get("pattern")?.flat() ?? [];
  const verbs = (["restrict", "require", "set", "add"] as const).flatMap((action) => clause.actions.get(action) ?? []);
  return [
    toGuess(
      place,
      value,
      {
        text: 1,
        key: 1,
        marked: 1,
        verb: 1,
        ...(written === null ? { loose: 1 } : { quoted: 1, now: 0.8 }),
        ...(place.thing.field?.side === "output" ? { output: 1 } : {}),
      },
      [...core, ...keys, ...verbs, ...clause.negators],
      core,
    ),
  ];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function toSpan({ index, 0: match }: RegExpExecArray): Range {
  return { start: index, end: index + match.length };
}

function findClasses(text: string): readonly (readonly [Range, string])[] {
  const all: readonly (readonly [RegExp, string])[] = [[LETTERS, "A-Za-z"], ...CLASSES];
  const found = all.flatMap(([pattern, sign]): readonly (readonly [Range, string])[] => {
    const match = pattern.exec(text);
    return match === null ? [] : [[toSpan(match), sign]];
  });
  const isCased = found.some(([, sign]) => sign === "a-z" || sign === "A-Z");
  const kept = isCased ? found.filter(([, sign]) => sign !== "A-Za-z") : found;
  return kept.some(([, sign]) => /[az09AZ]/.test(sign)) ? kept : [];
}
