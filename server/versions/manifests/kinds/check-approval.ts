import type { Problem } from "../../problem.ts";
import type { Manifest } from "../manifest.ts";
import type { ToolContent } from "./tool-content.ts";

/**
 * Checks that a call can be shown whole to who approves it: what `redact` masks would be approved unseen, and would have to
 * be kept until then.
 */
export function checkApproval({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const { approval, redact = [], interactive = false } = content;
  if (approval === undefined) return [];
  const problems: Problem[] = [];
  if (redact.length > 0) {
    const message = "Who approves a call must see all of it, but `redact` hides parts.";
    problems.push(problem("approval-invalid", ["redact"], message, "Remove `redact`, or `approval`."));
  }
  if (interactive) {
    const message = "A call that waits for its approval has nobody to ask when it runs, but the tool is `interactive`.";
    problems.push(problem("approval-invalid", ["interactive"], message, "Remove `interactive`, or `approval`."));
  }
  return problems;
}
