import type { ExampleOutcome, ExampleRun } from "../contracts/run-examples.ts";
import { saveTestResult, type TestResult, toTestResult } from "../contracts/test-results.ts";
import { CairnError } from "../errors.ts";
import { formatProblems, type ProblemFormat } from "../versions/format-problems.ts";
import type { Problem } from "../versions/problem.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "./audit-store.ts";
import { createCommand, type CreateCommand, type Surroundings } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { NO_COMMIT, openTarget } from "./open-target.ts";
import { FORMAT_OPTION, TARGET_OPTION } from "./target-options.ts";
import { EGRESS_MAP_OPTION, testVersion, toEgressMap } from "./test-version.ts";

/** `cairn test [ref|dir]`: whether tools answer as their examples say. */
export const createTestCommand: CreateCommand = (surroundings) =>
  createCommand({
    meta: { name: "test", description: "Run every example of a folder or a commit as a contract test" },
    args: {
      ...TARGET_OPTION,
      ...FORMAT_OPTION,
      ...EGRESS_MAP_OPTION,
      data: {
        ...DATA_OPTION.data,
        description: "Data folder to keep the result in, for `/versions`; not kept without",
      },
    },
    async run({ args }) {
      const { out, environment } = surroundings;
      const format = args.format as ProblemFormat;
      const egressMap = toEgressMap(args["egress-map"]);
      const { loaded, readText, close } = await openTarget(surroundings, args.target);
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
        const onTool = format === "json" ? () => undefined : tell(surroundings);
        const run = await testVersion(version, readText, egressMap, onTool);
        const result = toTestResult(version.commit, run, Date.now());
        if (args.data !== undefined) {
          const { data } = loadAuditConfig(environment, args.data);
          await withStore({ surroundings, command: "test", data }, (store) => saveTestResult(store, result));
        }
        for (const line of show(format, run, result)) out(line);
        return result.status === "fail" ? EXIT.FAILED : EXIT.OK;
      } finally {
        close();
      }
    },
  });

/** A line for each tool as soon as it is done, and what is wrong with its examples below it. */
function tell({ out }: Surroundings) {
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
      : "`--egress-map` names a stand-in for the host; until then nothing is known of this example.";
  return { file, line, column, rule: outcome === "failed" ? "example-broken" : "example-skipped", message, fix };
}

/** What handlers answer is quoted: no control character of theirs reaches a terminal or a workflow's commands. */
function printable(text: string): string {
  // A runner of GitHub Actions obeys `##[command]` wherever it stands in a line.
  return text.replaceAll(/\p{Cc}|#(?=#\[)/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
