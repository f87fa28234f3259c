import type { Trial } from "../../contracts/open-trial.ts";
import { type ExampleOutcome, runExamples } from "../../contracts/run-examples.ts";
import { forEachConcurrently } from "../../versions/registry/for-each-concurrently.ts";
import type { Tool } from "../../versions/version.ts";
import type { Candidate } from "./load-candidate.ts";
import { failed, type Outcome, passed, skipped } from "./outcome.ts";
import type { SharedTrial } from "./shared-trial.ts";

/** Milliseconds after which no further tool is begun. */
const TIME_LIMIT = 5 * 60_000;
/** Tools that are tried side by side. */
const AT_ONCE = 4;

/** Whether tools still answer as their examples say: those that may answer otherwise than before. */
export async function checkExamples(
  candidate: Candidate,
  tools: readonly Tool[],
  trial: SharedTrial,
  signal: AbortSignal,
): Promise<Outcome> {
  const wanted = tools.filter(({ examples }) => examples.length > 0);
  if (wanted.length === 0)
    return skipped(`None of the ${candidate.version.tools.size} tools that may answer otherwise has an example.`);
  const { outcomes, done } = await trial.use((own) => runAll(candidate, wanted, own, signal));
  const count = (which: ExampleOutcome["outcome"]) => outcomes.filter(({ outcome }) => outcome === which).length;
  const of =
    wanted.length === candidate.version.tools.size
      ? ""
      : ` of ${candidate.version.tools.size}, which may answer otherwise`;
  const summary = `${outcomes.length} examples of ${done} tools${of}: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped.`;
  const late =
    done === wanted.length ? [] : [`After ${TIME_LIMIT} ms, ${wanted.length - done} tools had not been tried.`];
  const broken = outcomes.filter(({ outcome }) => outcome === "failed").map(toLine);
  const unknown = outcomes.filter(({ outcome }) => outcome === "skipped").map(toLine);
  if (broken.length > 0 || late.length > 0) return failed(summary, ...late, ...broken);
  return passed(summary, ...unknown);
}

/** What came of the tools that there was time for, in their order. */
async function runAll({ version, readText }: Candidate, tools: readonly Tool[], trial: Trial, signal: AbortSignal) {
  const began = performance.now();
  const tried = new Map<Tool, readonly ExampleOutcome[]>();
  await forEachConcurrently(tools, AT_ONCE, async (tool) => {
    signal.throwIfAborted();
    if (performance.now() - began > TIME_LIMIT) return;
    tried.set(tool, (await runExamples(version, readText, trial, () => undefined, [tool])).examples);
  });
  return { outcomes: tools.flatMap((tool) => tried.get(tool) ?? []), done: tried.size };
}

function toLine({ file, line, column, tool, description, outcome, reasons }: ExampleOutcome): string {
  const which = description === undefined ? "" : ` (${description})`;
  return `${file}:${line}:${column}: ${tool}${which}: ${outcome}: ${reasons.join("; ")}`;
}
