import type { Position } from "../position.ts";

export interface SyntaxExplanation {
  readonly at?: Position;
  readonly message: string;
  readonly fix: string;
}

/**
 * Explains an error of Node's type stripper, of V8 or of es-module-lexer by its place and text; any other error is thrown
 * again. None gives a position as data. The stack of the first two starts with the line's number, the lines around it,
 * and a mark below the place; the message of the last ends with line and column.
 */
export function explainSyntaxError(error: unknown, text: string): SyntaxExplanation {
  if (!(error instanceof Error)) throw error;
  const [, lexedLine, lexedColumn] = /^Parse error .*:(\d+):(\d+)$/.exec(error.message) ?? [];
  if (lexedLine !== undefined) {
    const at = { line: Number(lexedLine), column: Number(lexedColumn) };
    return { at, message: "The module cannot be read for its imports.", fix: "Look for a bracket or quote left open." };
  }
  if (!(error instanceof SyntaxError)) throw error;
  const [first = "", ...lines] = (error.stack ?? "").split("\n");
  const line = Number(/:(\d+)$/.exec(first)?.[1] ?? 0);
  const mark = Math.max(0, lines.find((printed) => /^\s*\^+\s*$/.test(printed))?.indexOf("^") ?? 0);
  const isStripper = "code" in error;
  const column = isStripper ? toColumn(text.split(/\r\n?|\n/)[line - 1] ?? "", mark) : mark + 1;
  return {
    ...(line > 0 ? { at: { line, column } } : {}),
    message: toSentence(error.message),
    fix:
      isStripper && error.code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX"
        ? "Use only types that can be erased: no enums, namespaces, parameter properties or `<T>value` casts."
        : "Compare it with the lines around it.",
  };
}

/** The stripper's mark counts the cells of a terminal: a tab takes four, and some characters two. */
function toColumn(source: string, cells: number): number {
  let column = 1;
  let cell = 0;
  for (const character of source) {
    if (cell >= cells) break;
    cell += character === "\t" ? 4 : WIDE.test(character) ? 2 : 1;
    column += character.length;
  }
  return column;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function toSentence(message: string): string {
  const [text = ""] = message.replace("is not supported in strip-only mode", "cannot be erased").split("\n");
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
