/** Letters beyond which nothing is a word. */
const LONGEST = 40;

/**
 * Cuts a folded English word down to what its forms have in common: "forecasts" and "forecasting" become "forecast".
 * Light on purpose: it only has to treat tools' descriptions and messages alike, not to be right about English.
 */
export function stem(word: string): string {
  if (word.length < 4 || word.length > LONGEST || /[^a-z]/.test(word)) return word;
  return withoutEnding(toSingular(word));
}

function toSingular(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:sses|xes|ches|shes|zes)$/.test(word)) return word.slice(0, -2);
  return word.replace(/s$/, "");
}

function withoutEnding(word: string): string {
  const verb = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1];
  if (verb !== undefined && verb.length >= 3) return withoutEnding(verb.replace(/([bdfgmnprt])\1$/, "$1"));
  if (word.length >= 7 && /[st]ion$/.test(word)) return word.slice(0, -3);
  if (word.length >= 8 && /[eo]r$/.test(word)) return word.slice(0, -2);
  if (word.length >= 6 && word.endsWith("ly")) return word.slice(0, -2);
  if (word.length >= 5 && /[ey]$/.test(word)) return word.slice(0, -1);
  return word;
}
