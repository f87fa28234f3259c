import { suggest } from "../../text/suggest.ts";
import type { Problem } from "../problem.ts";
import type { ToolFile } from "./kinds/read-tool.ts";

/** Checks that somebody could approve the calls that wait: a role that policies have, and a tool to decide with. */
export function checkApprovals(tools: readonly ToolFile[], roles: readonly string[]): readonly Problem[] {
  const decides = tools.some(({ tool }) => tool.uses.has("work.approve"));
  return tools.flatMap(({ tool: { approval }, problem }) => {
    if (approval === undefined) return [];
    const problems: Problem[] = [];
    if (!roles.includes(approval.by)) {
      const meant = suggest(approval.by, roles);
      const message = `No policy has the role \`${approval.by}\`, so nobody could approve a call.`;
      const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Name a role of \`manifests/policies\`, or add it there.`;
      problems.push(problem("approval-invalid", ["approval", "by"], message, fix));
    }
    if (!decides) {
      const message = "No tool of this tree uses `work.approve`, so nobody could approve a call.";
      const fix = "Add the tool `approval_write` of the work server.";
      problems.push(problem("approval-invalid", ["approval"], message, fix, "key"));
    }
    return problems;
  });
}
