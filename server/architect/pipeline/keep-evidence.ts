import { readTestResult, type TestResult } from "../../examples/test-results.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import { ARTIFACT_BYTES } from "../../capabilities/work/evidence.ts";
import type { Verification } from "./verify/verification.ts";
import type { WorkBook } from "./work-book.ts";
import type { Candidate } from "./run.ts";

/** Characters of a message or a warning. */
const MESSAGE_LENGTH = 10_000;
/** Evidence of the examples' results for a change that may land. */
const EXAMPLES = "examples.json";

/** Writes what was planned, done and found into the run, whose gate goes by it. */
export async function keepEvidence(book: WorkBook, candidate: Candidate): Promise<void> {
  const { plan, files, diff, verification, semver, impact } = candidate;
  const paths = [...files.keys()].toSorted();
  await book.keep({
    reports: [
      {
        name: "plan.json",
        status: "planned",
        more: {
          objective: `${plan.title}\n${plan.changes.join("\n")}`,
          files: paths,
          instructions: "Change these files as the plan says, and raise the versions that the change needs.",
          impact: [impact],
        },
      },
      {
        name: "patch_apply_report.json",
        status: "applied",
        more: { files: paths.map((path) => ({ path, status: "applied" })) },
      },
      { name: "executor_report.json", status: "completed", more: { summary: `Made ${semver}.`, files: paths } },
      {
        name: "verifier_report.json",
        status: verification.status,
        more: {
          // Of what was not tried nobody can say that it passed.
          checks: verification.checks.flatMap(({ name, status, message }) =>
            status === "skipped" ? [] : [{ name, passed: status === "passed", message: clip(`${status}: ${message}`) }],
          ),
          warnings: verification.checks.flatMap(({ name, status, message }) =>
            status === "skipped" ? [clip(`${name} was not tried: ${message}`)] : [],
          ),
          metrics: Object.fromEntries(verification.checks.map(({ name, durationMs }) => [`${name}_ms`, durationMs])),
        },
      },
    ],
    texts: new Map([
      ...(mayKeep(diff, verification) ? [["patch.diff", diff] as const] : []),
      ...toExamplesText(verification),
    ]),
    done: [
      { step: "plan", message: `Planned: ${plan.title}` },
      { step: "execute", message: `Changed ${paths.length} files.` },
      { step: "verify", message: `${verification.status}; it needs ${verification.required}.` },
    ],
  });
}

/** Says whether readers of the run may have the change: not where it has what looks like a credential. */
function mayKeep(diff: string, { checks }: Verification): boolean {
  const hasSecret = checks.some(({ name, status }) => name === "secrets" && status === "failed");
  return !hasSecret && Buffer.byteLength(diff) <= ARTIFACT_BYTES;
}

/** Keeps how the examples come out of another commit that may land instead. */
export async function keepExamples(book: WorkBook, verification: Verification): Promise<void> {
  for (const [name, text] of toExamplesText(verification)) await book.write(name, text);
}

/** Keeps in `to` how the examples of the commit came out that landed for both. */
export async function copyExamples(from: WorkBook, to: WorkBook): Promise<void> {
  const text = await from.read(EXAMPLES);
  if (text !== undefined) await to.write(EXAMPLES, text);
}

/**
 * Loads the examples' results from the verification of a landed commit; undefined where an older Cairn has not kept them.
 */
export async function loadExamples(book: WorkBook, commit: string, taskId: string): Promise<TestResult | undefined> {
  const kept = readJson((await book.read(EXAMPLES)) ?? "null");
  return isObject(kept) ? readTestResult({ ...kept, commit, run: { task_id: taskId, run_id: book.runId } }) : undefined;
}

function toExamplesText({ examples }: Verification): readonly (readonly [string, string])[] {
  return examples === undefined ? [] : [[EXAMPLES, JSON.stringify(examples)]];
}

function clip(text: string): string {
  return text.slice(0, MESSAGE_LENGTH).toWellFormed();
}
