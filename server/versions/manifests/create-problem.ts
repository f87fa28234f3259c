import type { Problem } from "../problem.ts";
import type { Position } from "./position.ts";
import type { Rule } from "./rules.ts";

export function createProblem(file: string, at: Position, rule: Rule, message: string, fix: string): Problem {
  return { file, line: at.line, column: at.column, rule, message, fix };
}
