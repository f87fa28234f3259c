import { placesAcross, type Token } from "./words.ts";

/** A name as it is written, with the words that it is made of. */
export interface WholeName {
  readonly name: string;
  readonly words: readonly number[];
}

/** Finds the whole of a name that a word is a part of: `night-shift` is two words, and one name. */
export function wholeName(tokens: readonly Token[], text: string, at: number): WholeName {
  const token = tokens[at];
  if (token === undefined || token.kind === "quoted") return { name: token?.text ?? "", words: [at] };
  const before = /[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*-$/u.exec(text.slice(0, token.start))?.[0] ?? "";
  const behind = /^(?:-[\p{L}\p{N}_]+)+/u.exec(text.slice(token.end))?.[0] ?? "";
  const [start, end] = [token.start - before.length, token.end + behind.length];
  return {
    name: text.slice(start, end),
    words: placesAcross(tokens, { start, end }),
  };
}
