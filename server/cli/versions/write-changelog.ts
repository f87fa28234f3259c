/** Heading of what is not released yet, which people write themselves. */
const UNRELEASED = /^##\s+\[?unreleased\]?\s*$/i;

/** CHANGELOG.md with a section for a version above all earlier ones; not one other character of it changes. */
export function writeChangelog(
  text: string,
  { version, date, lines }: { readonly version: string; readonly date: string; readonly lines: readonly string[] },
): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const section = [`## ${version} (${date.slice(0, 10)})`, "", ...lines, ""].join(eol);
  let at = 0;
  for (const line of text.split("\n")) {
    if (/^##\s/.test(line) && !UNRELEASED.test(line.trimEnd()))
      return text.slice(0, at) + section + eol + text.slice(at);
    at += line.length + 1;
  }
  const gap = text === "" || /\n\r?\n$/.test(text) ? "" : text.endsWith("\n") ? eol : eol + eol;
  return text + gap + section;
}
