/** Something in a text that looks like a credential. */
export interface Secret {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** Kind of credential, never its text. */
  readonly kind: string;
  /** The credential, which nobody is to be shown. */
  readonly value: string;
}

/**
 * Forms that the library does not know: tokens of Cairn's own, private keys of any length, signed web tokens, identifiers of
 * AWS keys but those of its documentation, and values behind a credential's name that are long and look drawn at random.
 */
const TOKEN =
  /(?<![\w-])(?:cairn_[a-z0-9]{1,32}_(?=[\w-]{0,64}[A-Z0-9])[\w-]{16,}|-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\\A-Za-z0-9+/=]{20,64}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}|A[KS]IA(?!\w*EXAMPLE)[A-Z0-9]{16}(?!\w))/g;
const NAMED =
  /(?<![A-Za-z0-9])(?:passw(?:or)?d|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|token)["']?\s{0,4}[:=]\s{0,4}["'`]?([\w+/=.~!@$%^*-]{16,256})(?=["'`\s,;}]|$)/gi;
/** Bits of each character, of sixteen characters drawn from letters and digits about 3.6. */
const MIN_ENTROPY = 3.2;

export async function findSecrets(path: string, text: string): Promise<readonly Secret[]> {
  // A change must not have itself left out of the search: the library's comments mean nothing here.
  const content = text.replaceAll("secretlint-", "secretlint_");
  // Loaded with the first search: most services never make one.
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const { messages } = await lintSource({
    source: { content, filePath: path, ext: "", contentType: "text" },
    options: { config: { rules: [{ id: "credentials", rule: creator }] }, maskSecrets: true, noPhysicFilePath: true },
  });
  const found = messages.map(({ range: [from, to], messageId }) => ({ from, to, kind: messageId }));
  const known = (from: number, to: number) => found.some((one) => one.from < to && from < one.to);
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (!known(index, index + token.length)) found.push({ from: index, to: index + token.length, kind: "Token" });
  }
  for (const { 0: whole, 1: value = "", index } of text.matchAll(NAMED)) {
    const from = index + whole.length - value.length;
    if (looksRandom(value) && !known(from, from + value.length))
      found.push({ from, to: from + value.length, kind: "NamedSecret" });
  }
  return found
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to, kind }) => ({ ...toPosition(text, from), kind, value: text.slice(from, to) }));
}

function looksRandom(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && toEntropy(value) >= MIN_ENTROPY;
}

/** Shannon's, in bits of each character. */
function toEntropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / value.length) * Math.log2(count / value.length), 0);
}

function toPosition(text: string, at: number) {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}
