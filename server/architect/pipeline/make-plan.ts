import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import { propose } from "../../capabilities/tuner/actions/propose.ts";
import type { Version } from "../../versions/version.ts";
import { ARTIFACT_BYTES } from "../../capabilities/work/evidence.ts";
import type { ArchitectContext } from "./context.ts";
import { explainNothing } from "./explain-nothing.ts";
import { findBase } from "./find-base.ts";
import { guardPlan } from "../guard/guard-plan.ts";
import { HISTORY_FILE } from "./merge-files.ts";
import { handOver } from "../planners/hand-over.ts";
import { readMessage } from "../message/read-message.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import type { Feedback, Plan } from "../planners/plan.ts";
import type { Ground, Planner } from "../planners/planner.ts";
import type { WorkBook } from "./work-book.ts";

export interface MadePlan {
  readonly plan: Plan;
  readonly planner: Planner["name"] | null;
  /** The commit that its files are made from. */
  readonly from: string;
  /** The commit whose versions.yaml it goes by. */
  readonly head: string;
}

const DECISION = "decision.json";

/**
 * Asks the planners in turn; the first answer counts. It passes the guard, whoever has made it, and is kept, so that it is
 * the same after a crash or an approval. What was kept is left aside where a plan is to be made `anew`, from where the
 * branch of the version is now.
 */
export async function makePlan(
  context: ArchitectContext,
  book: WorkBook,
  about: { readonly record: FeedbackRecord; readonly feedback: Feedback; readonly anew: boolean },
): Promise<MadePlan> {
  const { record, feedback, anew } = about;
  const kept = anew ? null : readJson((await book.read(DECISION)) ?? "null");
  if (isObject(kept)) return readDecision(kept, record);
  const head = await findHead(context, record.commit);
  const from = anew ? head : record.commit;
  const version = await context.registry.read(from);
  const ground = await openGround(context, record, version, head);
  const byWorker: Planner = { name: "worker", plan: () => handOver(context, book, record, ground) };
  // Who only asks back comes last: a model or a worker may know what is meant.
  const asking = context.planners.filter(({ name }) => name === "wishes");
  for (const planner of [...context.planners.filter((one) => !asking.includes(one)), byWorker, ...asking]) {
    context.tell(record, "plan", `Asks the planner \`${planner.name}\`.`);
    const made = await planner.plan(feedback, ground);
    if (made === undefined) continue;
    const plan = await guardPlan(made, { planner: planner.name, feedback, ground, redactor: context.redactor });
    const text = JSON.stringify({ planner: planner.name, plan: toPlain(plan), from, head });
    if (Buffer.byteLength(text) > ARTIFACT_BYTES) {
      const reason = `The change has more than ${ARTIFACT_BYTES} bytes.`;
      return { planner: planner.name, plan: { kind: "reject", reason, accepted: "Send it in parts." }, from, head };
    }
    await book.write(DECISION, text);
    return { plan, planner: planner.name, from, head };
  }
  return { planner: null, plan: explainNothing(readMessage(feedback.message)), from, head };
}

/** Where the branch is that has the commit; the commit itself where none does. */
async function findHead({ git, registry, baseBranch }: ArchitectContext, commit: string): Promise<string> {
  try {
    return (await findBase({ git, gitDir: registry.mirror }, commit, baseBranch)).head;
  } catch (error) {
    if (error instanceof CairnError && error.name === "CONFLICT") return commit;
    throw error;
  }
}

/** What labels stand for is not said by a version but by its branch, so versions.yaml is read from there. */
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
  return Object.freeze<Ground>({
    version: { ...version, history },
    files: paths,
    readText: (path) => (path === HISTORY_FILE ? newest : { readText }).readText(path),
    signal,
    propose: (experiment) =>
      propose(
        {
          version,
          tenant,
          actor,
          callId: id,
          now: now(),
          ledgers,
          settled,
          get: async (key) => (await store.get(key))?.value,
          set: readOnly,
          append: readOnly,
        },
        { experiment },
      ),
  });
}

function toPlain(plan: Plan): object {
  return plan.kind === "change" ? { ...plan, files: [...plan.files] } : plan;
}

function readDecision(kept: Readonly<Record<string, unknown>>, { commit }: FeedbackRecord): MadePlan {
  const {
    planner,
    plan,
    head,
    from = commit,
  } = kept as {
    readonly planner: Planner["name"];
    readonly plan: Plan & { readonly files: [string, string | null][] };
    /** Absent of what an older Cairn has kept. */
    readonly from?: string;
    readonly head: string;
  };
  return { planner, from, head, plan: plan.kind === "change" ? { ...plan, files: new Map(plan.files) } : plan };
}
