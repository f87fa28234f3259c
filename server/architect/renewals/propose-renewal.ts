import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { describeDrift } from "../../imports/drift/describe-drift.ts";
import type { Drift } from "../../imports/drift/drift.ts";
import { measureFindings } from "../../imports/drift/measure-findings.ts";
import { type Settled, settleChange } from "../../imports/drift/settle-change.ts";
import { isObject } from "../../json/is-object.ts";
import type { ArchitectContext } from "../pipeline/context.ts";
import { createJudge } from "../pipeline/create-judge.ts";
import { toChecks } from "../pipeline/describe-change.ts";
import type { FeedbackRecord, Renewal } from "../pipeline/feedback-record.ts";
import { SETTLED, toFailed, toGateDone } from "../pipeline/propose.ts";
import { type Candidate, type Next, type Run, toRejected, type Transition } from "../pipeline/run.ts";

/** Fates of a change with which nothing more is to be done. */
const OVER: Partial<Readonly<Record<Settled["outcome"], string>>> = {
  left: "A person has pushed to its change, which is theirs.",
  landed: "It has landed already, after the commit that was looked at.",
  refused: "A person has closed its change, or took it back after it landed.",
};

/**
 * Brings the one change of an import on the forge to what was verified. It then waits for people, unless the policies let it land by
 * itself. The same call again has the same end: the forge alone says what there is.
 */
export async function proposeRenewal(
  context: ArchitectContext,
  run: Run,
  { approved }: Extract<Next, { readonly step: "propose" }>,
): Promise<Transition> {
  const { forge, changes, whyNoForge = "There is no forge." } = context;
  if (forge === undefined) throw new CairnError("UNAVAILABLE", whyNoForge);
  const { record, book } = run;
  const { proposal: intended, renewal } = record;
  if (intended === null || renewal === undefined) throw new TypeError("Nothing is to be renewed.");
  const { candidate, landsByPeople = [] } = approved;
  const isLeftToPeople = landsByPeople.length > 0;
  const checks = toChecks(candidate.verification, { runId: book.runId, taskId: record.id });
  const settled = await settleChange(
    {
      forge,
      reader: changes,
      base: intended.base,
      from: intended.from,
      sleep: (ms) => sleep(ms),
      words: (drift) => describeDrift(drift, { checks: [checks], isLeftToPeople }),
      trailers: [`Cairn-Feedback: ${record.id}`, `Cairn-Run: ${book.runId}`, `Cairn-Audit: ${intended.audit}`],
      isLeftToPeople,
    },
    renewal,
    toDrift(renewal, candidate),
  ).catch((error: unknown) => toFailed(context, record, intended, error));
  if ("next" in settled) return settled;
  const { change, outcome } = settled;
  const over = OVER[outcome];
  if (over !== undefined || change === undefined)
    return toRejected({ ...record, proposal: null }, { reason: over ?? "Nothing is proposed.", accepted: SETTLED });
  const where = change.url ?? `\`${change.branch}\``;
  const proposed = [toGateDone(approved), { step: "propose", message: `Proposed as ${where}.` }];
  if (isLeftToPeople) {
    const notes = `The import \`${renewal.name}\` is renewed by ${where}, which a person merges. ${landsByPeople.join(" ")}`;
    const kept: FeedbackRecord = { ...record, proposal: { ...intended, change } };
    return { record: kept, done: proposed, next: { step: "end", answer: { result: "committed", notes } } };
  }
  const { head } = await forge.status(change);
  const judge = createJudge(context, { runId: book.runId, record, proposal: intended });
  const isOurs = await judge.isProposed(head, candidate.files);
  const proposal = { ...intended, change, head: isOurs ? head : intended.from };
  return { record: { ...record, stage: "checks", proposal }, done: proposed, next: { step: "land" } };
}

/** Puts what was verified as `cairn drift` has it. */
function toDrift({ kind, name, from, fingerprint }: Renewal, candidate: Candidate): Drift {
  const { baseVersion, verification, before, semver, files, diff, plan } = candidate;
  const { findings = [], tools = [] } = verification.difference ?? {};
  const { passed = 0, failed = 0, skipped = 0, notPassed = [] } = verification.examples ?? {};
  const reasons = notPassed.flatMap(({ tool, outcome, reason }) =>
    outcome === "failed" ? [`${tool}: ${reason}`] : [],
  );
  return {
    kind,
    name,
    from,
    fingerprint,
    ...measureFindings(findings, [...baseVersion.tools.keys()], tools),
    bump: verification.required,
    before,
    after: semver,
    files,
    diff,
    notes: readNotes(plan),
    examples: { passed, failed, skipped, reasons },
  };
}

function readNotes({ evidence }: Candidate["plan"]): readonly string[] {
  const notes = isObject(evidence) ? evidence["notes"] : undefined;
  return Array.isArray(notes) ? notes.filter((note) => typeof note === "string") : [];
}
