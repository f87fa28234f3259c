/**
 * Checks that a glob matches all of a path, relative and with `/`. `*` is any text within a part of the path, `?` one
 * character of it, `**` any number of parts, but at the end at least one; all else is literal, and a dot is like any
 * other character. Its time grows at most with the product of both lengths, because both may come from strangers.
 */
export function matchesPath(glob: string, path: string): boolean {
  const parts = glob.split("/");
  if (parts.at(-1) === "**") parts.push("*");
  return matchesInTurn(parts, path.split("/"), "**", matchesPart);
}

/**
 * Finds a mistake for which a glob does not match what it seems to: a rule that silently matches nothing would call risky
 * files harmless.
 */
export function findGlobMistake(glob: string): string | undefined {
  if (glob.startsWith("!")) return "starts with `!`, but nothing can be excluded";
  const sign = /[[\]{}()|\\]/.exec(glob)?.[0];
  if (sign !== undefined) return `has a \`${sign}\`, which means nothing here; a \`?\` matches any character`;
  const parts = glob.split("/");
  if (glob.startsWith("/")) return "starts with `/`, but paths start in the workspace";
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    return "has an empty part, a `.` or a `..`, which no path has";
  }
  return parts.some((part) => part.includes("**") && part !== "**")
    ? "has a `**` that does not stand alone between slashes"
    : undefined;
}

function matchesPart(glob: string, part: string): boolean {
  return matchesInTurn([...glob], [...part], "*", (sign, character) => sign === "?" || sign === character);
}

/** Only the last wildcard need be tried again: what an earlier one could take besides, the last can take as well. */
function matchesInTurn(
  pattern: readonly string[],
  items: readonly string[],
  wildcard: string,
  matches: (one: string, item: string) => boolean,
): boolean {
  let [at, wildcardAt, resumeAt] = [0, -1, 0];
  for (let index = 0; index < items.length;) {
    const [one, item = ""] = [pattern[at], items[index]];
    if (one === wildcard) {
      [wildcardAt, resumeAt] = [at, index];
      at++;
    } else if (one !== undefined && matches(one, item)) {
      at++;
      index++;
    } else if (wildcardAt >= 0) {
      at = wildcardAt + 1;
      index = ++resumeAt;
    } else return false;
  }
  return pattern.slice(at).every((one) => one === wildcard);
}
