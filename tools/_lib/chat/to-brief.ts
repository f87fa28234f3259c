const LINES = 3;

/** The beginning of an answer that can stand by itself: a sentence up to its first semicolon, a list up to its third line. */
export function toBrief(text: string): string {
  const lines = text.split("\n");
  if (lines.length > LINES) return [...lines.slice(0, LINES), "…"].join("\n");
  const [first = "", ...others] = text.split("; ");
  return lines.length > 1 || others.length === 0 ? text : `${first}.`;
}
