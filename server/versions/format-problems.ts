import { printable } from "../text/printable.ts";
import { toWorkflowCommand } from "../text/workflow-command.ts";
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
