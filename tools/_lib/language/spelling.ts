/** Words that requests often have, and that are often misspelt; short ones are too near to others. */
const WORDS =
  "weather temperature forecast tomorrow yesterday tonight morning afternoon evening weekend umbrella monday tuesday wednesday thursday friday saturday celsius fahrenheit".split(
    " ",
  );
/** Words of their own, though a letter away from one of these. */
const OTHERS = new Set(
  "leather feather heather whether mornings evenings weekends weathers forecasts umbrellas".split(" "),
);
/** Letters from which on a word may have two errors. */
const TWO = 8;

/** Short forms of chats and texts. */
const SHORT: Readonly<Record<string, string>> = {
  tmrw: "tomorrow",
  tmr: "tomorrow",
  tmw: "tomorrow",
  tomoz: "tomorrow",
  "2moro": "tomorrow",
  "2morrow": "tomorrow",
  "2mrw": "tomorrow",
  tonite: "tonight",
  "2nite": "tonight",
  "2night": "tonight",
  arvo: "afternoon",
  wknd: "weekend",
  wkend: "weekend",
  pls: "please",
  plz: "please",
};
const SHORTS = new RegExp(String.raw`(?<![\p{L}\p{N}_.-])(?:${Object.keys(SHORT).join("|")})(?![\p{L}\p{N}_-])`, "giu");

/** Writes misspelt words of requests as they should be: "wether in londn tommorow" asks about the weather tomorrow. Names stay. */
export function correctSpelling(text: string): string {
  const written = text
    .replaceAll(/(?<!\p{L})deg(?:ree)?s?\.?\s+([CF])(?!\p{L})/gu, "°$1")
    .replaceAll("º", "°")
    .replaceAll(SHORTS, (short) => SHORT[short.toLowerCase()] ?? short);
  return written.replaceAll(/(?<![\p{L}\p{N}_.-])[a-z]{5,14}(?![\p{L}\p{N}_-]|\.[a-z])/giu, (word, at: number) => {
    const lower = word.toLowerCase();
    if (OTHERS.has(lower) || WORDS.includes(lower) || (at > 0 && /^\p{Lu}/u.test(word))) return word;
    const most = lower.length >= TWO ? 2 : 1;
    // "Frida" begins like a day, and is none.
    const words = /^\p{Lu}/u.test(word) ? WORDS.filter((right) => !right.endsWith("day")) : WORDS;
    return words.find((right) => countErrors(lower, right) <= most || isShuffled(lower, right)) ?? word;
  });
}

/** Checks that two words have one set of letters, in another order behind the first: "wehater". */
function isShuffled(one: string, other: string): boolean {
  return one.length >= 6 && one[0] === other[0] && [...one].sort().join("") === [...other].sort().join("");
}

/** Letters to add, drop, change or swap. Source: optimal string alignment (Damerau 1964). */
function countErrors(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let [before, row]: readonly [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const swapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      next[to] = Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (isSame ? 0 : 1),
        swapped ? (before[to - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
