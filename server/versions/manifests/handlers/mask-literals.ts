/** Words after which a slash begins a regular expression. */
const BEFORE_REGEXP = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$/;

/** Replaces comments and the text of strings, templates and regular expressions with spaces; nothing moves. */
export function maskLiterals(code: string): string {
  let text = "";
  /** Depths of braces at which templates go on. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  while (at < code.length) {
    const character = code[at] ?? "";
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    const isTemplate = character === "`" || (character === "}" && templates.at(-1) === depth);
    const end = isTemplate ? endOfTemplate(code, at + 1) : endOfLiteral(code, at, text);
    if (character === "}" && isTemplate) templates.pop();
    if (isTemplate && code[end - 1] === "{") {
      templates.push(depth);
      depth += 1;
    }
    text += end > at ? blank(code.slice(at, end)) : character;
    at = Math.max(end, at + 1);
  }
  return text;
}

/** The end of a comment, string or regular expression that begins at `at`; `at` where none does. */
function endOfLiteral(code: string, at: number, before: string): number {
  const character = code[at];
  if (character === '"' || character === "'") return endOfString(code, at, character);
  if (character !== "/") return at;
  if (code[at + 1] === "/") return orEnd(code.indexOf("\n", at), code);
  if (code[at + 1] === "*") return orEnd(code.indexOf("*/", at + 2) + 2, code, 1);
  const last = before.trimEnd();
  if (/[\w$)\]}]$/.test(last) && !BEFORE_REGEXP.test(last)) return at;
  const regexp = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;
  regexp.lastIndex = at;
  return regexp.test(code) ? regexp.lastIndex : at;
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
