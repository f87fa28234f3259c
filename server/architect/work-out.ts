import { specPath } from "../work/gate.ts";
import type { Version } from "../versions/version.ts";
import type { Workspace } from "../workspace/open-workspaces.ts";
import type { ArchitectContext } from "./context.ts";
import { toSpec, type WorkedOut } from "./describe-change.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import type { Base } from "./find-base.ts";
import { findStrays, nameAllowed } from "./find-obligation.ts";
import { type FileChanges, HISTORY_FILE, mergeFiles } from "./merge-files.ts";
import type { ChangePlan, RejectPlan } from "./plan.ts";
import { raiseVersion } from "./verify/raise-version.ts";

/** A change as it would be proposed. */
export interface Candidate extends WorkedOut {
  /** Every file that becomes another, with the spec and the versions that are raised. */
  readonly files: FileChanges;
  /** The version that the base is at. */
  readonly baseVersion: Version;
}

export interface WorkOutRequest {
  readonly record: FeedbackRecord;
  readonly plan: ChangePlan;
  /** The commit whose versions.yaml the plan goes by. */
  readonly head: string;
  readonly base: Base;
  readonly workspace: Workspace;
  /** Whether a number stands for another commit already. */
  readonly taken: (semver: string) => boolean;
}

/**
 * Carries a plan out in a workspace made from where its base is, raises the versions that it needs, and verifies it. What
 * the base has that the version of the feedback had not stays.
 */
export async function workOut(
  context: ArchitectContext,
  request: WorkOutRequest,
): Promise<{ readonly kind: "candidate"; readonly candidate: Candidate } | RejectPlan> {
  const { git, registry, filesOf, verify, loader, tell, signal } = context;
  const { record, plan, head, base, workspace, taken } = request;
  const [original, newest, now] = await Promise.all([filesOf(record.commit), filesOf(head), filesOf(base.head)]);
  const readOriginal = (path: string) => (path === HISTORY_FILE ? newest : original).readText(path);
  const merged = await mergeFiles(git, plan.files, readOriginal, now.readText);
  if (merged.conflicts.length > 0) {
    return reject(
      `\`${base.branch}\` has changed ${quoteAll(merged.conflicts)} since ${record.version}, in the same places.`,
      await tellWhereToSend(context, base),
    );
  }
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
  const baseVersion = await registry.read(base.head);
  tell(record, "execute", `Changes ${merged.files.size} files.`);
  await apply(workspace, merged.files);
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
      ...(base.build !== "" && { build: base.build }),
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

function reject(reason: string, accepted: string): RejectPlan {
  return { kind: "reject", reason, accepted };
}

function quoteAll(paths: readonly string[]): string {
  const named = paths.slice(0, 10).map((path) => `\`${path.slice(0, 200)}\``);
  return paths.length > 10 ? `${named.join(", ")} and ${paths.length - 10} more` : named.join(", ");
}
