import { CairnError } from "../../errors.ts";
import { guardPlan } from "../guard/guard-plan.ts";
import type { ChangePlan, Feedback } from "../planners/plan.ts";
import type { Ground, TriedPlan } from "../planners/planner.ts";
import { buildParts } from "./build.ts";
import type { ArchitectContext } from "./context.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import { findObligation } from "./find-obligation.ts";
import type { Base } from "./repository.ts";
import { verifyBuilt } from "./verify.ts";

/** Failures that say what is wrong with a draft, and are no failures of the service. */
const FAULTS: ReadonlySet<string> = new Set(["BAD_REQUEST", "CONFLICT", "NOT_FOUND", "PAYLOAD_TOO_LARGE"]);

export interface TryRequest {
  readonly context: ArchitectContext;
  readonly record: FeedbackRecord;
  readonly runId: string;
  readonly ground: Pick<Ground, "version" | "files" | "readText">;
}

/**
 * Tries a draft of the model on the commit that its feedback is about. The guard comes first, so that no code runs which it
 * refuses; then the change is built and verified in a workspace of its own. Recorded calls, the declared commands, and examples
 * of tools that the draft does not affect take long, and follow once there is a plan.
 */
export async function tryPlan(request: TryRequest, plan: ChangePlan, feedback: Feedback): Promise<TriedPlan> {
  const { context, record } = request;
  context.tell(record, "plan", "Tries a draft of the model.");
  const tried = await tryDraft(request, plan, feedback);
  const found = tried.findings.length;
  context.tell(
    record,
    "plan",
    found === 0 ? "The draft holds." : "The draft does not hold; the model gets the findings.",
  );
  return tried;
}

async function tryDraft(
  { context, record, runId, ground }: TryRequest,
  plan: ChangePlan,
  feedback: Feedback,
): Promise<TriedPlan> {
  const guarded = await guardPlan(plan, { planner: "model", feedback, ground, redactor: context.redactor });
  if (guarded.kind !== "change") {
    const findings = guarded.kind === "reject" ? [`${guarded.reason} ${guarded.accepted}`] : [];
    return { findings, approvals: [] };
  }
  context.prepare();
  // Its steps are none of the feedback's.
  const quiet: ArchitectContext = { ...context, tell: () => undefined };
  const base: Base = { ...(await findBranch(context, record)), head: ground.version.commit };
  try {
    const built = await buildParts(quiet, runId, [{ record, plan: guarded, files: guarded.files }], base);
    const { verification, files, baseVersion } = await verifyBuilt(quiet, [record], built, { isDraft: true });
    await context.workspaces.remove(built.workspace.runId);
    const failed = verification.checks.filter(({ status }) => status === "failed");
    const { concerns, required } = verification;
    const { doubts = [] } = guarded;
    const paths = [...files.keys()];
    return {
      findings: failed.map(({ name, message }) => `${name}: ${message}`),
      approvals: findObligation(baseVersion.policies, required, paths, { concerns, doubts }).reasons,
    };
  } catch (error) {
    if (!(error instanceof CairnError) || !FAULTS.has(error.name)) throw error;
    return { findings: [error.message], approvals: [] };
  }
}

/** A version that no branch has any more can be planned for in dry runs. */
async function findBranch(
  { repository }: ArchitectContext,
  { commit, version: semver }: FeedbackRecord,
): Promise<Omit<Base, "head">> {
  try {
    return await repository.findBase(commit, { semver });
  } catch (error) {
    if (error instanceof CairnError && error.name === "CONFLICT") return { branch: "", build: "" };
    throw error;
  }
}
