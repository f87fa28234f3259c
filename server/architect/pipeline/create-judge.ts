import { digestOf } from "./approve.ts";
import type { ArchitectContext } from "./context.ts";
import type { FeedbackRecord, Proposed } from "./feedback-record.ts";
import { findObligation } from "./find-obligation.ts";
import type { FileChanges } from "./merge-files.ts";
import { toWorkspaceName } from "./run.ts";
import type { Verification } from "./verify/verification.ts";

export interface Judge {
  /** Judges a commit that the branch of the change has come to after `was`, which could land. */
  readonly head: (oid: string, was: string) => Promise<Judged>;
  /** Judges what the base has of the change, where that is not what was verified. */
  readonly landed: (oid: string) => Promise<Verification>;
  /** Tells whether a commit is what was to be proposed, and nothing else. */
  readonly isProposed: (oid: string, files: FileChanges) => Promise<boolean>;
}

export interface Judged {
  readonly verification: Verification;
  /** True if other people changed more than the base. */
  readonly isOthers: boolean;
  /** Reasons for an approval of others' changes that no one has approved. */
  readonly reasons: readonly string[];
}

/** Creates the judge of commits that a proposal has come to, by its branch or on its base. */
export function createJudge(
  { repository, registry, workspaces, filesOf, verify, signal }: ArchitectContext,
  about: { readonly runId: string; readonly record: FeedbackRecord; readonly proposal: Proposed },
): Judge {
  const { runId, record, proposal } = about;

  async function verifyFrom(before: string, oid: string) {
    const version = await registry.read(before);
    const { readText } = await filesOf(before);
    const paths = await repository.listChangedPaths(before, oid);
    const workspace = await workspaces.create(toWorkspaceName(runId, oid.slice(0, 12)), oid);
    const { build } = await repository.findBase(proposal.from, { branch: proposal.base });
    const request = {
      before: { version, readText },
      workspace,
      changed: paths,
      ...(build !== "" && { build }),
      tenant: record.tenant,
      signal,
    };
    const verification: Verification = await verify(request);
    return { version, paths, verification };
  }

  return Object.freeze<Judge>({
    async isProposed(oid, files) {
      await registry.refresh();
      const paths = await repository.listChangedPaths(proposal.from, oid);
      const { readText } = await filesOf(oid);
      const all = [...new Set([...paths, ...files.keys()])];
      const made = new Map(await Promise.all(all.map(async (path) => [path, (await readText(path)) ?? null] as const)));
      if (all.every((path) => made.get(path) === files.get(path))) return true;
      // After a crash, the files may have been worked out together with other changes, or with another number.
      return digestOf(new Map(paths.map((path) => [path, made.get(path) ?? null]))) === proposal.files;
    },
    async head(oid, was) {
      await registry.refresh();
      const { head: base } = await repository.findBase(proposal.from, { branch: proposal.base });
      // What the base has beyond is brought in before anything lands.
      const before = await repository.findMergeBase(base, oid);
      const { version, paths, verification } = await verifyFrom(before, oid);
      const isOthers = !(await repository.bringsOnlyBase({ head: oid, was, base }));
      const { reasons } = findObligation(version.policies, verification.required, paths, verification);
      return { verification, isOthers, reasons: isOthers ? reasons : [] };
    },
    async landed(oid) {
      await registry.refresh();
      return (await verifyFrom(await repository.findParent(oid), oid)).verification;
    },
  });
}
