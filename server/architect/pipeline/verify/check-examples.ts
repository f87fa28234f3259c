import { canonicalJson } from "../../../json/canonical-json.ts";
import type { Readable } from "../../../versions/read-text-of.ts";
import type { Trial } from "../../../examples/open-trial.ts";
import { type ExampleOutcome, runExamples } from "../../../examples/run-examples.ts";
import { explainNotShown, type TestResult, toTestResult } from "../../../examples/test-results.ts";
import { forEachConcurrently } from "../../../versions/registry/for-each-concurrently.ts";
import type { Example, Tool, Version } from "../../../versions/version.ts";
import type { Candidate } from "./load-candidate.ts";
import { failed, type Outcome, passed, skipped } from "./outcome.ts";
import type { SharedTrial } from "./shared-trial.ts";

/** Milliseconds after which no further tool is begun. */
const TIME_LIMIT = 5 * 60_000;
/** Tools that are tried side by side. */
const AT_ONCE = 4;
/** Failures that are looked into; where there are more, the rest counts as it came out. */
const MAX_TRIED_AGAIN = 50;

export interface ExamplesRequest {
  readonly before: Readable;
  readonly candidate: Candidate;
  /** Those that may answer otherwise than before. */
  readonly affected: readonly Tool[];
  /** Results of the examples before the change; absent where unknown. */
  readonly known: TestResult | undefined;
  readonly trial: SharedTrial;
  /** Leaves out tools that answer as before and were never shown, which say nothing of the change. */
  readonly onlyAffected?: boolean;
  readonly now: number;
  readonly signal: AbortSignal;
}

export interface CheckedExamples extends Outcome {
  /** Results of all examples of the candidate, which stands in place of a commit. */
  readonly result: TestResult;
}

/** A failure, and why it is not held against the change, if that is so. */
interface Judged {
  readonly example: ExampleOutcome;
  readonly excuse?: string;
}

/**
 * Checks that tools still answer as their examples say: tools whose answers may have changed, and tools never checked. A
 * failed example runs again alone, before the change and, after a time limit, after it, so that neither a busy machine
 * nor an older fault fails a change.
 */
export async function checkExamples(request: ExamplesRequest): Promise<CheckedExamples> {
  const { candidate, affected, known, trial, onlyAffected = false, now } = request;
  const { version } = candidate;
  const shown = new Set(known?.shown);
  const touched = new Set(affected.map(({ name }) => name));
  const [wanted, rest] = partition(
    [...version.tools.values()].filter(({ examples }) => examples.length > 0),
    ({ name }) => touched.has(name) || (!onlyAffected && !shown.has(name)),
  );
  const carried = new Map(rest.flatMap(({ name, examples }) => (shown.has(name) ? [[name, examples.length]] : [])));
  const untested = [...version.tools.values()].filter(({ examples }) => examples.length === 0).map(({ name }) => name);
  if (wanted.length === 0) {
    const why = `None of the ${version.tools.size} tools that may answer otherwise has an example.`;
    return { ...skipped(why), result: toTestResult(version.commit, { examples: [], untested, carried }, now) };
  }
  const { outcomes, done } = await trial.use((own) => runAll(request, wanted, own));
  const judged = await judgeFailures(request, outcomes);
  const examples = judged.map(({ example }) => example);
  const result = toTestResult(version.commit, { examples, untested, carried }, now);
  const of =
    wanted.length === version.tools.size
      ? ""
      : ` of ${version.tools.size}, which may answer otherwise or were never shown`;
  const count = (which: ExampleOutcome["outcome"]) => examples.filter(({ outcome }) => outcome === which).length;
  const summary = `${examples.length} examples of ${done} tools${of}: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped.`;
  const late =
    done === wanted.length ? [] : [`After ${TIME_LIMIT} ms, ${wanted.length - done} tools had not been tried.`];
  const broken = judged.filter(({ example, excuse }) => example.outcome === "failed" && excuse === undefined);
  const lines = [
    ...late,
    ...broken.map(toLine),
    ...judged.filter(({ excuse }) => excuse !== undefined).map(toLine),
    ...[explainNotShown(result)].filter((line) => line !== ""),
    ...judged.filter(({ example }) => example.outcome === "skipped").map(toLine),
  ];
  const tried = { ran: examples.length - count("skipped"), skipped: count("skipped") };
  if (broken.length > 0 || late.length > 0) return { ...failed(summary, ...lines), tried, result };
  const has = count("passed") > 0 ? passed(summary, ...lines) : skipped(summary, ...lines);
  return { ...has, tried, result };
}

