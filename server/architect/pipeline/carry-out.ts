import { CairnError } from "../../errors.ts";
import { ARCHITECT_CHAT, holds } from "../../principal.ts";
import { awaitApproval, findApprovalFault, findApprovedBase } from "./approval.ts";
import type { ArchitectContext } from "./context.ts";
import { toDryRunNotes, toFindings } from "./describe-change.ts";
import type { FeedbackRecord, Proposed } from "./feedback-record.ts";
import { type Base, findBase, toTag } from "./find-base.ts";
import { findObligation } from "./find-obligation.ts";
import { keepEvidence } from "./keep-evidence.ts";
import type { RejectPlan } from "../planners/plan.ts";
import { auditProposal, bringHome, type Brought, proposeChange } from "./propose-change.ts";
import { toTime } from "../../text/to-time.ts";
import { isPartOfVersion } from "../../versions/tree.ts";
import { specPath } from "../../capabilities/work/gate.ts";
import { toWorkspaceName } from "./to-workspace-name.ts";
import type { WorkBook } from "./work-book.ts";
import { type Candidate, type CandidateRequest, fitIn, makeCandidate, type PlannedChange } from "./work-out.ts";

/** What came of a plan to change files. */
export type CarriedOut =
  | Extract<Brought, { readonly kind: "landed" }>
  /** Of a dry run. */
  | { readonly kind: "dry"; readonly notes: string; readonly needsApproval: boolean; readonly newVersion?: string }
  /** For somebody's approval; the run is let go of until then. */
  | { readonly kind: "waiting"; readonly reasons: readonly string[] }
  /** The base has moved since it was planned, and what was planned does not fit what it is now. */
  | { readonly kind: "moved"; readonly record: FeedbackRecord; readonly rejection: RejectPlan }
  | RejectPlan;

/** Where an agent declares its checks. */
const AGENT_FILE = "manifests/agent.yaml";
/** Attempts to get onto a base that others change at the same time. */
const ATTEMPT_LIMIT = 8;

/** A plan whose turn it is. */
export interface Attempt {
  readonly book: WorkBook;
  readonly record: FeedbackRecord;
  readonly planned: PlannedChange;
}

/** What has come of an attempt; `again`: its base has moved, and it wants another one. */
export type Attempted = CarriedOut | Brought;

/** Waits for an attempt's turn on a branch, and carries it out. */
export type InTurn = (branch: string, attempt: Attempt) => Promise<Attempted>;

/** Works a plan out, verifies it, has its gate judge it, proposes and lands it; goes on where an earlier time has stopped. */
export async function carryOut(context: ArchitectContext, first: Attempt, inTurn: InTurn): Promise<CarriedOut> {
  const { git, registry, baseBranch } = context;
  const { branch } = await findBase({ git, gitDir: registry.mirror }, first.record.commit, baseBranch);
  let attempt = first;
  while (attempt.record.attempt < ATTEMPT_LIMIT) {
    const done = await inTurn(branch, attempt);
    if (done.kind !== "again") return done;
    attempt = { ...attempt, record: done.record };
  }
  return {
    kind: "reject",
    reason: `Others have changed the same branch ${ATTEMPT_LIMIT} times meanwhile.`,
    accepted: "Send it again when there is less going on.",
  };
}

