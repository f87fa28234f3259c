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
