/** Comments, strings, words, and single characters otherwise. */
const TOKEN = /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w$]+|\S/g;
const OPENING = "({[<";
const CLOSING = ")}]>";

/**
 * Says whether two texts of types are the same but for their layout. Formatters wrap lines, change quotes, and set or leave out
 * semicolons, commas, a first `|` and needless brackets: a file that one was run over says no other types.
 */
export function isSameTypes(one: string, other: string): boolean {
  return one === other || toPlain(one) === toPlain(other);
}

function toPlain(text: string): string {
  const all = text.match(TOKEN) ?? [];
  const tokens = all.map((token, at) => toToken(token, all[at + 1])).filter((token) => token !== ";" && token !== ",");
  // A `|` before the first member says nothing.
  const members = tokens.filter((token, at) => token !== "|" || !"=:({[<|".includes(tokens[at - 1] ?? "="));
  const needless = findNeedless(members);
  return members.filter((_, at) => !needless.has(at)).join("\n");
}

function toToken(token: string, next: string | undefined): string {
  if (token.startsWith("/*") || token.startsWith("//")) return token.replaceAll(/[\s*]+/g, " ").trim();
  if (!/^["']/.test(token)) return token;
  const text = token.slice(1, -1).replaceAll(/\\(["'])/g, "$1");
  // Only the name of a member means the same without quotes.
  return next === ":" || next === "?" ? text : JSON.stringify(text);
}

/** Finds the round brackets around what is one type already: no union or intersection stands in them by itself. */
function findNeedless(tokens: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  const open: { readonly at: number; isJoined: boolean }[] = [];
  for (const [at, token] of tokens.entries()) {
    const last = open.at(-1);
    if (OPENING.includes(token)) open.push({ at, isJoined: false });
    else if ((token === "|" || token === "&") && last !== undefined) last.isJoined = true;
    else if (CLOSING.includes(token)) {
      open.pop();
      if (token === ")" && last?.isJoined === false) found.add(last.at).add(at);
    }
  }
  return found;
}
