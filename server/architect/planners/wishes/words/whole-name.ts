import { placesAcross, type Token } from "./words.ts";

/** A name as it is written, with the words that it is made of. */
export interface WholeName {
  readonly name: string;
  readonly words: readonly number[];
}

/** Letters of the words that only join others. */
const JOINING = 3;

/** Finds the whole of a name that a word is a part of: `night-shift` is two words, and one name. */
export function wholeName(tokens: readonly Token[], text: string, at: number): WholeName {
  const token = tokens[at];
  if (token === undefined || token.kind === "quoted") return { name: token?.text ?? "", words: [at] };
  if (text[token.start - 1] !== "-" && text[token.end] !== "-")
    return { name: text.slice(token.start, token.end), words: [at] };
  const before = /[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*-$/u.exec(text.slice(0, token.start))?.[0] ?? "";
  const behind = /^(?:-[\p{L}\p{N}_]+)+/u.exec(text.slice(token.end))?.[0] ?? "";
  const [start, end] = [token.start - before.length, token.end + behind.length];
  return {
    name: text.slice(start, end),
    words: placesAcross(tokens, { start, end }),
  };
}

/**
 * Finds words joined by hyphens that are no name of the version, each as the places of its parts. Short parts that only join others
 * ("follow-up") are left out.
 */
export function findCompounds(
  tokens: readonly Token[],
  text: string,
  identifiers: ReadonlySet<string>,
): readonly (readonly number[])[] {
  const found = new Map<string, readonly number[]>();
  for (const [at, token] of tokens.entries())
    if (token.kind === "word") {
      const { name, words } = wholeName(tokens, text, at);
      const parts = words.filter((one) => (tokens[one]?.text.length ?? 0) > JOINING);
      if (parts.length > 1 && !identifiers.has(name.toLowerCase())) found.set(name, parts);
    }
  return [...found.values()];
}

/** Tells whether of a compound only a part is meant: "extra-warm" is not "warm". */
export function splitsCompound(compounds: readonly (readonly number[])[], words: readonly number[]): boolean {
  return compounds.some((parts) => parts.some((at) => words.includes(at)) && !parts.every((at) => words.includes(at)));
}
