import { isObject } from "../is-object.ts";
import { readJson } from "../read-json.ts";
import { propose } from "../tuner/actions/propose.ts";
import type { Version } from "../versions/version.ts";
import { ARTIFACT_BYTES } from "../work/evidence.ts";
import type { ArchitectContext } from "./context.ts";
import { handOver } from "./hand-over.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import type { Feedback, Plan } from "./plan.ts";
import type { Ground, Planner } from "./planner.ts";
import type { WorkBook } from "./work-book.ts";

export interface MadePlan {
  readonly plan: Plan;
  readonly planner: Planner["name"] | null;
}

const DECISION = "decision.json";

/** Asks the planners in turn; the first answer counts, and is kept, so that it is the same after a crash or an approval. */
export async function makePlan(
  context: ArchitectContext,
  book: WorkBook,
  about: { readonly record: FeedbackRecord; readonly version: Version; readonly feedback: Feedback },
): Promise<MadePlan> {
  const { record, version, feedback } = about;
  const kept = readJson((await book.read(DECISION)) ?? "null");
  if (isObject(kept)) return readDecision(kept);
  const ground = await openGround(context, record, version);
  const byWorker: Planner = { name: "worker", plan: () => handOver(context, book, record, ground) };
  for (const planner of [...context.planners, byWorker]) {
    context.tell(record, "plan", `Asks the planner \`${planner.name}\`.`);
    const plan = await planner.plan(feedback, ground);
    if (plan === undefined) continue;
    const text = JSON.stringify({ planner: planner.name, plan: toPlain(plan) });
    if (Buffer.byteLength(text) > ARTIFACT_BYTES) {
      const reason = `The change has more than ${ARTIFACT_BYTES} bytes.`;
      return { planner: planner.name, plan: { kind: "reject", reason, accepted: "Send it in parts." } };
    }
    await book.write(DECISION, text);
    return { plan, planner: planner.name };
  }
  return { planner: null, plan: UNDERSTOOD_BY_NOBODY };
}

const UNDERSTOOD_BY_NOBODY: Plan = Object.freeze({
  kind: "reject",
  reason: "It does not say what is to change in a way that can be understood here.",
  accepted:
    "Say which parameter, tool, field, example, limit, label or role is to become what, in a sentence such as `set match_threshold of chat to 0.5`, or attach a unified diff.",
});

async function openGround(
  { filesOf, ledgers, now, settled, store, signal }: ArchitectContext,
  { commit, tenant, actor, id }: FeedbackRecord,
  version: Version,
): Promise<Ground> {
  const { paths, readText } = await filesOf(commit);
  const readOnly = () => {
    throw new TypeError("A plan writes nothing.");
  };
  return Object.freeze<Ground>({
    version,
    files: paths,
    readText,
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
  const { planner, plan } = kept as { planner: Planner["name"]; plan: Plan & { files: [string, string | null][] } };
  return { planner, plan: plan.kind === "change" ? { ...plan, files: new Map(plan.files) } : plan };
}
