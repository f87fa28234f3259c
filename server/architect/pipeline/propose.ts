import { CairnError } from "../../errors.ts";
import type { Change } from "../../forge/forge.ts";
import { toTime } from "../../text/to-time.ts";
import { digestOf } from "./approve.ts";
import type { ArchitectContext } from "./context.ts";
import { createJudge } from "./create-judge.ts";
import { toAuthor, toCommitMessage, toPullRequestBody, toTitle } from "./describe-change.ts";
import type { FeedbackRecord, Proposed } from "./feedback-record.ts";
import { type Approved, type Next, type Run, toRejected, type Transition } from "./run.ts";
import type { StepDone } from "./work-book.ts";

/** Longest wait for others' checks and reviews: less than the lease of a run. */
export const PATIENCE_MS = 6 * 24 * 60 * 60_000;
/** Errors with which a forge speaks of the proposal itself: another time they would be the same. */
const LASTING: ReadonlySet<string> = new Set(["BAD_REQUEST", "CONFLICT", "NOT_FOUND"]);
/** Advice after a forge or people have refused a proposal. */
export const SETTLED = "Send it again once that is settled.";

/**
 * Has the forge make a change of the candidate, in two turns of the driver: first the intent is kept, under the name by which
 * a second time is the same, and only then the forge hears of it.
 */
export async function propose(
  context: ArchitectContext,
  run: Run,
  { approved }: Extract<Next, { readonly step: "propose" }>,
): Promise<Transition> {
  const { forge } = context;
  if (forge === undefined) throw new CairnError("UNAVAILABLE", context.whyNoForge ?? "There is no forge.");
  const { record } = run;
  const done = [toGateDone(approved)];
  if (record.proposal === null) {
    const proposal = await toProposed(context, run, approved);
    return { record: { ...record, stage: "proposing", proposal }, done, next: { step: "propose", approved } };
  }
  const intended = record.proposal;
  const { base, semver } = intended;
  context.tell(record, "propose", `Proposes ${semver} for \`${base}\`.`);
  let change: Change;
  try {
    change = await forge.propose(toProposal(run, intended, approved));
  } catch (error) {
    return toFailed(context, record, intended, error);
  }
  const { head, isAsProposed = false } = await forge.status(change);
  const judge = createJudge(context, { runId: run.book.runId, record, proposal: intended });
  // What somebody has pushed to it already is looked at as what it is: another commit than was verified.
  const isOurs = isAsProposed || (await judge.isProposed(head, approved.candidate.files));
  const proposal: Proposed = { ...intended, change, head: isOurs ? head : intended.from };
  return {
    record: { ...record, stage: "checks", proposal },
    done: [...done, { step: "propose", message: change.url ?? `Proposed as \`${change.branch}\`.` }],
    next: { step: "land" },
  };
}

/** Frees feedback of a proposal that the forge will not take, or that is too late; rethrows what may pass. */
export function toFailed(
  { now }: Pick<ArchitectContext, "now">,
  record: FeedbackRecord,
  intended: Proposed,
  error: unknown,
): Transition {
  const isLate = now() > Date.parse(intended.at) + PATIENCE_MS;
  // What else keeps a forge from it may pass.
  if (!(error instanceof CairnError) || !(isLate || LASTING.has(error.name))) throw error;
  const freed = free(record);
  if (error.name === "CONFLICT") return freed;
  return toRejected(freed.record, { reason: error.message, accepted: SETTLED });
}

/** Frees feedback of its proposal, for another attempt from where its base is by then. */
export function free(record: FeedbackRecord): Transition {
  const freed: FeedbackRecord = { ...record, stage: "received", attempt: record.attempt + 1, proposal: null };
  return { record: freed, next: { step: "receive" } };
}

/** Says that the gate has let a change through. */
export function toGateDone({ gate }: Pick<Approved, "gate">): StepDone {
  return { step: "gate", message: `A change of ${gate.risk_level} risk may be proposed.` };
}

/** Has the audit log say that a change is proposed for feedback; resolves to the id of the event. */
export function auditProposal(
  { audit }: Pick<ArchitectContext, "audit">,
  { tenant, actor, id }: FeedbackRecord,
  details: { readonly run: string | null; readonly version: string; readonly base: string; readonly from: string },
): Promise<string> {
  return audit.changed({ change: "feedback.proposed", tenant, actor, target: id, details });
}

/** Decides what a change is called and made from, before the forge hears of it. */
async function toProposed(
  context: ArchitectContext,
  { record, book }: Run,
  { candidate, others = [] }: Approved,
): Promise<Proposed> {
  const { base, semver, before, files } = candidate;
  const { branch, head: from } = base;
  return {
    key: record.attempt === 0 ? record.id : `${record.id}-${record.attempt + 1}`,
    at: toTime(context.now()),
    base: branch,
    from,
    semver,
    isRelease: semver !== before,
    audit: await auditProposal(context, record, { run: book.runId, version: semver, base: branch, from }),
    change: null,
    head: null,
    ending: null,
    landed: null,
    files: digestOf(files),
    ...(others.length === 0 ? {} : { together: others.map(({ id }) => id) }),
  };
}

function toProposal(
  { record, book }: Run,
  { key, from, base, audit }: Proposed,
  { candidate, gate, others = [] }: Approved,
) {
  return {
    key,
    from,
    base,
    title: toTitle(candidate.plan.title),
    body: toPullRequestBody(record, book.runId, candidate, gate),
    author: toAuthor(record),
    message: toCommitMessage(record, { runId: book.runId, audit }, candidate, others),
    files: candidate.files,
    labels: ["cairn"],
  };
}
