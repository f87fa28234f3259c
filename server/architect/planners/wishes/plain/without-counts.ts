const COUNTED = /(?<=^|\s)(\d)[.)]\s+(?=\S)/g;

/** "1) ... 2) ... 3) ...": the wishes of one line, with semicolons between in place of their numbers. */
export function withoutCounts(text: string): string {
  return text.split("\n").map(toPlain).join("\n");
}

function toPlain(line: string): string {
  const found = [...line.matchAll(COUNTED)];
  if (found.length < 2 || found.some(([, number], at) => Number(number) !== at + 1)) return line;
  const [first] = found;
  const head = line.slice(0, first?.index);
  const parts = found.map(({ 0: source, index }, at) =>
    line
      .slice(index + source.length, found[at + 1]?.index)
      .trim()
      .replace(/[,;.]$/, ""),
  );
  return head + parts.join("; ") + (/[.!]$/.test(line.trimEnd()) ? "." : "");
}
