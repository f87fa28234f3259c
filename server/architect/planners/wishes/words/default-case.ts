import type { Token } from "./words.ts";

const WHO = String.raw`(?:the |a |our )?(?:callers?|users?|clients?|people|someone|somebody|one|they|you|it)`;
/** Sayings that nothing is given, so that a default counts. */
const CASES: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:when|whenever|if|where|in case) ${WHO} (?:leaves?|skips?|omits?)(?: (?:it|that|this|them|\w+))?(?: out| away| empty| blank)?`,
    "giu",
  ),
  /\b(?:when|whenever|if|where|in case) (?:there is |we get |they give )?no [\w.]+(?: [\w.]+)? (?:is |was |has been )?(?:given|set|passed|sent|named|said|stated|specified|supplied|provided|asked for)/giu,
  /\b(?:when|whenever|if|where) (?:it|that|they|[\w.]+) (?:is|are|was|were) (?:left out|left empty|omitted|missing|absent|not (?:given|set|passed|sent|specified|stated))/giu,
];

/** Finds the words that say that something counts where nothing is given: "when the caller leaves it out". */
export function findDefaultCase(text: string, tokens: readonly Token[]): readonly (readonly number[])[] {
  return CASES.flatMap((pattern) => [...text.matchAll(pattern)]).map(({ index, 0: said }) =>
    tokens.flatMap(({ start, end }, at) => (start >= index && end <= index + said.length ? [at] : [])),
  );
}
