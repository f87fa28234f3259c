import { specPath } from "../../capabilities/work/gate.ts";
import type { Workspace } from "../../capabilities/workspace/workspace.ts";
import { ARCHITECT_CHAT, holds } from "../../principal.ts";
import { largest } from "../../semver/level.ts";
import { toTime } from "../../text/to-time.ts";
import { isFragmentPath, isPartOfVersion } from "../../versions/tree.ts";
import type { ChangePlan, RejectPlan } from "../planners/plan.ts";
import { findApprovedBase } from "./approve.ts";
import type { ArchitectContext } from "./context.ts";
import { toSpec } from "./describe-change.ts";
import type { FeedbackRecord, Proposed } from "./feedback-record.ts";
import { findReleased, isRelease } from "./find-released.ts";
import { fitPlan } from "./fit-plan.ts";
import { type FileChanges, HISTORY_FILE } from "./merge-files.ts";
import { auditProposal } from "./propose.ts";
import { type Base, toTag } from "./repository.ts";
import { type Built, type Next, type Run, toRejected, toWorkspaceName, type Transition } from "./run.ts";
import { raiseVersion } from "./verify/raise-version.ts";
import type { StepDone } from "./work-book.ts";
import { defined } from "../../json/defined.ts";

/** One piece of feedback in a built change. */
export interface Part {
  readonly record: FeedbackRecord;
  readonly plan: ChangePlan;
  /** As changes of the base with all parts before it. */
  readonly files: FileChanges;
}

/** At least one; the workspace is of the first one's run. */
export type Parts = readonly [Part, ...Part[]];

/** Manifest in which an agent declares its checks. */
const AGENT_FILE = "manifests/agent.yaml";
/** Plans of one piece of feedback, each from where its branch was then. */
const PLAN_LIMIT = 4;

/** Makes the planned change on its base, in a workspace, with the versions that it needs and its spec. */
export async function build(
  context: ArchitectContext,
  run: Run,
  { planned }: Extract<Next, { readonly step: "build" }>,
): Promise<Transition> {
  const { record, book } = run;
  context.prepare();
  await context.registry.refresh();
  const base = await chooseBase(context, run, planned.plan);
  const trespass = await findTrespass(context, record, base);
  if (trespass !== undefined) return toRejected(record, trespass);
  const landed = record.proposal === null ? await findLanded(context, record, base) : undefined;
  if (landed !== undefined) return toLanded(record, landed);
  const { readText: read } = await context.filesOf(base.head);
  const fit = await fitPlan(context, { record, planned, base, read });
  if (fit.kind === "moved") return toMoved(context, run, fit.rejection);
  if (fit.kind === "reject") return toRejected(record, fit);
  const built = await buildParts(context, book.runId, [{ record, plan: planned.plan, files: fit.files }], base);
  return { record, next: { step: "verify", planned, built } };
}

/** Plans once more on what others have made, where the feedback is about that, too; else rejects. */
export function toMoved({ tell }: ArchitectContext, { record, replans }: Run, rejection: RejectPlan): Transition {
  // What was said of one version that never changes was not said of what came after.
  if (record.moving !== true || replans + 1 >= PLAN_LIMIT) return toRejected(record, rejection);
  tell(record, "plan", "Others were first: it is planned again on what they have made.");
  return { record, next: { step: "receive", anew: true } };
}

/** Notes that the base has the change, and which steps of the run that ends. */
export function toLanded(record: FeedbackRecord, proposal: Proposed): Transition {
  const done: readonly StepDone[] = [
    { step: "gate", message: "It may be proposed." },
    { step: "propose", message: `Proposed for \`${proposal.base}\`.` },
  ];
  return { record: { ...record, stage: "landed", proposal }, done, next: { step: "publish" } };
}

/** Finds why the sender may not change the base: an older version's policies may have let in who has been shut out since. */
export async function findTrespass(
  { registry, toPrincipal }: Pick<ArchitectContext, "registry" | "toPrincipal">,
  record: FeedbackRecord,
  base: Base,
): Promise<RejectPlan | undefined> {
  // Nobody has sent it: the service asks for it itself.
  if (record.renewal !== undefined) return undefined;
  const version = await registry.read(base.head);
  const askers = [record, ...(record.work === undefined ? [] : [record.work.worker])];
  const shutOut = askers.find((asker) => !holds(toPrincipal(version, asker), ARCHITECT_CHAT));
  if (shutOut === undefined) return undefined;
  const reason = `By what \`${base.branch}\` says now, \`${shutOut.actor}\` may not ask for changes of it.`;
  return { kind: "reject", reason, accepted: `Whoever holds \`${ARCHITECT_CHAT}\` there may.` };
}

