import type { Clause } from "../clause.ts";
import { defaultCases } from "../words/default-case.ts";
import { STOP, words } from "../words/word-lists.ts";

/** Words that set a condition or a time. */
const CONDITIONS = words(
  "if unless once until till when whenever provided assuming suppose before after soon case wenn falls sofern sobald bis si cuando quand lorsque",
);
const CHINESE_CONDITIONS = /如果|要是|假如|除非|的时候/u;
/** Words of a wish for more things than a guess is about: "remove all tools". */
const QUANTITIES = words("all both everything alle beide todos todas ambos tous toutes");
const CHINESE_QUANTITIES = /所有|全部/u;
/** "Take up to 40": some words of time are mostly part of others. */
const HARMLESS: Readonly<Record<string, { readonly before?: RegExp; readonly behind?: RegExp }>> = {
  bis: { behind: /^zu$/ },
  case: { before: /^(?!in$)/ },
  all: { before: /^(?:at|not|with)$/ },
  // "Give up after 12 seconds" says how long it takes.
  after: { behind: /^\d/ },
  both: { behind: /^(?:in|for|at|on|as)$/ },
};

/** The words of a clause that set a condition or a time, by their places; -1 for one in running Chinese. */
export function findConditions({ tokens, text }: Clause): readonly number[] {
  const cases = defaultCases(text);
  const isCase = (start: number) => cases.some((span) => start >= span.start && start < span.end);
  const found = tokens.flatMap(({ kind, lower, start }, at) =>
    kind === "word" && CONDITIONS.has(lower) && !isCase(start) && !isHarmless(tokens, at) ? [at] : [],
  );
  return CHINESE_CONDITIONS.test(text) ? [...found, -1] : found;
}

/** The words of a clause that ask for more things than one, by their places; -1 for one in running Chinese. */
export function findQuantities({ tokens, text, nouns, keys }: Clause): readonly number[] {
  const kinds = new Set([...nouns.keys(), ...[...keys.values()].flat(2)]);
  const found = tokens.flatMap(({ kind, lower }, at) => {
    if (kind !== "word" || !QUANTITIES.has(lower) || isHarmless(tokens, at)) return [];
    const behind = tokens.findIndex(({ lower: next }, place) => place > at && !STOP.has(next));
    // "Half of all conversations" are no things that a version has.
    return behind < 0 || behind - at > 4 || kinds.has(behind) || tokens[behind]?.kind !== "word" ? [at] : [];
  });
  return CHINESE_QUANTITIES.test(text) ? [...found, -1] : found;
}

function isHarmless(tokens: Clause["tokens"], at: number): boolean {
  const { before, behind } = HARMLESS[tokens[at]?.lower ?? ""] ?? {};
  return before?.test(tokens[at - 1]?.lower ?? "") === true || behind?.test(tokens[at + 1]?.lower ?? "") === true;
}
