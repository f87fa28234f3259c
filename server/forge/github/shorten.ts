/** The text, or as much of it as fits into `limit` characters, of which none is cut in two. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
