import { specPath } from "../work/gate.ts";
import type { Json } from "../store/store.ts";
import type { Version } from "../versions/version.ts";
import type { Workspace } from "../workspace/open-workspaces.ts";
import type { ArchitectContext } from "./context.ts";
import { toSpec, type WorkedOut } from "./describe-change.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import type { Base } from "./find-base.ts";
import { toPointer } from "./edit/edit-yaml.ts";
import type { Contradiction } from "./edit/merge-values.ts";
import { findStrays, nameAllowed } from "./find-obligation.ts";
import type { MadePlan } from "./make-plan.ts";
import { type Conflict, type FileChanges, HISTORY_FILE, mergeFiles } from "./merge-files.ts";
import type { ChangePlan, RejectPlan } from "./plan.ts";
import { showValue } from "./show-value.ts";
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

export type WorkedOutChange =
  | { readonly kind: "candidate"; readonly candidate: Candidate }
  /** The base has become something that the plan does not fit. */
  | { readonly kind: "moved"; readonly rejection: RejectPlan }
  | RejectPlan;

export interface WorkOutRequest {
  readonly record: FeedbackRecord;
  readonly planned: PlannedChange;
  readonly base: Base;
  readonly workspace: Workspace;
  /** Whether a number stands for another commit already. */
  readonly taken: (semver: string) => boolean;
}

/**
 * Carries a plan out in a workspace made from where its base is, raises the versions that it needs, and verifies it. What
 * the base has that the version of the feedback had not stays.
 */
export async function workOut(context: ArchitectContext, request: WorkOutRequest): Promise<WorkedOutChange> {
  const { git, registry, filesOf, verify, loader, tell, signal } = context;
  const { record, planned, base, workspace, taken } = request;
  const { plan, from, head } = planned;
  const [original, newest, now] = await Promise.all([filesOf(from), filesOf(head), filesOf(base.head)]);
  const readOriginal = (path: string) => (path === HISTORY_FILE ? newest : original).readText(path);
  const merged = await mergeFiles(git, plan.files, readOriginal, now.readText);
  if (merged.conflicts.length > 0) return toConflict(record, base, merged.conflicts);
  const strays = findStrays(merged.files.keys());
  if (strays.length > 0) {
    return reject(
      `${quoteAll(strays)} cannot be changed here.`,
      `Changes of ${nameAllowed()} are; anything else needs a pull request by somebody.`,
    );
  }
  if (merged.files.size === 0) {
    return reject(`\`${base.branch}\` is like that already.`, "Say what else is to change.");
  }
  const { version: baseVersion } = await registry.resolve(base.head);
  tell(record, "execute", `Changes ${merged.files.size} files.`);
  await apply(workspace, merged.files);
  const raised = await raiseVersion({
    before: baseVersion,
    workspace,
    ...(plan.bump === undefined ? {} : { least: plan.bump }),
    changes: plan.changes,
    taken,
    loader,
    now: () => Date.parse(record.created_at),
  });
  const withVersions = new Map<string, string | null>([...merged.files, ...raised.files]);
  const spec = specPath(record.id);
  const files = new Map([...withVersions, [spec, toSpec(record, plan, [...withVersions.keys()])]]);
  await apply(workspace, new Map([...raised.files, [spec, files.get(spec) ?? null]]));
  tell(record, "verify", `Verifies ${raised.semver}.`);
  const [verification, impact] = await Promise.all([
    verify({
      before: { version: baseVersion, readText: now.readText },
      workspace,
      changed: [...files.keys()],
      tenant: record.tenant,
      signal,
      onCheck: ({ name, status }) => tell(record, "verify", `${name}: ${status}`),
    }),
    now.describeImpact(baseVersion, [...merged.files.keys()]),
  ]);
  const { diff } = await workspace.git.diff([...files.keys()]);
  const { semver } = raised;
  const before = baseVersion.semver;
  return { kind: "candidate", candidate: { plan, semver, before, verification, diff, impact, files, baseVersion } };
}

async function apply({ fs }: Workspace, files: FileChanges): Promise<void> {
  for (const [path, content] of files) {
    if (content === null) await fs.remove(path);
    else await fs.write(path, content);
  }
}

/** Two values for one key are told as such: planned once more, one of them would silently give way to the other. */
function toConflict(
  { version }: FeedbackRecord,
  { branch, head }: Base,
  conflicts: readonly Conflict[],
): WorkedOutChange {
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
    `Send the same to \`/agent/${head}/architect/chat\`, which is where \`${branch}\` is now.`,
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
