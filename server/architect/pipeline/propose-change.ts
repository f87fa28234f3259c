import { CairnError } from "../../errors.ts";
import { toTime } from "../../text/to-time.ts";
import type { Change } from "../../forge/forge.ts";
import type { GateReport } from "../../capabilities/work/gate.ts";
import { digestOf } from "./approval.ts";
import type { ArchitectContext } from "./context.ts";
import { toAuthor, toCommitMessage, toPullRequestBody, toTitle } from "./describe-change.ts";
import type { FeedbackRecord, Proposed } from "./feedback-record.ts";
import type { Base } from "./find-base.ts";
import { createJudge } from "./create-judge.ts";
import { keepExamples } from "./keep-evidence.ts";
import { landChange, PATIENCE_MS } from "./land-change.ts";
import type { RejectPlan } from "../planners/plan.ts";
import type { WorkBook } from "./work-book.ts";
import type { Verification } from "./verify/verification.ts";
import type { Candidate } from "./work-out.ts";

/** What a forge says of the proposal itself. */
const LASTING: ReadonlySet<string> = new Set(["BAD_REQUEST", "CONFLICT", "NOT_FOUND"]);

export type Brought =
  | { readonly kind: "landed"; readonly record: FeedbackRecord }
  | { readonly kind: "again"; readonly record: FeedbackRecord }
  | RejectPlan;

/** What is to be proposed. */
export interface Made {
  readonly base: Base;
  readonly candidate: Candidate;
  readonly gate: GateReport;
  /** Further feedback whose changes are part of it. */
  readonly others?: readonly FeedbackRecord[];
}

/**
 * Has the forge make a change of the candidate, and lands it. What is to be proposed is kept before the forge hears of it,
 * under the name that makes a second time the same.
 */
export async function proposeChange(
  context: ArchitectContext,
  book: WorkBook,
  record: FeedbackRecord,
  made: Made,
): Promise<Brought> {
  const { forge, tell } = context;
  const { base, candidate, gate, others = [] } = made;
  if (forge === undefined) throw new CairnError("UNAVAILABLE", context.whyNoForge ?? "There is no forge.");
  const { semver, plan } = candidate;
  const { runId } = book;
  const intended = record.proposal ?? {
    key: record.attempt === 0 ? record.id : `${record.id}-${record.attempt + 1}`,
    at: toTime(context.now()),
    base: base.branch,
    from: base.head,
    semver,
    isRelease: semver !== candidate.before,
    audit: await auditProposal(context, record, { run: runId, version: semver, base: base.branch, from: base.head }),
    change: null,
    head: null,
    ending: null,
    landed: null,
    files: digestOf(candidate.files),
    ...(others.length === 0 ? {} : { together: others.map(({ id }) => id) }),
  };
  const proposing: FeedbackRecord = { ...record, stage: "proposing", proposal: intended };
  await book.save(proposing, { step: "gate", message: `A change of ${gate.risk_level} risk may be proposed.` });
  tell(proposing, "propose", `Proposes ${semver} for \`${base.branch}\`.`);
  const judge = createJudge(context, { runId, record, proposal: intended });
  let change: Change;
  try {
    change = await forge.propose({
      key: intended.key,
      from: intended.from,
      base: intended.base,
      title: toTitle(plan.title),
      body: toPullRequestBody(record, runId, candidate, gate),
      author: toAuthor(record),
      message: toCommitMessage(record, { runId, audit: intended.audit }, candidate, others),
      files: candidate.files,
      labels: ["cairn"],
    });
  } catch (error) {
    const isLate = context.now() > Date.parse(intended.at) + PATIENCE_MS;
    // Another time it would be the same; what else keeps a forge from it may pass.
    if (!(error instanceof CairnError) || !(isLate || LASTING.has(error.name))) throw error;
    const freed = await free(book, record);
    return error.name === "CONFLICT" ? { kind: "again", record: freed } : reject(error.message);
  }
  const { head } = await forge.status(change);
  // What somebody has pushed to it already is looked at as what it is: another commit than was verified.
  const isOurs = await judge.isProposed(head, candidate.files);
  const proposal: Proposed = { ...intended, change, head: isOurs ? head : intended.from };
  const proposed: FeedbackRecord = { ...proposing, stage: "checks", proposal };
  await book.save(proposed, { step: "propose", message: change.url ?? `Proposed as \`${change.branch}\`.` });
  return bringHome(context, book, proposed);
}

/** The feedback as before it was proposed, for another attempt. */
async function free(book: WorkBook, record: FeedbackRecord): Promise<FeedbackRecord> {
  const freed: FeedbackRecord = { ...record, stage: "received", attempt: record.attempt + 1, proposal: null };
  await book.save(freed);
  return freed;
}

/** Has the audit log say that a change is proposed for feedback; the id of the event. */
export function auditProposal(
  { audit }: Pick<ArchitectContext, "audit">,
  { tenant, actor, id }: FeedbackRecord,
  details: { readonly run: string | null; readonly version: string; readonly base: string; readonly from: string },
): Promise<string> {
  return audit.changed({ change: "feedback.proposed", tenant, actor, target: id, details });
}

/** Goes on with a change that the forge has. */
export async function bringHome(context: ArchitectContext, book: WorkBook, record: FeedbackRecord): Promise<Brought> {
  const { forge, tell } = context;
  const { proposal } = record;
  if (forge === undefined || !proposal?.change || proposal.head === null) throw new TypeError("Nothing was proposed.");
  const { change, head } = proposal;
  let current = record;
  const save = async (changed: Partial<Proposed>, more: Partial<FeedbackRecord> = {}) => {
    current = { ...current, ...more, proposal: { ...(current.proposal ?? proposal), ...changed } };
    await book.save(current);
  };
  const judge = createJudge(context, { runId: book.runId, record, proposal });
  const keep = async (verification: Verification) => {
    if (verification.status === "passed") await keepExamples(book, verification);
  };
  const landed =
    proposal.ending === null
      ? await landChange(
          { ...context, forge },
          {
            record,
            proposal: { ...proposal, change, head },
            saveHead: (oid) => save({ head: oid }),
            judgeHead: async (...about) => {
              const judged = await judge.head(...about);
              await keep(judged.verification);
              return judged;
            },
            judgeLanded: async (oid) => {
              const verification = await judge.landed(oid);
              await keep(verification);
              return verification;
            },
          },
        )
      : ({ kind: "ending", ending: proposal.ending } as const);
  if (landed.kind === "landed") {
    await save({ landed: landed.oid }, { stage: "landed" });
    tell(current, "land", `Landed on \`${proposal.base}\`.`);
    return { kind: "landed", record: current };
  }
  if (landed.kind === "left") return reject(landed.reason);
  const { again, reason } = landed.ending;
  // Remembered first: what is closed afterwards was closed by nobody else.
  await save({ ending: landed.ending });
  await forge.abandon(change, reason);
  if (!again) return reject(reason);
  return { kind: "again", record: await free(book, current) };
}

function reject(reason: string): RejectPlan {
  return { kind: "reject", reason, accepted: "Send it again once that is settled." };
}