/** Makes the changes of all parts in one workspace of a run, raises the versions that they need, and writes a spec for each. */
export async function buildParts(context: ArchitectContext, runId: string, parts: Parts, base: Base): Promise<Built> {
  const { registry, loader, repository, tell } = context;
  const [{ record }] = parts;
  const plan = toOnePlan(parts);
  const [baseVersion, tags] = await Promise.all([registry.read(base.head), repository.listTags()]);
  const name = toWorkspaceName(runId, `${record.attempt}-${base.head.slice(0, 12)}`);
  // The agent's own commands, and those that the change may declare, may look at any file; nothing else does.
  const wants = (path: string) => isPartOfVersion(path) || isFragmentPath(path) || plan.files.has(path);
  const hasChecks = baseVersion.agent.checks.length > 0 || plan.files.has(AGENT_FILE);
  const workspace = await openAnew(context, name, base.head, hasChecks ? undefined : wants);
  for (const part of parts) tell(part.record, "execute", `Changes ${plan.files.size} files.`);
  await apply(workspace, plan.files);
  // A plain tag of the number is what its address means, whichever branch has it.
  const taken = (semver: string) => tags.has(toTag(semver, base.build)) || tags.has(toTag(semver, ""));
  const ids = parts.map((part) => part.record.id);
  const raised = await raiseVersion({
    before: baseVersion,
    released: await findReleased(context, { base, version: baseVersion, taken, own: ids }),
    workspace,
    ...defined({ least: plan.bump }),
    changes: plan.changes,
    against: {
      findBases: (version) => registry.findBases(version, base.build || undefined),
      load: registry.read,
    },
    taken,
    loader,
    now: () => Date.parse(record.created_at),
  });
  const specs = parts.map(({ record: own, plan: planned, files: theirs }): readonly [string, string] => {
    const told = parts.length === 1 ? { ...planned, changes: raised.changes } : planned;
    return [specPath(own.id), toSpec(own, told, [...new Map([...theirs, ...raised.files]).keys()])];
  });
  const gone = (raised.gathered ?? []).map((file): readonly [string, null] => [file, null]);
  const added = new Map<string, string | null>([...raised.files, ...gone, ...specs]);
  await apply(workspace, added);
  const files = new Map([...plan.files, ...added]);
  const { semver, follows } = raised;
  const told = { ...plan, changes: raised.changes };
  return { plan: told, base, baseVersion, before: follows, semver, files, workspace };
}

/** Makes a workspace; what a crash left of it may be half changed. */
async function openAnew(
  { workspaces }: ArchitectContext,
  name: string,
  commit: string,
  wants: ((path: string) => boolean) | undefined,
): Promise<Workspace> {
  await workspaces.remove(name);
  return workspaces.create(name, commit, wants);
}

/** Joins several plans into one, whose files are those of the base with all of them. */
function toOnePlan(parts: Parts): ChangePlan {
  const [{ plan, files }, ...others] = parts;
  if (others.length === 0) return { ...plan, files };
  const bumps = parts.flatMap((part) => part.plan.bump ?? []);
  return {
    kind: "change",
    title: `${plan.title}, and ${others.length} more`,
    changes: parts.flatMap((part) => part.plan.changes),
    files: new Map(parts.flatMap((part) => [...part.files])),
    ...(bumps.length === 0 ? {} : { bump: largest(bumps) }),
    by: parts.flatMap((part) => part.plan.by ?? []),
    ...defined({ evidence: plan.evidence }),
  };
}

async function apply({ fs }: Workspace, files: FileChanges): Promise<void> {
  for (const [path, content] of files) {
    if (content === null) await fs.remove(path);
    else await fs.write(path, content);
  }
}

/** Finds the branch that a plan is for: of labels the default one, where that has the version. */
export function findBaseFor(
  { repository }: Pick<ArchitectContext, "repository">,
  { commit, version: semver, proposal }: FeedbackRecord,
  plan: ChangePlan,
): Promise<Base> {
  const wanted = proposal === null ? { semver, prefersDefault: isAboutLabels(plan) } : { branch: proposal.base };
  return repository.findBase(commit, wanted);
}

/** Tells whether a plan changes nothing but the history's file. */
function isAboutLabels({ files, bump }: ChangePlan): boolean {
  return bump === undefined && files.size === 1 && files.has(HISTORY_FILE);
}

/** The base as it was when the change was approved, or about to be proposed, so that it comes out the same. */
async function chooseBase(context: ArchitectContext, { book, record }: Run, plan: ChangePlan): Promise<Base> {
  const { proposal, attempt } = record;
  const base = await findBaseFor(context, record, plan);
  const approved = attempt === 0 ? await findApprovedBase(book) : undefined;
  return { ...base, head: proposal?.from ?? approved ?? base.head };
}

/** Finds what the base has of it already: a change of somebody else brought it there, and a crash kept that from being noted. */
async function findLanded(
  context: ArchitectContext,
  record: FeedbackRecord,
  { branch, head, build: name }: Base,
): Promise<Proposed | undefined> {
  const { repository, registry, now, filesOf } = context;
  const spec = specPath(record.id);
  if ((await (await filesOf(head)).readText(spec)) === undefined) return undefined;
  const oid = await repository.findAddition(spec, head);
  const from = await repository.findParent(oid);
  const [version, before] = await Promise.all([registry.read(oid), registry.read(from)]);
  const { semver } = version;
  const tagged = await registry.resolve(toTag(semver, name).slice(1)).catch(() => undefined);
  return {
    key: record.id,
    at: toTime(now()),
    base: branch,
    from,
    semver,
    isRelease: isRelease(version, before, tagged?.version.commit),
    audit: await auditProposal(context, record, { run: record.run_id, version: semver, base: branch, from }),
    change: null,
    head: oid,
    ending: null,
    landed: oid,
  };
}