/** Carries out one attempt by itself. */
export async function tryAlone(context: ArchitectContext, { book, record, planned }: Attempt): Promise<Attempted> {
  const { plan } = planned;
  // A change that the forge has may have been pushed to; what it was made from plays no part any more.
  if (record.proposal?.change && record.proposal.head !== null) return bringHome(context, book, record);
  context.prepare();
  await context.registry.refresh();
  const base = await chooseBase(context, book, record);
  const fault = await findTrespass(context, record, base);
  if (fault !== undefined) return fault;
  const landed = record.proposal === null ? await findLanded(context, record, base) : undefined;
  if (landed !== undefined) return noteLanded(book, record, landed);
  const { readText: read } = await context.filesOf(base.head);
  const fit = await fitIn(context, { record, planned, base, read });
  if (fit.kind === "moved") return { ...fit, record };
  if (fit.kind === "reject") return fit;
  const parts = [{ record, plan, files: fit.files }] as const;
  const { candidate, leave } = await workOut(context, { book, parts, base });
  const { verification, files, semver } = candidate;
  await keepEvidence(book, candidate);
  if (verification.status === "failed") {
    const reason = `The change was worked out, and does not hold:\n${toFindings(verification)}`;
    const rejection = { kind: "reject", reason, accepted: "A change is accepted that passes all of these." } as const;
    return base.head === planned.from ? rejection : { kind: "moved", record, rejection };
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
  const denied = await findApprovalFault(book, [record.actor, ...(plan.by ?? [])], files, obligation);
  if (denied !== undefined) return denied;
  const [brought] = await Promise.all([proposeChange(context, book, record, { base, candidate, gate }), leave()]);
  return brought;
}

/** Why the sender may not change the base: an older version's policies may have let in who has been shut out since. */
export async function findTrespass(
  { registry, toPrincipal }: ArchitectContext,
  record: FeedbackRecord,
  base: Base,
): Promise<RejectPlan | undefined> {
  const version = await registry.read(base.head);
  if (holds(toPrincipal(version, record), ARCHITECT_CHAT)) return undefined;
  const reason = `By what \`${base.branch}\` says now, \`${record.actor}\` may not ask for changes of it.`;
  return { kind: "reject", reason, accepted: `Whoever holds \`${ARCHITECT_CHAT}\` there may.` };
}

/** A verified candidate, in a workspace of the run's own; `leave` takes that away again. */
export async function workOut(
  context: ArchitectContext,
  { book, parts, base }: Pick<CandidateRequest, "parts" | "base"> & { readonly book: WorkBook },
): Promise<{ readonly candidate: Candidate; leave(): Promise<void> }> {
  const { workspaces, registry } = context;
  const version = await registry.read(base.head);
  const name = toWorkspaceName(book.runId, `${parts[0].record.attempt}-${base.head.slice(0, 12)}`);
  // What a crash left of it may be half changed.
  await workspaces.remove(name);
  const changed = new Set(parts.flatMap(({ files }) => [...files.keys()]));
  // The agent's own commands, and those that the change may declare, may look at any file; nothing else does.
  const wants = (path: string) => isPartOfVersion(path) || changed.has(path);
  const hasChecks = version.agent.checks.length > 0 || changed.has(AGENT_FILE);
  const workspace = await workspaces.create(name, base.head, hasChecks ? undefined : wants);
  const candidate = await makeCandidate(context, { parts, base, workspace, taken: await findTaken(context, base) });
  return { candidate, leave: () => workspaces.remove(name) };
}

/** What the base has of it already: a change of somebody else brought it there, and a crash kept that from being noted. */
async function findLanded(
  context: ArchitectContext,
  record: FeedbackRecord,
  { branch, head }: Base,
): Promise<Proposed | undefined> {
  const { git, registry, now, filesOf } = context;
  const spec = specPath(record.id);
  if ((await (await filesOf(head)).readText(spec)) === undefined) return undefined;
  const run = async (...args: readonly string[]) => (await git.run([`--git-dir=${registry.mirror}`, ...args])).trim();
  const oid = await run("log", "-1", "--format=%H", "--diff-filter=A", head, "--", spec);
  const from = await run("rev-parse", `${oid}^1`);
  const [version, before] = await Promise.all([registry.read(oid), registry.read(from)]);
  const { semver } = version;
  return {
    key: record.id,
    at: toTime(now()),
    base: branch,
    from,
    semver,
    isRelease: semver !== before.semver,
    audit: await auditProposal(context, record, { run: record.run_id, version: semver, base: branch, from }),
    change: null,
    head: oid,
    ending: null,
    landed: oid,
  };
}

/** Notes that the base has it, and which steps that ends. */
export async function noteLanded(book: WorkBook, record: FeedbackRecord, proposal: Proposed): Promise<Brought> {
  const landed: FeedbackRecord = { ...record, stage: "landed", proposal };
  await book.save(
    landed,
    { step: "gate", message: "It may be proposed." },
    { step: "propose", message: `Proposed for \`${proposal.base}\`.` },
  );
  return { kind: "landed", record: landed };
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
