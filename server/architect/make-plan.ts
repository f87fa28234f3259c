import { CairnError } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { readJson } from "../read-json.ts";
import { propose } from "../tuner/actions/propose.ts";
import type { Version } from "../versions/version.ts";
import { ARTIFACT_BYTES } from "../work/evidence.ts";
import type { ArchitectContext } from "./context.ts";
import { explainNothing } from "./explain-nothing.ts";
import { findBase } from "./find-base.ts";
import { guardPlan } from "./guard-plan.ts";
import { HISTORY_FILE } from "./merge-files.ts";
import { handOver } from "./hand-over.ts";
import { readMessage } from "./message/read-message.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import type { Feedback, Plan } from "./plan.ts";
import type { Ground, Planner } from "./planner.ts";
import type { WorkBook } from "./work-book.ts";

export interface MadePlan {
  readonly plan: Plan;
  readonly planner: Planner["name"] | null;
  /** The commit whose versions.yaml it goes by. */
  readonly head: string;
}

const DECISION = "decision.json";

/**
 * Asks the planners in turn; the first answer counts. It passes the guard, whoever has made it, and is kept, so that it is
 * the same after a crash or an approval.
 */
export async function makePlan(
  context: ArchitectContext,
  book: WorkBook,
  about: { readonly record: FeedbackRecord; readonly version: Version; readonly feedback: Feedback },
): Promise<MadePlan> {
  const { record, version, feedback } = about;
  const kept = readJson((await book.read(DECISION)) ?? "null");
  if (isObject(kept)) return readDecision(kept);
  const head = await findHead(context, record.commit);
  const ground = await openGround(context, record, version, head);
  const byWorker: Planner = { name: "worker", plan: () => handOver(context, book, record, ground) };
  for (const planner of [...context.planners, byWorker]) {
    context.tell(record, "plan", `Asks the planner \`${planner.name}\`.`);
    const made = await planner.plan(feedback, ground);
    if (made === undefined) continue;
    const plan = await guardPlan(made, { planner: planner.name, feedback, ground, redactor: context.redactor });
    const text = JSON.stringify({ planner: planner.name, plan: toPlain(plan), head });
    if (Buffer.byteLength(text) > ARTIFACT_BYTES) {
      const reason = `The change has more than ${ARTIFACT_BYTES} bytes.`;
      return { planner: planner.name, plan: { kind: "reject", reason, accepted: "Send it in parts." }, head };
    }
    await book.write(DECISION, text);
    return { plan, planner: planner.name, head };
  }
  return { planner: null, plan: explainNothing(readMessage(feedback.message)), head };
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
  { commit, tenant, actor, id }: FeedbackRecord,
  version: Version,
  head: string,
): Promise<Ground> {
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

function readDecision(kept: Readonly<Record<string, unknown>>): MadePlan {
  const { planner, plan, head } = kept as {
    readonly planner: Planner["name"];
    readonly plan: Plan & { readonly files: [string, string | null][] };
    readonly head: string;
  };
  return { planner, head, plan: plan.kind === "change" ? { ...plan, files: new Map(plan.files) } : plan };
}
