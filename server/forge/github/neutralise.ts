/** GitHub's own limit for the text of a pull request, in characters. */
export const MAX_BODY = 65_536;

/** Invisible character that ends a word. */
const BREAK = "\u200b";

const KEYWORD = "close[sd]?|fix(?:e[sd])?|resolve[sd]?";
/** `#12`, `GH-12`, `owner/repo#12`, the address of an issue. */
const REFERENCE = "(?:[\\w.-]{1,100}\\/[\\w.-]{1,100})?#\\d|gh-\\d|https?:";
/** The text that may stand between a keyword and what it closes: little, with markup to spare, or the words of a link. */
const BETWEEN = "[^\\p{L}\\p{N}]{1,40}(?:" + REFERENCE + "|[^\\]\\n]{0,200}\\]\\()";
const CLOSING = new RegExp(`\\b(${KEYWORD})(?=${BETWEEN})`, "giu");
/** An `@` that names somebody; in an address of mail, a letter or digit stands before it. */
const MENTION = /(?<![A-Za-z0-9])@(?=[A-Za-z0-9])/g;
/** Characters that may be written so as not to be seen by the rules above. */
const ENTITY = /&(?=#|commat;|num;)/g;

/**
 * The text, in which nobody has a say but those who wrote it, so that GitHub does nothing because of it: it names nobody
 * who is then notified, and closes no issue when it lands. It looks the same, but that
 * entities are shown as they were written.
 */
export function neutralise(text: string): string {
  return text
    .replace(ENTITY, "&amp;")
    .replace(MENTION, `@${BREAK}`)
    .replace(CLOSING, (keyword) => keyword.slice(0, 1) + BREAK + keyword.slice(1));
}

/** The text, or as much of it as fits into `limit` characters, of which none is cut in two. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
