/** Longer is a digest or data, and no word. */
const LONGEST = 40;
const WORD = /[\p{L}\p{N}_$]+/gu;
const SEVERAL_PARTS = /[_$]|\p{Ll}\p{Lu}|\p{N}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const BETWEEN_PARTS = /[_$]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Words of English and of code that are everywhere, and so tell nothing. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be been but by can could do does for from had has have he her his how i if in into is it its me
   more my no nor not of on or our she should so some such than that the their them then there these they this those to
   too us was we were what when where which who why will with would you your
   const export function import let return var`.split(/\s+/),
);

/**
 * Reduces a text to its terms in order: the stems of its words without stop words. Identifiers count by their parts and
 * as a whole, so `get_weather` and `getWeather` both have `get`, `weather` and `getweather`.
 */
export function toTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    if (!SEVERAL_PARTS.test(word)) add(terms, word.toLowerCase());
    else {
      const parts = word.split(BETWEEN_PARTS).filter((part) => part !== "");
      for (const part of parts) add(terms, part.toLowerCase());
      const whole = parts.join("").toLowerCase();
      if (parts.length > 1 && whole.length <= LONGEST) terms.push(whole);
    }
  }
  return terms;
}

function add(terms: string[], word: string): void {
  if (word.length > 1 && word.length <= LONGEST && !STOP_WORDS.has(word)) terms.push(stem(word));
}

/**
 * A light stemmer: plurals as in Harman's S stemmer ("How effective is suffixing?", JASIS 42, 1991), then `-ing`, `-ed`
 * and a last `e`, so that "caches", "cached" and "caching" are one. Takes words in lower case; those of other letters
 * than a to z stay as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const singular = toSingular(word);
  const [, verb = ""] = /^(.*[aeiouy].*[^e])(?:ing|ed)$/.exec(singular) ?? [];
  const root = verb.length >= 3 ? verb.replace(/([bdfgmnprt])\1$/, "$1") : singular;
  return root.length >= 4 ? root.replace(/e$/, "") : root;
}

function toSingular(word: string): string {
  if (/(?:[^ea]ies)$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^us]s$/.test(word) ? word.slice(0, -1) : word;
}
