import { CairnError } from "../errors.ts";
import { ARCHITECT_CHAT, holds } from "../principal.ts";
import { awaitApproval, findApprovalFault, findApprovedBase } from "./approval.ts";
import type { ArchitectContext } from "./context.ts";
import { toDryRunNotes, toFindings } from "./describe-change.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import { type Base, findBase, toTag } from "./find-base.ts";
import { findObligation } from "./find-obligation.ts";
import { keepEvidence } from "./keep-evidence.ts";
import type { ChangePlan, RejectPlan } from "./plan.ts";
import { bringHome, type Brought, proposeChange } from "./propose-change.ts";
import { isPartOfVersion } from "../versions/tree.ts";
import { toWorkspaceName } from "./to-workspace-name.ts";
import type { WorkBook } from "./work-book.ts";
import { workOut } from "./work-out.ts";

/** What came of a plan to change files. */
export type CarriedOut =
  | Extract<Brought, { readonly kind: "landed" }>
  /** Of a dry run. */
  | { readonly kind: "dry"; readonly notes: string; readonly needsApproval: boolean; readonly newVersion?: string }
  /** For somebody's approval; the run is let go of until then. */
  | { readonly kind: "waiting"; readonly reasons: readonly string[] }
  | RejectPlan;

export interface PlannedChange {
  readonly plan: ChangePlan;
  /** The commit whose versions.yaml it goes by. */
  readonly head: string;
}

/** Where an agent declares its checks. */
const AGENT_FILE = "manifests/agent.yaml";
/** Attempts to get onto a base that others change at the same time. */
const ATTEMPT_LIMIT = 8;

/** Works a plan out, verifies it, has its gate judge it, proposes and lands it; goes on where an earlier time has stopped. */
export async function carryOut(
  context: ArchitectContext,
  book: WorkBook,
  record: FeedbackRecord,
  planned: PlannedChange,
): Promise<CarriedOut> {
  const { git, registry, baseBranch, inTurn } = context;
  const { branch } = await findBase({ git, gitDir: registry.mirror }, record.commit, baseBranch);
  let current = record;
  while (current.attempt < ATTEMPT_LIMIT) {
    const done = await inTurn(branch, () => tryOnce(context, book, current, planned));
    if (done.kind !== "again") return done;
    current = done.record;
  }
  return {
    kind: "reject",
    reason: `Others have changed the same branch ${ATTEMPT_LIMIT} times meanwhile.`,
    accepted: "Send it again when there is less going on.",
  };
}

async function tryOnce(
  context: ArchitectContext,
  book: WorkBook,
  record: FeedbackRecord,
  { plan, head }: PlannedChange,
): Promise<CarriedOut | Brought> {
  // A change that the forge has may have been pushed to; what it was made from plays no part any more.
  if (record.proposal?.change && record.proposal.head !== null) return bringHome(context, book, record);
  const { workspaces, registry } = context;
  context.prepare();
  await registry.refresh();
  const base = await chooseBase(context, book, record);
  const version = await registry.read(base.head);
  if (!holds(context.toPrincipal(version, record), ARCHITECT_CHAT)) {
    // An older version's policies may have let in who has been shut out since.
    const reason = `By what \`${base.branch}\` says now, \`${record.actor}\` may not ask for changes of it.`;
    return { kind: "reject", reason, accepted: `Whoever holds \`${ARCHITECT_CHAT}\` there may.` };
  }
  const name = toWorkspaceName(book.runId, `${record.attempt}-${base.head.slice(0, 12)}`);
  // What a crash left of it may be half changed.
  await workspaces.remove(name);
  // The agent's own commands, and those that the change may declare, may look at any file; nothing else does.
  const wants = (path: string) => isPartOfVersion(path) || plan.files.has(path);
  const hasChecks = version.agent.checks.length > 0 || plan.files.has(AGENT_FILE);
  const workspace = await workspaces.create(name, base.head, hasChecks ? undefined : wants);
  const worked = await workOut(context, { record, plan, head, base, workspace, taken: await findTaken(context, base) });
  if (worked.kind === "reject") return worked;
  const { candidate } = worked;
  const { verification, files, semver } = candidate;
  await keepEvidence(book, candidate);
  if (verification.status === "failed") {
    const reason = `The change was worked out, and does not hold:\n${toFindings(verification)}`;
    return { kind: "reject", reason, accepted: "A change is accepted that passes all of these." };
  }
  const paths = [...files.keys()];
  const { required, concerns } = verification;
  const obligation = findObligation(candidate.baseVersion.policies, required, paths, {
    concerns,
    doubts: plan.doubts ?? [],
  });
  const gate = await book.judge(paths, obligation.reasons.length > 0 ? "high" : "low");
  if (gate.status === "failed") {
    throw new CairnError("INTERNAL_ERROR", gate.checks.flatMap(({ message }) => message ?? []).join(" "));
  }
  if (record.dry_run) {
    const newVersion = semver === candidate.before ? {} : { newVersion: semver };
    const notes = toDryRunNotes(candidate, gate, obligation.reasons);
    return { kind: "dry", notes, needsApproval: gate.status === "blocked", ...newVersion };
  }
  if (gate.status === "blocked") {
    await book.save({ ...record, stage: "approval" });
    await awaitApproval(book, obligation, { from: base.head, files });
    return { kind: "waiting", reasons: obligation.reasons };
  }
  const fault = await findApprovalFault(book, [record.actor, ...(plan.by ?? [])], files, obligation);
  if (fault !== undefined) return fault;
  const made = { base, candidate, gate };
  const [brought] = await Promise.all([proposeChange(context, book, record, made), workspaces.remove(name)]);
  return brought;
}

/** The base as it was when the change was approved, or about to be proposed, so that it comes out the same. */
async function chooseBase(
  { git, registry, baseBranch }: ArchitectContext,
  book: WorkBook,
  { commit, proposal, attempt }: FeedbackRecord,
): Promise<Base> {
  const base = await findBase({ git, gitDir: registry.mirror }, commit, baseBranch);
  const approved = attempt === 0 ? await findApprovedBase(book) : undefined;
  return { ...base, head: proposal?.from ?? approved ?? base.head };
}

/** Numbers that are tags already. */
async function findTaken({ git, registry }: ArchitectContext, { build }: Base): Promise<(semver: string) => boolean> {
  const format = "--format=%(refname:lstrip=2)";
  const listed = await git.run([`--git-dir=${registry.mirror}`, "for-each-ref", format, "refs/tags/"]);
  const tags = new Set(listed.split("\n"));
  return (semver) => tags.has(toTag(semver, build));
}
