import type { Problem } from "./problem.ts";

/** `text` for people, as compilers do it; `json` for programs; `github` for annotations in GitHub Actions. */
export const PROBLEM_FORMATS = ["text", "json", "github"] as const;

export type ProblemFormat = (typeof PROBLEM_FORMATS)[number];

export function formatProblems(problems: readonly Problem[], format: ProblemFormat): string {
  if (format === "json") return `${JSON.stringify(problems, undefined, 2)}\n`;
  return problems.map(format === "github" ? toCommand : toText).join("");
}

function toText({ file, line, column, rule, message, fix }: Problem): string {
  return printable(`${file}:${line}:${column}: ${message} (${rule})`) + "\n" + printable(`    ${fix}`) + "\n";
}

/** A workflow command of GitHub Actions, which takes whatever is not escaped as its own syntax. */
function toCommand({ file, line, column, rule, message, fix }: Problem): string {
  const properties = { file, line, col: column, title: rule };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::error ${list.join(",")}::${escapeData(`${message}\n${fix}`)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Manifests are quoted in messages: no control character of theirs reaches a terminal, and a line stays a line. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
