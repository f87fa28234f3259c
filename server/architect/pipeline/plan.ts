import { CairnError } from "../../errors.ts";
import { askProposal } from "../../capabilities/tuner/actions/propose.ts";
import { ARTIFACT_BYTES } from "../../capabilities/work/evidence.ts";
import type { Version } from "../../versions/version.ts";
import { defined } from "../../json/defined.ts";
import { type Decision, DECISION, readDecision, toDecisionText } from "../decision.ts";
import { findReversal } from "../find-reversal.ts";
import { guardPlan } from "../guard/guard-plan.ts";
import { readMessage } from "../message/read-message.ts";
import { handOver } from "../planners/hand-over.ts";
import type { Feedback } from "../planners/plan.ts";
import type { Ground, Planner } from "../planners/planner.ts";
import { loadRenewalPlan } from "../renewals/submit-renewal.ts";
import { planRun } from "../runs/plan-run.ts";
import { askPlanners, type Made } from "./ask-planners.ts";
import type { ArchitectContext } from "./context.ts";
import { explainNothing } from "./explain-nothing.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import { HISTORY_FILE } from "./merge-files.ts";
import type { Base } from "./repository.ts";
import { type Next, type Run, toRejected, type Transition } from "./run.ts";
import { tryPlan } from "./try-plan.ts";
import { tune } from "./tune.ts";

/** Attempts to get onto a base that others change at the same time. */
const ATTEMPT_LIMIT = 8;

/** Plans what is to come of the feedback: a change, another state of the tuner, or nothing. */
export async function plan(
  context: ArchitectContext,
  run: Run,
  { feedback, anew }: Extract<Next, { readonly step: "plan" }>,
): Promise<Transition> {
  const { forge, whyNoForge = "nothing here can change the repository" } = context;
  if (run.record.attempt >= ATTEMPT_LIMIT) {
    const reason = `Others have changed the same branch ${ATTEMPT_LIMIT} times meanwhile.`;
    return toRejected(run.record, { reason, accepted: "Send it again when there is less going on." });
  }
  const { plan: decided, planner, from, head } = await decide(context, run, feedback, anew);
  const record: FeedbackRecord = { ...run.record, planner };
  // The guard says in so many words what a worker's next change must not do.
  if (decided.kind === "reject")
    return toRejected(record, record.work === undefined ? decided : { ...decided, isMendable: true });
  if (decided.kind === "tune") return tune(context, { ...run, record }, decided);
  if (forge === undefined && !record.dry_run) {
    const reason = `A change was planned (${decided.title}), but it cannot be made: ${whyNoForge}`;
    return toRejected(record, { reason, accepted: "A dry run shows what it would be." });
  }
  // A change that the forge has may have been pushed to; what it was made from plays no part any more.
  if (record.proposal?.change && record.proposal.head !== null) return { record, next: { step: "land" } };
  return { record, next: { step: "build", planned: { plan: decided, from, head } } };
}

/**
 * Asks the planners. Every answer passes the guard, whichever planner it is from, and is kept, so that it is the same after
 * a crash or an approval. A decision that was kept is left aside where a plan is to be made `anew`, from where the branch of
 * the version is now.
 */
async function decide(
  context: ArchitectContext,
  { book, record }: Run,
  feedback: Feedback,
  anew: boolean,
): Promise<Decision> {
  const kept = anew ? undefined : readDecision(await book.read(DECISION), record);
  if (kept !== undefined) return kept;
  const base = await findOwnBase(context, record);
  if (base !== undefined && base.build !== "")
    context.tell(record, "plan", `Plans it for the branch \`${base.branch}\`.`);
  const from = anew ? (base?.head ?? record.commit) : record.commit;
  const head = base === undefined ? from : await findLabelsHead(context, record, base);
  const version = await context.registry.read(from);
  const ground = await openGround(context, { record, runId: book.runId }, version, head);
  const byWorker: Planner = { name: "worker", plan: () => handOver(context, book, record, ground) };
  const tell = (name: Planner["name"]) => context.tell(record, "plan", `Asks the planner \`${name}\`.`);
  const { renewal } = record;
  const made = await findHanded(context, { book, record }, ground).then(
    (handed) => handed ?? askPlanners([...context.planners, byWorker], feedback, ground, tell),
  );
  if (made === undefined) return { planner: null, plan: explainNothing(readMessage(feedback.message)), from, head };
  const { planner } = made;
  const guarded = await guardPlan(made.plan, {
    planner,
    feedback,
    ground,
    redactor: context.redactor,
    ...defined({ renewal }),
  });
  const text = toDecisionText({ planner, plan: guarded, from, head });
  if (Buffer.byteLength(text) > ARTIFACT_BYTES) {
    const reason = `The change has more than ${ARTIFACT_BYTES} bytes.`;
    return { planner, plan: { kind: "reject", reason, accepted: "Send it in parts." }, from, head };
  }
  await book.write(DECISION, text);
  return { plan: guarded, planner, from, head };
}

/** Loads the plan that was handed in with a record; undefined where a planner has to make one. */
async function findHanded(
  context: ArchitectContext,
  { book, record }: Pick<Run, "book" | "record">,
  ground: Ground,
): Promise<Made | undefined> {
  if (record.renewal !== undefined) return { planner: "drift", plan: await loadRenewalPlan(context.store, record) };
  return record.work === undefined ? undefined : planRun(context, { book, work: record.work }, ground);
}

/** Finds the branch of the version that feedback is about; undefined where there is none. */
async function findOwnBase(
  { repository }: ArchitectContext,
  { commit, version: semver }: FeedbackRecord,
): Promise<Base | undefined> {
  try {
    return await repository.findBase(commit, { semver });
  } catch (error) {
    if (error instanceof CairnError && error.name === "CONFLICT") return undefined;
    throw error;
  }
}

/** Finds the commit that says what labels stand for; of a default branch that cannot be read, the version's own branch says it. */
async function findLabelsHead(
  { repository, registry }: ArchitectContext,
  { commit, version: semver }: FeedbackRecord,
  own: Base,
): Promise<string> {
  const { head } = await repository.findBase(commit, { semver, prefersDefault: true });
  if (head === own.head) return head;
  return registry.read(head).then(
    () => head,
    () => own.head,
  );
}

/** Opens a commit for planners. The default branch says what labels stand for, and no version, so versions.yaml is of its `head`. */
async function openGround(
  context: ArchitectContext,
  { record, runId }: { readonly record: FeedbackRecord; readonly runId: string },
  version: Version,
  head: string,
): Promise<Ground> {
  const { registry, filesOf, ledgers, now, settled, store, signal } = context;
  const { tenant, actor, id } = record;
  const { commit } = version;
  const [{ paths, readText }, newest] = await Promise.all([filesOf(commit), filesOf(head)]);
  const { history } = head === commit ? version : await registry.read(head);
  const asker = { version, tenant, actor, callId: id, now: now(), ledgers, settled, store };
  const commitOf = {
    version: { ...version, history },
    files: paths,
    readText: (path: string) => (path === HISTORY_FILE ? newest : { readText }).readText(path),
  };
  return Object.freeze<Ground>({
    ...commitOf,
    now,
    signal,
    tryPlan: (drafted, feedback) => tryPlan({ context, record, runId, ground: commitOf }, drafted, feedback),
    propose: (experiment) => askProposal(asker, experiment),
    reverse: (feedback) => findReversal(context, tenant, commitOf, feedback),
  });
}
