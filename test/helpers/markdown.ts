import { readFileSync } from "node:fs";

/** The body rows of all tables in a Markdown file, as trimmed cells without code marks around a whole cell. */
export function readTables(file: string): string[][] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line, index, lines) => line.startsWith("|") && !isRule(line) && !isRule(lines[index + 1] ?? ""))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) =>
          cell
            .trim()
            .replace(/^`([^`]*)`$/, "$1")
            .replaceAll("\\|", "|"),
        ),
    );
}

function isRule(line: string): boolean {
  return /^\|[\s:|-]+\|$/.test(line);
}
