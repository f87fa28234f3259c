/** A text as an item of a Markdown list has it: the lines behind the first one stand under it. */
export function indentLines(text: string): string {
  return text.replaceAll(/\n(?!\n|$)/g, "\n  ");
}
