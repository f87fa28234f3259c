import type { Trial } from "../../../examples/open-trial.ts";
import { type ExampleOutcome, runExamples } from "../../../examples/run-examples.ts";
import { canonicalJson } from "../../../json/canonical-json.ts";
import { SHAPES_ONLY } from "../../../log/redact.ts";
import type { Readable } from "../../../versions/read-text-of.ts";
import type { Tool } from "../../../versions/version.ts";
import type { Candidate } from "./load-candidate.ts";

/** An example that a tool answers otherwise after a change, as JSON texts. */
export interface AnswerChange {
  readonly tool: string;
  readonly description?: string;
  readonly input: string;
  /** Absent where there was no such tool. */
  readonly before?: string;
  readonly after: string;
}

export interface AnswersRequest {
  readonly before: Readable;
  readonly candidate: Candidate;
  /** Tools that may answer otherwise than before. */
  readonly affected: readonly Tool[];
  readonly trial: Trial;
  readonly signal: AbortSignal;
}

/** Tools and examples of each that are compared, and differences that are kept: a person reads these. */
const LIMITS = { tools: 12, examples: 6, kept: 8 } as const;
/** Milliseconds after which no further tool is begun. */
const TIME_LIMIT = 60_000;

/**
 * Runs the examples of changed tools on the version before a change and after it, and returns those with other answers. An
 * answer that is different each time, such as one with a date, shows nothing of the change and is left out.
 */
export async function compareAnswers(request: AnswersRequest): Promise<readonly AnswerChange[]> {
  const { before, candidate, affected, trial, signal } = request;
  const began = performance.now();
  const changes: AnswerChange[] = [];
  for (const [tool, chosen] of choose(affected, before)) {
    signal.throwIfAborted();
    if (changes.length >= LIMITS.kept || performance.now() - began > TIME_LIMIT) break;
    const run = async (side: Pick<Readable, "version" | "readText">, own: Tool | undefined) => {
      if (own === undefined) return [];
      return (await runExamples({ ...side, trial, tools: [own], wants: (_tool, at) => chosen.has(at) })).examples;
    };
    const after = await run(candidate, tool);
    const known = before.version.tools.get(tool.name);
    const old = known && { ...known, examples: tool.examples };
    const [once, twice] = [await run(before, old), await run(before, old)];
    for (const [at, outcome] of after.entries()) {
      const answers = [outcome, once[at], twice[at]].map((one) => one && toText(one));
      const [now, was, again] = answers;
      if (now === undefined || was !== again || now === was) continue;
      const { description, input } = tool.examples[outcome.index] ?? { input: null };
      const text = SHAPES_ONLY.text(canonicalJson(input));
      changes.push({
        tool: tool.name,
        ...(description !== undefined && { description }),
        input: text,
        ...(was !== undefined && { before: was }),
        after: now,
      });
    }
  }
  return changes.slice(0, LIMITS.kept);
}

/** Chooses the examples that are compared, by tool: first of all those that the change has added or altered. */
function choose(affected: readonly Tool[], before: Readable): readonly (readonly [Tool, ReadonlySet<number>])[] {
  const found = affected.map((tool) => {
    const known = new Set(
      before.version.tools.get(tool.name)?.examples.map((example) => canonicalJson({ ...example })),
    );
    const isNew = tool.examples.map((example) => !known.has(canonicalJson({ ...example })));
    const order = [...isNew.keys()].toSorted((a, b) => Number(isNew[b]) - Number(isNew[a]));
    return { tool, chosen: new Set(order.slice(0, LIMITS.examples)), hasNew: isNew.includes(true) };
  });
  return found
    .filter(({ chosen }) => chosen.size > 0)
    .toSorted((a, b) => Number(b.hasNew) - Number(a.hasNew))
    .slice(0, LIMITS.tools)
    .map(({ tool, chosen }) => [tool, chosen]);
}

/** The answer as JSON, or the name and text of its error; undefined where something that it asks was not there. */
function toText({ answer, missing }: ExampleOutcome): string | undefined {
  if (answer === undefined || missing.length > 0) return undefined;
  const text = answer.ok ? canonicalJson(answer.output) : `error ${answer.error.name}: ${answer.error.message}`;
  return SHAPES_ONLY.text(text);
}
