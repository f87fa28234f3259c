const FENCE = /^(?:```|~~~)(?:diff|patch)[ \t]*\n([\s\S]*?)^(?:```|~~~)[ \t]*$/m;

/** The unified diff in a text: a block that says `diff`, or the whole text where that is one. */
export function findDiff(text: string): string | undefined {
  const normal = text.replaceAll("\r\n", "\n");
  const [, fenced] = FENCE.exec(`${normal}\n`) ?? [];
  if (fenced !== undefined) return fenced;
  return /^(?:diff --git |--- )/.test(normal) && /^@@ |^(?:new|deleted) file mode |^rename /m.test(normal)
    ? `${normal.trimEnd()}\n`
    : undefined;
}

/** Returns a text without its diff. */
export function withoutDiff(text: string): string {
  const diff = findDiff(text);
  return diff === undefined
    ? text
    : text
        .replaceAll("\r\n", "\n")
        .replace(diff, "")
        .replace(/^(?:```|~~~).*$/gm, "")
        .trim();
}

/** The files that a unified diff touches, in order, each once; both names of one that is renamed. */
export function listFiles(diff: string): readonly string[] {
  const found = new Set<string>();
  let isHeader = true;
  for (const line of diff.split("\n")) {
    if (line.startsWith("diff --git ")) isHeader = true;
    else if (line.startsWith("@@ ")) isHeader = false;
    const [, name] = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t]+)/.exec(line) ?? [];
    // In a hunk a line that is taken out may look like a header; a real one is followed by its other half.
    if (name !== undefined && name !== "/dev/null" && (isHeader || isPair(diff, line))) found.add(name);
    const [, renamed] = (isHeader && /^rename (?:from|to) (.+)$/.exec(line)) || [];
    if (renamed !== undefined) found.add(renamed);
  }
  return [...found];
}

/** Diffs without `diff --git` lines begin each file with the pair of its names. */
function isPair(diff: string, line: string): boolean {
  return !diff.includes("diff --git ") && (diff.includes(`${line}\n+++ `) || diff.includes(`\n${line}\n@@ `));
}
