/** Words after which a slash begins a regular expression. */
const BEFORE_REGEXP = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$/;

/** Characters of code before a slash that are looked at: the longest word of `BEFORE_REGEXP`, and the sign before it. */
const TAIL_LENGTH = 12;

/** Characters of a regular expression at most; a longer one passes as code. Each slash of a long line may begin one. */
const MAX_REGEXP = 1_000;

/**
 * Replaces comments and the text of strings, templates and regular expressions with spaces; nothing moves. The time grows with
 * the length alone: a version is read with it, whoever wrote that.
 */
export function maskLiterals(code: string): string {
  const pieces: string[] = [];
  /** The last code, with a space for what stood between. */
  let tail = "";
  /** Depths of braces at which templates go on. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  while (at < code.length) {
    const character = code[at] ?? "";
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    const isTemplate = character === "`" || (character === "}" && templates.at(-1) === depth);
    const end = isTemplate ? endOfTemplate(code, at + 1) : endOfLiteral(code, at, tail.trimEnd());
    if (character === "}" && isTemplate) templates.pop();
    if (isTemplate && code[end - 1] === "{") {
      templates.push(depth);
      depth += 1;
    }
    pieces.push(end > at ? blank(code.slice(at, end)) : character);
    if (end === at && /\S/.test(character)) tail = `${tail}${character}`.slice(-TAIL_LENGTH);
    else if (!tail.endsWith(" ")) tail = `${tail} `.slice(-TAIL_LENGTH);
    at = Math.max(end, at + 1);
  }
  return pieces.join("");
}

/** The end of a comment, string or regular expression that begins at `at`; `at` where none does. */
function endOfLiteral(code: string, at: number, last: string): number {
  const character = code[at];
  if (character === '"' || character === "'") return endOfString(code, at, character);
  if (character !== "/") return at;
  if (code[at + 1] === "/") return orEnd(code.indexOf("\n", at), code);
  if (code[at + 1] === "*") return orEnd(code.indexOf("*/", at + 2) + 2, code, 1);
  if (/[\w$)\]}]$/.test(last) && !BEFORE_REGEXP.test(last)) return at;
  const regexp = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;
  return regexp.test(code.slice(at, at + MAX_REGEXP)) ? at + regexp.lastIndex : at;
}

/** The end of a string: behind its quote, or at the end of the line where that is missing. */
function endOfString(code: string, at: number, quote: string): number {
  for (let next = at + 1; next < code.length; next += 1) {
    if (code[next] === "\\") next += 1;
    else if (code[next] === quote) return next + 1;
    else if (code[next] === "\n") return next;
  }
  return code.length;
}

/** The end of a piece of a template: behind its closing backquote, or behind the `${` of a value. */
function endOfTemplate(code: string, from: number): number {
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code[at] === "`") return at + 1;
    else if (code[at] === "$" && code[at + 1] === "{") return at + 2;
  }
  return code.length;
}

function orEnd(end: number, code: string, none = -1): number {
  return end === none ? code.length : end;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}