/** Runs the tools that there is time for, in their order. */
async function runAll({ candidate, signal }: ExamplesRequest, tools: readonly Tool[], trial: Trial) {
  const { version, readText } = candidate;
  const began = performance.now();
  const tried = new Map<Tool, readonly ExampleOutcome[]>();
  await forEachConcurrently(tools, AT_ONCE, async (tool) => {
    signal.throwIfAborted();
    if (performance.now() - began > TIME_LIMIT) return;
    tried.set(tool, (await runExamples({ version, readText, trial, tools: [tool] })).examples);
  });
  return { outcomes: tools.flatMap((tool) => tried.get(tool) ?? []), done: tried.size };
}

/** Each outcome as it is once failures were looked into. */
async function judgeFailures(
  request: ExamplesRequest,
  outcomes: readonly ExampleOutcome[],
): Promise<readonly Judged[]> {
  const failures = outcomes.filter(({ outcome }) => outcome === "failed").slice(0, MAX_TRIED_AGAIN);
  if (failures.length === 0) return outcomes.map((example) => ({ example }));
  const looked = await request.trial.useAlone(async (alone) => {
    const judged = new Map<ExampleOutcome, Judged>();
    for (const failure of failures) judged.set(failure, await judgeFailure(request, failure, alone));
    return judged;
  });
  return outcomes.map((example) => looked.get(example) ?? { example });
}

async function judgeFailure(
  { before, candidate, signal }: ExamplesRequest,
  failure: ExampleOutcome,
  trial: Trial,
): Promise<Judged> {
  signal.throwIfAborted();
  const run = async ({ version, readText }: Pick<Readable, "version" | "readText">, index: number) => {
    const tool = version.tools.get(failure.tool);
    if (tool === undefined) return undefined;
    const wants = (_tool: Tool, at: number) => at === index;
    return (await runExamples({ version, readText, trial, tools: [tool], wants })).examples[0];
  };
  const index = findExample(before.version, candidate.version, failure);
  const earlier = index === undefined ? undefined : await run(before, index);
  // What a limit of time ends says nothing of what comes out otherwise.
  if (earlier?.outcome === "failed" && (failure.isLate || !earlier.isLate)) {
    const why = `it fails in ${before.version.semver} as well, so not because of the change`;
    return { example: failure, excuse: `${why}: ${earlier.reasons.join("; ")}` };
  }
  if (!failure.isLate) return { example: failure };
  const again = (await run(candidate, failure.index)) ?? failure;
  return again.outcome === "passed"
    ? { example: again, excuse: "it passes by itself; beside others it was too slow" }
    : { example: again };
}

/** Finds an identical example of the tool before the change. */
function findExample(before: Version, after: Version, { tool, index }: ExampleOutcome): number | undefined {
  const example = after.tools.get(tool)?.examples[index];
  if (example === undefined) return undefined;
  const wanted = toPromise(example);
  const found = before.tools.get(tool)?.examples.findIndex((other) => toPromise(other) === wanted);
  return found === undefined || found < 0 ? undefined : found;
}

function toPromise({ description: _description, ...promise }: Example): string {
  return canonicalJson(promise);
}

function toLine({ example, excuse }: Judged): string {
  const { file, line, column, tool, description, outcome, reasons } = example;
  const which = description === undefined ? "" : ` (${description})`;
  return `${file}:${line}:${column}: ${tool}${which}: ${excuse ?? `${outcome}: ${reasons.join("; ")}`}`;
}

function partition<T>(items: readonly T[], wants: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(wants), items.filter((item) => !wants(item))];
}
