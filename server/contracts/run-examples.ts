import { createSchemaCompiler } from "../versions/manifests/schema/schema-compiler.ts";
import type { Example, Tool, Version } from "../versions/version.ts";
import type { Difference } from "./diff-values.ts";
import { judgeExample } from "./judge-example.ts";
import { locateExamples, type ReadText } from "./locate-examples.ts";
import type { Trial } from "./open-trial.ts";

/** How one example of one tool came out. */
export interface ExampleOutcome {
  readonly tool: string;
  /** Counted from 0. */
  readonly index: number;
  readonly description?: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `skipped`: it wanted a host that could not be asked, so nothing is known of it. */
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it did not pass. */
  readonly reasons: readonly string[];
  readonly differences: readonly Difference[];
}

export interface ExampleRun {
  readonly examples: readonly ExampleOutcome[];
  /** Tools that nothing is known of, because they have no example. */
  readonly untested: readonly string[];
}

/** Runs the examples of a version's tools, or of some of them; `onTool` hears of each tool when it is done. */
export async function runExamples(
  version: Version,
  readText: ReadText,
  trial: Trial,
  onTool: (tool: string, outcomes: readonly ExampleOutcome[]) => void,
  tools: readonly Tool[] = [...version.tools.values()],
): Promise<ExampleRun> {
  const compile = createSchemaCompiler(MAX_SCHEMA_TEXT);
  const examples: ExampleOutcome[] = [];
  for (const tool of tools) {
    const positions = await locateExamples(readText, tool);
    const outcomes: ExampleOutcome[] = [];
    for (const [index, example] of tool.examples.entries()) {
      const { line = 1, column = 1 } = positions[index] ?? {};
      outcomes.push({ ...about(tool, example, index), line, column, ...(await runOne(tool, example)) });
    }
    examples.push(...outcomes);
    onTool(tool.name, outcomes);
  }
  return { examples, untested: tools.filter((tool) => tool.examples.length === 0).map(({ name }) => name) };

  async function runOne(tool: Tool, example: Example) {
    const { result, hosts } = await trial.call(version, tool, example.input);
    if (hosts.length > 0) {
      const reason = `it asks ${hosts.map((host) => `\`${host}\``).join(", ")}, and there is no network here`;
      return { outcome: "skipped", reasons: [reason], differences: [] } as const;
    }
    const broken = judgeExample(tool, example, result, compile);
    if (broken === undefined) return { outcome: "passed", reasons: [], differences: [] } as const;
    return { outcome: "failed", ...broken } as const;
  }
}

/** `fail` when any example does; `pass` only when there are examples and all of them ran. */
export function toStatus({ examples }: ExampleRun): "pass" | "fail" | "unknown" {
  if (examples.some(({ outcome }) => outcome === "failed")) return "fail";
  return examples.length > 0 && examples.every(({ outcome }) => outcome === "passed") ? "pass" : "unknown";
}

/** Characters of `matches` that are kept compiled. */
const MAX_SCHEMA_TEXT = 1024 * 1024;

function about({ name, file }: Tool, { description }: Example, index: number) {
  return { tool: name, index, ...(description === undefined ? {} : { description }), file };
}
