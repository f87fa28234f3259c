import { suggest } from "../../text/suggest.ts";
import type { Approval } from "../policy.ts";
import { covers } from "../covers.ts";
import type { Problem } from "../problem.ts";
import type { PolicyFile } from "./kinds/read-policy.ts";
import type { ToolFile } from "./kinds/read-tool.ts";

/**
 * Checks that somebody could approve the calls that wait, and see what they approve: a role that policies have, a tool to
 * decide with, and tools whose calls can wait. `names`: of all tools, unreadable ones included.
 */
export function checkApprovals(
  tools: readonly ToolFile[],
  policies: readonly PolicyFile[],
  names: readonly string[],
): readonly Problem[] {
  const roles = policies.flatMap(({ policy }) => [...policy.roles.keys()]);
  const decides = tools.some(({ tool }) => tool.uses.has("work.approve"));
  return [
    ...tools.flatMap(({ tool, problem }) => tool.approvals.flatMap((approval) => checkOne(approval, problem))),
    ...policies.flatMap(({ policy, problem }) =>
      (policy.calls ?? []).flatMap(({ tools: entries, approval }) => [
        ...checkOne(approval, problem),
        ...entries.flatMap((entry, index) =>
          findMistakes(entry, tools, names).map(([rule, message, fix]) =>
            problem(rule, [...approval.path, "tools", index], message, fix),
          ),
        ),
      ]),
    ),
  ];

  function checkOne({ by, path }: Approval, problem: ToolFile["problem"]): readonly Problem[] {
    const problems: Problem[] = [];
    if (!roles.includes(by)) {
      const meant = suggest(by, roles);
      const message = `No policy has the role \`${by}\`, so nobody could approve a call.`;
      const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Name a role of \`manifests/policies\`, or add it there.`;
      problems.push(problem("approval-invalid", [...path, "by"], message, fix));
    }
    if (!decides) {
      const message = "No tool of this tree uses `work.approve`, so nobody could approve a call.";
      const fix = "Add the tool `approval_write` of the work server.";
      problems.push(problem("approval-invalid", path, message, fix, "key"));
    }
    return problems;
  }
}

type Mistake = readonly [rule: "approval-invalid" | "unknown-tool", message: string, fix: string];

/** Finds what is wrong with an entry of a policy's `tools`: calls that it names would run unseen, or could never run. */
function findMistakes(entry: string, tools: readonly ToolFile[], names: readonly string[]): readonly Mistake[] {
  if (!names.some((name) => covers(entry, name))) {
    const meant = suggest(entry, names);
    const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Name a tool as its manifest does, or several with \`*\` at the end.`;
    return [["unknown-tool", `There is no tool \`${entry}\` whose calls could wait.`, fix]];
  }
  return tools.flatMap(({ tool }): readonly Mistake[] => {
    if (!covers(entry, tool.name)) return [];
    const hindrance = findHindrance(tool);
    if (hindrance === undefined) return [];
    return [["approval-invalid", `Calls of \`${tool.name}\` cannot wait: ${hindrance}.`, "Name other tools here."]];
  });
}

function findHindrance({ uses, redact, interactive }: ToolFile["tool"]): string | undefined {
  if (uses.has("work.approve")) return "approving would wait for an approval itself";
  if (redact.length > 0) return "who approves a call must see all of it, but its `redact` hides parts";
  if (interactive) return "it is `interactive`, and nobody is there to ask when the call runs";
  return undefined;
}
