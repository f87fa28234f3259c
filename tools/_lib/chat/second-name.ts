import type { Span } from "../fill/draft.ts";
import { isStopWord } from "../language/stop-words.ts";
import { tokenise } from "../language/tokenise.ts";

const JOINED =
  /\uFFFC\s*(?:,|,?\s*\b(?:and|or)\b)\s+(?:(?<name>\p{Lu}[\p{L}\p{M}'’-]*(?:\s\p{Lu}[\p{L}\p{M}'’-]*)*)|(?<word>[\p{L}\p{M}'’-]+)[\s.?!]*$)/u;

/**
 * The name that is left beside one that became a value, "London" of "Paris and London": a turn makes one call only.
 * `known` are the stems that speak of the tool itself and so are no name.
 */
export function findSecondName(
  rest: string,
  known: ReadonlySet<string>,
): (Span & { readonly value: string }) | undefined {
  const match = JOINED.exec(rest);
  const value = match?.groups?.["name"] ?? match?.groups?.["word"];
  if (!match || value === undefined) return undefined;
  if (tokenise(value).every(({ word, stem }) => isStopWord(word) || known.has(stem))) return undefined;
  return { start: match.index + 1, end: match.index + match[0].length, value };
}
