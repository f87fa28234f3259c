/** Manifests are quoted in messages: no control character of theirs reaches a terminal, and a line stays a line. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** The same of several lines, which stay apart. JSON stays the same JSON: within its strings, these are escapes. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
