import { largest } from "../../semver/level.ts";
import { specPath } from "../../capabilities/work/gate.ts";
import type { Json } from "../../store/store.ts";
import type { Version } from "../../versions/version.ts";
import type { Workspace } from "../../capabilities/workspace/open-workspaces.ts";
import type { ArchitectContext } from "./context.ts";
import { toSpec, type WorkedOut } from "./describe-change.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import type { Base } from "./find-base.ts";
import { toPointer } from "../edit/edit-yaml.ts";
import type { Contradiction } from "../edit/merge-values.ts";
import { findStrays, nameAllowed } from "./find-obligation.ts";
import type { MadePlan } from "./make-plan.ts";
import { type Conflict, type FileChanges, HISTORY_FILE, mergeFiles } from "./merge-files.ts";
import type { ChangePlan, RejectPlan } from "../planners/plan.ts";
import { showValue } from "../show-value.ts";
import { raiseVersion } from "./verify/raise-version.ts";

/** Contradictions that are told. */
const SHOWN = 10;

/** A change as it would be proposed. */
export interface Candidate extends WorkedOut {
  /** Every file that becomes another, with the spec and the versions that are raised. */
  readonly files: FileChanges;
  /** The version that the base is at. */
  readonly baseVersion: Version;
}

/** A plan to change files, and what it was made from. */
export interface PlannedChange extends Pick<MadePlan, "from" | "head"> {
  readonly plan: ChangePlan;
}

/** A plan's files as changes of a base, or why they cannot be. */
export type Fit =
  | { readonly kind: "fits"; readonly files: FileChanges }
  /** The base has become something that the plan does not fit. */
  | { readonly kind: "moved"; readonly rejection: RejectPlan }
  | RejectPlan;

/** Makes changes of a plan's files for a base; what the base has that the version of the feedback had not stays. */
export async function fitIn(
  context: ArchitectContext,
  {
    record,
    planned,
    base,
    read,
  }: {
    readonly record: FeedbackRecord;
    readonly planned: PlannedChange;
    readonly base: Base;
    /** The text of a file that the base has, or would have with other changes before this one. */
    readonly read: (path: string) => Promise<string | undefined>;
  },
): Promise<Fit> {
  const { git, filesOf } = context;
  const { plan, from, head } = planned;
  const [original, newest] = await Promise.all([filesOf(from), filesOf(head)]);
  const readOriginal = (path: string) => (path === HISTORY_FILE ? newest : original).readText(path);
  const { files, conflicts } = await mergeFiles(git, plan.files, readOriginal, read);
  if (conflicts.length > 0) return toConflict(context, record, base, conflicts);
  const strays = findStrays(files.keys());
  if (strays.length > 0) {
    return reject(
      `${quoteAll(strays)} cannot be changed here.`,
      `Changes of ${nameAllowed()} are; anything else needs a pull request by somebody.`,
    );
  }
  if (files.size === 0) return reject(`\`${base.branch}\` is like that already.`, "Say what else is to change.");
  return { kind: "fits", files };
}

/** One piece of feedback in a candidate. */
export interface Part {
  readonly record: FeedbackRecord;
  readonly plan: ChangePlan;
  /** As `fitIn` has them, with all parts before it. */
  readonly files: FileChanges;
}

export interface CandidateRequest {
  /** At least one; recorded calls are those of the first one's tenant. */
  readonly parts: readonly [Part, ...Part[]];
  readonly base: Base;
  /** With the files of the base. */
  readonly workspace: Workspace;
  /** Whether a number stands for another commit already. */
  readonly taken: (semver: string) => boolean;
}

