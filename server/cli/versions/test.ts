import { resolve } from "node:path";
import { toRecordingPath } from "../../examples/recording.ts";
import type { ExampleOutcome, ExampleRun } from "../../examples/run-examples.ts";
import { saveTestResult, type TestResult, toTestResult } from "../../examples/test-results.ts";
import { CairnError } from "../../errors.ts";
import { formatProblems, type ProblemFormat } from "../../versions/format-problems.ts";
import type { Problem } from "../../versions/problem.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { readRepeated } from "../repeated.ts";
import { createCommand, type CreateCommand, type CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { NO_COMMIT, openTarget } from "./open-target.ts";
import { loadRecordSecrets, type RecordSecrets } from "./load-record-secrets.ts";
import { isRecordable, recordExamples } from "./record-examples.ts";
import { FORMAT_OPTION, TARGET_OPTION } from "./target-options.ts";
import { EGRESS_MAP_OPTION, testVersion, toEgressMap } from "./test-version.ts";

/** `cairn test [ref|dir]`: whether tools answer as their examples say. */
export const createTestCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "test", description: "Run every example of a folder or a commit as a contract test" },
    args: {
      ...TARGET_OPTION,
      ...FORMAT_OPTION,
      ...EGRESS_MAP_OPTION,
      record: {
        type: "boolean",
        description: "Ask the hosts of which no answer is recorded, and write their answers beside the handlers",
      },
      secret: {
        type: "string",
        valueHint: "NAME=env:VARIABLE",
        description: "With --record: a secret that goes to its hosts, or file:/path; may be repeated",
      },
      data: {
        ...DATA_OPTION.data,
        description: "Data folder to keep the result in, for `/versions`; not kept without",
      },
    },
    async run({ args, rawArgs }) {
      const { out, environment } = context;
      const format = args.format as ProblemFormat;
      const egressMap = toEgressMap(args["egress-map"]);
      const references = readRepeated(rawArgs, "secret");
      if (references.length > 0 && args.record !== true) {
        throw new CairnError("BAD_REQUEST", "`--secret` is for `--record`: without it, no host is asked.");
      }
      const secrets = await loadRecordSecrets(references, environment);
      const { loaded, readText, close } = await openTarget(context, args.target);
      try {
        if (!loaded.ok) {
          out(formatProblems(loaded.problems, format).trimEnd());
          return EXIT.FAILED;
        }
        const { version } = loaded;
        if (args.data !== undefined && version.commit === NO_COMMIT) {
          const why = "a folder may be another tomorrow. Name a tag or a commit.";
          throw new CairnError("BAD_REQUEST", `The result of \`${args.target}\` cannot be kept: ${why}`);
        }
        if (args.record && version.commit !== NO_COMMIT) {
          throw new CairnError("BAD_REQUEST", `\`${args.target}\` is a commit; recordings are written into a folder.`);
        }
        const onTool = format === "json" ? () => undefined : tell(context);
        const test = { version, readText, onTool };
        const run = args.record
          ? await record(context, args.target, secrets, { ...test, egressMap })
          : await testVersion({ ...test, egressMap });
        const result = toTestResult(version.commit, run, Date.now());
        if (args.data !== undefined) {
          const { data } = loadAuditConfig(environment, args.data);
          await withStore({ context, command: "test", data }, (store) => saveTestResult(store, result));
        }
        for (const line of show(format, run, result)) out(line);
        const isLacking = args.record === true && result.missing?.some(isRecordable) === true;
        return result.status === "fail" || isLacking ? EXIT.FAILED : EXIT.OK;
      } finally {
        close();
      }
    },
  });

type TestOptions = Parameters<typeof testVersion>[0];

/** Records what is missing where nothing but recordings answers, and tests the tools that have one now with that. */
async function record(
  { folder, environment, err }: CliContext,
  target: string,
  secrets: RecordSecrets,
  { egressMap, ...test }: TestOptions,
): Promise<ExampleRun> {
  const { version, readText } = test;
  const run = await testVersion({ ...test, egressMap: new Map() });
  const place = { folder: resolve(folder, target), environment, secrets, tell: err };
  const written = await recordExamples({ version, readText, egressMap, run, ...place });
  if (written.size === 0) err("Nothing was recorded.");
  const tools = [...version.tools.values()].filter((tool) => written.has(toRecordingPath(tool)));
  const readWritten = async (file: string) => written.get(file) ?? readText(file);
  const { examples } = await testVersion({ ...test, egressMap: new Map(), readText: readWritten, tools });
  const again = new Set(tools.map(({ name }) => name));
  return { ...run, examples: [...run.examples.filter(({ tool }) => !again.has(tool)), ...examples] };
}

/** A line for each tool as soon as it is done, and what is wrong with its examples below it. */
function tell({ out }: CliContext) {
  return (tool: string, outcomes: readonly ExampleOutcome[]) => {
    const worst = ["failed", "skipped", "passed"].find((wanted) => outcomes.some(({ outcome }) => outcome === wanted));
    out(`${(worst ?? "no examples").padEnd(11)}  ${tool}${outcomes.length === 0 ? "" : ` (${outcomes.length})`}`);
    for (const { outcome, file, line, column, description, reasons } of outcomes) {
      if (outcome === "passed") continue;
      out(`  ${file}:${line}:${column}: ${outcome}${description === undefined ? "" : `: ${printable(description)}`}`);
      for (const reason of reasons) out(`    ${printable(reason)}`);
    }
  };
}

function show(format: ProblemFormat, run: ExampleRun, result: TestResult): readonly string[] {
  if (format === "json") return [JSON.stringify({ ...result, examples: run.examples }, undefined, 2)];
  const summary = summarise(result);
  if (format === "text") return [summary];
  const failed = run.examples.filter(({ outcome }) => outcome === "failed").map(toProblem);
  const skipped = run.examples
    .filter(({ outcome }) => outcome === "skipped")
    .map(toProblem)
    .map((problem) => formatProblems([problem], "github").replace("::error ", "::warning "));
  return [...[formatProblems(failed, "github"), ...skipped].join("").split("\n").filter(Boolean), summary];
}

function summarise({ status, passed, failed, skipped, untested }: TestResult): string {
  const none = untested.length === 0 ? "" : `; without examples: ${untested.join(", ")}`;
  return `${status}: ${passed} passed, ${failed} failed, ${skipped} skipped${none}`;
}

function toProblem({ tool, file, line, column, outcome, reasons, description }: ExampleOutcome): Problem {
  const message = `${tool}: ${description ?? "example"}: ${reasons.join("; ")}`;
  const fix =
    outcome === "failed"
      ? "Change the handler, or the example: then what clients were promised has changed."
      : "`cairn test --record` records what the host answers; until then nothing is shown by this example.";
  return { file, line, column, rule: outcome === "failed" ? "example-broken" : "example-skipped", message, fix };
}

/** Escapes handlers' answers, so that no control character reaches a terminal or a workflow's commands. */
function printable(text: string): string {
  // A runner of GitHub Actions obeys `##[command]` wherever it stands in a line.
  return text.replaceAll(/\p{Cc}|#(?=#\[)/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
