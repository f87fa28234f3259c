import { isObject } from "../../json/is-object.ts";
import type { Problem } from "../problem.ts";
import type { ToolFile } from "./kinds/read-tool.ts";
import type { WorkflowFile } from "./kinds/read-workflow.ts";
import { suggest } from "../../text/suggest.ts";

/** Arguments that a step passes to its tool. */
const GIVEN: readonly string[] = ["task_id", "run_id"];

/** Checks that workflows fit each other, and the tools of their steps. `names`: of all tools, unreadable ones included. */
export function checkWorkflows(
  workflows: readonly WorkflowFile[],
  tools: readonly ToolFile[],
  names: readonly string[],
): readonly Problem[] {
  const byName = new Map(tools.map(({ tool }) => [tool.name, tool]));
  const steps = workflows.flatMap(({ workflow, problem }) =>
    workflow.steps.flatMap(({ tool: name }, index) => {
      const path = ["steps", index, "tool"];
      const tool = byName.get(name);
      if (names.includes(name)) {
        return tool ? [...findMisfits(tool)].map(([what, fix]) => problem("workflow-invalid", path, what, fix)) : [];
      }
      const meant = suggest(name, names);
      const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Name a tool as its manifest does, or add one.`;
      return [problem("unknown-tool", path, `There is no tool \`${name}\` for this step.`, fix)];
    }),
  );
  return [...checkDefaults(workflows), ...steps];
}

function checkDefaults(workflows: readonly WorkflowFile[]): readonly Problem[] {
  const [first, ...others] = workflows.filter(({ workflow }) => workflow.isDefault);
  return others.map(({ problem }) => {
    const message = `Tasks that name no workflow already have the one of \`${first?.workflow.file}\`.`;
    return problem("workflow-invalid", ["default"], message, "Remove `default: true` from one of them.");
  });
}

/** Finds reasons why a step cannot use the tool, each with a remedy. */
function* findMisfits({ name, sideEffect, input }: ToolFile["tool"]): Generator<readonly [string, string]> {
  if (!sideEffect) {
    yield [
      `A step leaves something behind, but \`${name}\` says that it has no side effect.`,
      "Add `sideEffect: true` to the tool, or use another.",
    ];
  }
  const { required, properties, additionalProperties } = input;
  const lacking = Array.isArray(required) ? required.map(String).find((key) => !GIVEN.includes(key)) : undefined;
  if (lacking !== undefined) {
    yield [
      `A step gives \`task_id\` and \`run_id\` to its tool, but \`${name}\` requires \`${lacking}\`.`,
      `Remove \`${lacking}\` from \`required\` of the tool's input, or use another tool.`,
    ];
  }
  const unknown = GIVEN.find((key) => !isObject(properties) || !Object.hasOwn(properties, key));
  if (additionalProperties === false && unknown !== undefined) {
    yield [
      `A step gives \`task_id\` and \`run_id\` to its tool, but \`${name}\` does not take \`${unknown}\`.`,
      `Add \`${unknown}\` to \`properties\` of the tool's input, or use another tool.`,
    ];
  }
}