/** Makes the changes in the workspace, raises the versions that they need, writes a spec for each part, and verifies it all. */
export async function makeCandidate(context: ArchitectContext, request: CandidateRequest): Promise<Candidate> {
  const { registry, filesOf, verify, loader, signal } = context;
  const { parts, base, workspace, taken } = request;
  const tell = (stage: string, message: string) => {
    for (const { record } of parts) context.tell(record, stage, message);
  };
  const [{ record }] = parts;
  const plan = toOnePlan(parts);
  const [baseVersion, now] = await Promise.all([registry.read(base.head), filesOf(base.head)]);
  tell("execute", `Changes ${plan.files.size} files.`);
  await apply(workspace, plan.files);
  const raised = await raiseVersion({
    before: baseVersion,
    workspace,
    ...(plan.bump === undefined ? {} : { least: plan.bump }),
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
    return [specPath(own.id), toSpec(own, planned, [...new Map([...theirs, ...raised.files]).keys()])];
  });
  const added = new Map<string, string | null>([...raised.files, ...specs]);
  const files = new Map([...plan.files, ...added]);
  await apply(workspace, added);
  tell("verify", `Verifies ${raised.semver}.`);
  const [verification, impact] = await Promise.all([
    verify({
      before: { version: baseVersion, readText: now.readText },
      workspace,
      changed: [...files.keys()],
      ...(base.build !== "" && { build: base.build }),
      tenant: record.tenant,
      signal,
      onCheck: ({ name, status }) => tell("verify", `${name}: ${status}`),
    }),
    now.describeImpact(baseVersion, [...plan.files.keys()]),
  ]);
  const { diff } = await workspace.git.diff([...files.keys()]);
  const { semver } = raised;
  return { plan, semver, before: baseVersion.semver, verification, diff, impact, files, baseVersion };
}

/** Several plans as one, whose files are those of the base with all of them. */
function toOnePlan(parts: CandidateRequest["parts"]): ChangePlan {
  const [{ plan }, ...others] = parts;
  const bumps = parts.flatMap((part) => part.plan.bump ?? []);
  return {
    kind: "change",
    title: others.length === 0 ? plan.title : `${plan.title}, and ${others.length} more`,
    changes: parts.flatMap((part) => part.plan.changes),
    files: new Map(parts.flatMap((part) => [...part.files])),
    ...(bumps.length === 0 ? {} : { bump: largest(bumps) }),
    by: parts.flatMap((part) => part.plan.by ?? []),
    ...(plan.evidence === undefined ? {} : { evidence: plan.evidence }),
  };
}

/** Where feedback on what the branch is now goes, which only a commit takes that a served tag leads to. */
async function tellWhereToSend({ registry }: ArchitectContext, { branch, head }: Base): Promise<string> {
  const address = `\`/agent/${head}/architect/chat\``;
  const { state } = (await registry.describe(head)).record;
  if (state === "served") return `Send the same to ${address}, which is where \`${branch}\` is now.`;
  return `Tag \`${head}\`, where \`${branch}\` is now, and send the same to ${address}.`;
}

async function apply({ fs }: Workspace, files: FileChanges): Promise<void> {
  for (const [path, content] of files) {
    if (content === null) await fs.remove(path);
    else await fs.write(path, content);
  }
}

/** Two values for one key are told as such: planned once more, one of them would silently give way to the other. */
async function toConflict(
  context: ArchitectContext,
  { version }: FeedbackRecord,
  base: Base,
  conflicts: readonly Conflict[],
): Promise<Fit> {
  const { branch } = base;
  const contradictions = conflicts.flatMap(({ path, contradictions: found }) => {
    return found.map((one) => `- ${path} at \`${toPointer(one.path)}\`: ${describe(one)}`);
  });
  if (contradictions.length > 0) {
    const shown = contradictions.slice(0, SHOWN).join("\n");
    const more = contradictions.length > SHOWN ? `\n- and ${contradictions.length - SHOWN} more` : "";
    return reject(
      `This and what \`${branch}\` has by now contradict each other:\n${shown}${more}\n`,
      "Send it again if it is to be so all the same.",
    );
  }
  const paths = conflicts.map(({ path }) => path);
  const rejection = reject(
    `\`${branch}\` has changed ${quoteAll(paths)} since ${version}, in the same places.`,
    await tellWhereToSend(context, base),
  );
  return { kind: "moved", rejection };
}

function describe({ was, ours, theirs }: Contradiction): string {
  return `it was ${show(was)}, is ${show(ours)} now, and would be ${show(theirs)}.`;
}

function show(value: Json | undefined): string {
  return value === undefined ? "not there" : showValue(value);
}

function reject(reason: string, accepted: string): RejectPlan {
  return { kind: "reject", reason, accepted };
}

function quoteAll(paths: readonly string[]): string {
  const named = paths.slice(0, 10).map((path) => `\`${path.slice(0, 200)}\``);
  return paths.length > 10 ? `${named.join(", ")} and ${paths.length - 10} more` : named.join(", ");
}
