import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import { propose } from "../../capabilities/tuner/actions/propose.ts";
import { ARTIFACT_BYTES } from "../../capabilities/work/evidence.ts";
import type { Version } from "../../versions/version.ts";
import { guardPlan } from "../guard/guard-plan.ts";
import { readMessage } from "../message/read-message.ts";
import { handOver } from "../planners/hand-over.ts";
import type { Feedback, Plan } from "../planners/plan.ts";
import type { Ground, Planner } from "../planners/planner.ts";
import type { ArchitectContext } from "./context.ts";
import { explainNothing } from "./explain-nothing.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import { HISTORY_FILE } from "./merge-files.ts";
import { type Next, type PlannedChange, type Run, toRejected, type Transition } from "./run.ts";
import { tune } from "./tune.ts";

interface Decision extends Pick<PlannedChange, "from" | "head"> {
  readonly plan: Plan;
  readonly planner: Planner["name"] | null;
}

const DECISION = "decision.json";
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
  if (decided.kind === "reject") return toRejected(record, decided);
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
 * Asks the planners in turn; the first answer counts. Every answer passes the guard, whichever planner it is from, and is
 * kept, so that it is the same after a crash or an approval. A decision that was kept is left aside where a plan is to be
 * made `anew`, from where the branch of the version is now.
 */
async function decide(
  context: ArchitectContext,
  { book, record }: Run,
  feedback: Feedback,
  anew: boolean,
): Promise<Decision> {
  const kept = anew ? null : readJson((await book.read(DECISION)) ?? "null");
  if (isObject(kept)) return readDecision(kept, record);
  const head = await findHead(context, record.commit);
  const from = anew ? head : record.commit;
  const version = await context.registry.read(from);
  const ground = await openGround(context, record, version, head);
  const byWorker: Planner = { name: "worker", plan: () => handOver(context, book, record, ground) };
  // The planner that only asks back comes last: a model or a worker may know what is meant.
  const asking = context.planners.filter(({ name }) => name === "wishes");
  const others = [...context.planners.filter((one) => !asking.includes(one)), byWorker];
  // An answer to a question is for the planner that asked.
  for (const planner of feedback.choice === undefined ? [...others, ...asking] : asking) {
    context.tell(record, "plan", `Asks the planner \`${planner.name}\`.`);
    const made = await planner.plan(feedback, ground);
    if (made === undefined) continue;
    const guarded = await guardPlan(made, { planner: planner.name, feedback, ground, redactor: context.redactor });
    const text = JSON.stringify({ planner: planner.name, plan: toPlain(guarded), from, head });
    if (Buffer.byteLength(text) > ARTIFACT_BYTES) {
      const reason = `The change has more than ${ARTIFACT_BYTES} bytes.`;
      return { planner: planner.name, plan: { kind: "reject", reason, accepted: "Send it in parts." }, from, head };
    }
    await book.write(DECISION, text);
    return { plan: guarded, planner: planner.name, from, head };
  }
  return { planner: null, plan: explainNothing(readMessage(feedback.message)), from, head };
}

/** Finds the branch that contains the commit; the commit itself where none does. */
async function findHead({ repository }: ArchitectContext, commit: string): Promise<string> {
  try {
    return (await repository.findBase(commit)).head;
  } catch (error) {
    if (error instanceof CairnError && error.name === "CONFLICT") return commit;
    throw error;
  }
}

/** Opens a commit for planners. Its branch says what labels stand for, and no version, so versions.yaml is of `head`. */
async function openGround(
  { registry, filesOf, ledgers, now, settled, store, signal }: ArchitectContext,
  { tenant, actor, id }: FeedbackRecord,
  version: Version,
  head: string,
): Promise<Ground> {
  const { commit } = version;
  const [{ paths, readText }, newest] = await Promise.all([filesOf(commit), filesOf(head)]);
  const { history } = head === commit ? version : await registry.read(head);
  const readOnly = () => {
    throw new TypeError("A plan writes nothing.");
  };
  const get = async (key: Parameters<typeof store.get>[0]) => (await store.get(key))?.value;
  return Object.freeze<Ground>({
    version: { ...version, history },
    files: paths,
    readText: (path) => (path === HISTORY_FILE ? newest : { readText }).readText(path),
    signal,
    propose: (experiment) =>
      propose(
        { version, tenant, actor, callId: id, now: now(), ledgers, settled, get, set: readOnly, append: readOnly },
        { experiment },
      ),
  });
}

function toPlain(decided: Plan): object {
  return decided.kind === "change" ? { ...decided, files: [...decided.files] } : decided;
}

function readDecision(kept: Readonly<Record<string, unknown>>, { commit }: FeedbackRecord): Decision {
  const {
    planner,
    plan: decided,
    head,
    from = commit,
  } = kept as {
    readonly planner: Planner["name"];
    readonly plan: Plan & { readonly files: [string, string | null][] };
    /** Absent of what an older Cairn has kept. */
    readonly from?: string;
    readonly head: string;
  };
  const made = decided.kind === "change" ? { ...decided, files: new Map(decided.files) } : decided;
  return { planner, from, head, plan: made };
}
