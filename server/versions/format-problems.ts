import { printable } from "../text/printable.ts";
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

function toCommand({ file, line, column, rule, message, fix }: Problem): string {
  return `${toWorkflowCommand("error", { file, line, col: column, title: rule }, `${message}\n${fix}`)}\n`;
}

/** A workflow command of GitHub Actions, which takes whatever is not escaped as its own syntax. */
export function toWorkflowCommand(
  kind: "error" | "notice",
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${kind}${list.length === 0 ? "" : ` ${list.join(",")}`}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
