import type { Result } from "../kernel/call.ts";
import { SHAPES_ONLY } from "../log/redact.ts";
import { createSchemaCompiler } from "../versions/manifests/schema/schema-compiler.ts";
import type { Example, Tool, Version } from "../versions/version.ts";
import type { Difference } from "./diff-values.ts";
import { judgeExample } from "./judge-example.ts";
import { locateExamples, type ReadText } from "./locate-examples.ts";
import type { Trial } from "./open-trial.ts";
import { createPlayer, type Hosts, loadRecording } from "./recording.ts";
import { defined } from "../json/defined.ts";

/** Result of one example of one tool. */
export interface ExampleOutcome {
  readonly tool: string;
  /** Counted from 0. */
  readonly index: number;
  readonly description?: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `skipped`: it asks something that could not be asked, so nothing is shown by it. */
  readonly outcome: "passed" | "failed" | "skipped";
  /** Reasons why it did not pass. */
  readonly reasons: readonly string[];
  readonly differences: readonly Difference[];
  /** Unavailable things that it needs: hosts in backquotes, or a model. */
  readonly missing: readonly string[];
  /** Says whether a limit of time has ended it, of which a busy machine has less. */
  readonly isLate: boolean;
  /** The result of its call; absent where it was not made. */
  readonly answer?: Result;
}

export interface ExampleRun {
  readonly examples: readonly ExampleOutcome[];
  /** Tools that nothing is known of, because they have no example. */
  readonly untested: readonly string[];
}

export interface ExampleRunOptions {
  readonly version: Version;
  readonly readText: ReadText;
  readonly trial: Trial;
  /** Absent: all of the version's. */
  readonly tools?: readonly Tool[];
  /** Filter of a tool's examples; absent: all. */
  readonly wants?: (tool: Tool, index: number) => boolean;
  /** Stand-ins for hosts for each example of a tool; absent: its recording. */
  readonly hostsOf?: (tool: Tool) => () => Hosts;
  /** Hears of each tool when it is done. */
  readonly onTool?: (tool: string, outcomes: readonly ExampleOutcome[]) => void;
}

/** Runs the examples of a version's tools, or of some of them. */
export async function runExamples(options: ExampleRunOptions): Promise<ExampleRun> {
  const { version, readText, trial, hostsOf, onTool = () => undefined } = options;
  const { tools = [...version.tools.values()], wants = () => true } = options;
  const compile = createSchemaCompiler(MAX_SCHEMA_TEXT);
  const examples: ExampleOutcome[] = [];
  for (const tool of tools) {
    const outcomes = tool.examples.length === 0 ? [] : await runTool(tool);
    examples.push(...outcomes);
    onTool(tool.name, outcomes);
  }
  return { examples, untested: tools.filter((tool) => tool.examples.length === 0).map(({ name }) => name) };

  async function runTool(tool: Tool): Promise<readonly ExampleOutcome[]> {
    const positions = await locateExamples(readText, tool);
    const prepared = await prepareHosts(tool);
    const outcomes: ExampleOutcome[] = [];
    for (const [index, example] of tool.examples.entries()) {
      if (!wants(tool, index)) continue;
      const { line = 1, column = 1 } = positions[index] ?? {};
      const found = "fault" in prepared ? fail([prepared.fault]) : await runOne(tool, example, prepared.hosts());
      outcomes.push({ ...about(tool, example, index), line, column, ...found });
    }
    return outcomes;
  }

  async function prepareHosts(tool: Tool): Promise<{ readonly hosts: () => Hosts } | { readonly fault: string }> {
    if (hostsOf !== undefined) return { hosts: hostsOf(tool) };
    const player = await createPlayer({ tool, load: (one) => loadRecording(readText, one), mask: SHAPES_ONLY.text });
    if (player.ok) return { hosts: player.hosts };
    const [{ file, line, message } = { file: "", line: 1, message: "" }] = player.problems;
    return { fault: `${file}:${line}: ${message}` };
  }

  async function runOne(tool: Tool, example: Example, hosts: Hosts): Promise<Found> {
    const { result, missing, isLate } = await trial.call(version, tool, example.input, hosts);
    if (missing.length > 0) {
      const reason = `it asks ${missing.join(", ")}, and no answer to that is recorded`;
      return { outcome: "skipped", reasons: [reason], differences: [], missing, isLate, answer: result };
    }
    const broken = judgeExample(tool, example, result, compile);
    if (broken !== undefined) return { ...fail(broken.reasons), ...broken, isLate, answer: result };
    return { outcome: "passed", reasons: [], differences: [], missing, isLate, answer: result };
  }
}

type Found = Pick<ExampleOutcome, "outcome" | "reasons" | "differences" | "missing" | "isLate" | "answer">;

function fail(reasons: readonly string[]): Found {
  return { outcome: "failed", reasons, differences: [], missing: [], isLate: false };
}

/** Characters of `matches` that are kept compiled. */
const MAX_SCHEMA_TEXT = 1024 * 1024;

function about({ name, file }: Tool, { description }: Example, index: number) {
  return { tool: name, index, ...defined({ description }), file };
}
