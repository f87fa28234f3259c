import { showHidden, toEscapes } from "./find-hidden.ts";

/** Rows of a table or items of a list; one commit's message has a limit. */
export const ITEMS_SHOWN = 40;

/** Puts text of others into a fence longer than any in it, so that it cannot end the fence and stays nothing but text. */
export function fence(text: string, language = "text"): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}

/**
 * Writes text on one line, with nothing that Markdown or a forge takes for more than text, but for code between single backquotes: in
 * there nothing means anything.
 */
export function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .split(/((?<![`\\])`[^`]+`(?!`))/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[\\`*_<>[\]#@|!]/g, "\\$&")))
    .join("");
}

/** Writes a name of others as code on one line, also within a table. */
export function toCode(text: string, length = 200): string {
  return `\`${clip(showHidden(text), length).replaceAll(/[`|\\]|\s/g, "?")}\``;
}

export function clip(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length).toWellFormed()} ... (${text.length} characters in all)`;
}

/** Writes a part that a reader opens; forges without HTML show it open. */
export function fold(summary: string, text: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

/** Writes the files of a diff with the lines that each gains and loses, as a table; empty where there are none. */
export function toFileTable(diff: string): string {
  const rows = diff
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git "))
    .map((part) => {
      const [head = "", ...lines] = part.split("\n");
      const body = lines.slice(lines.findIndex((line) => line.startsWith("@@")));
      const count = (mark: string) => body.filter((line) => line.startsWith(mark)).length;
      const path = head.slice(head.lastIndexOf(" b/") + 3).replaceAll(/[`|\\\r]/g, "?");
      return [`\`${path}\``, String(count("+")), String(count("-"))];
    });
  return toTable(["file", "lines added", "removed"], rows);
}

/** Writes rows of cells, which are Markdown already, as a table; empty where there are none. */
export function toTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const more = rows.length - ITEMS_SHOWN;
  const last = more > 0 ? [[`and ${more} more`, ...titles.slice(1).map(() => "")]] : [];
  const shown = [titles, titles.map(() => "---"), ...rows.slice(0, ITEMS_SHOWN), ...last];
  return shown.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/**
 * Writes a value of others as code within a table. Backquotes and bars are written as escapes of JSON: the one would end the code,
 * the other the cell.
 */
export function toCodeCell(text: string, length: number): string {
  const line = showHidden(clip(text, length)).replaceAll(/\s+/g, " ");
  return `\`${line.replaceAll(/[`|]/g, toEscapes)}\``;
}

/** A text as an item of a Markdown list has it: the lines behind the first one stand under it. */
export function indentLines(text: string): string {
  return text.replaceAll(/\n(?!\n|$)/g, "\n  ");
}
