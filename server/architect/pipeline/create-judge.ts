import { digestOf } from "./approval.ts";
import { bringsOnlyBase } from "./brings-only-base.ts";
import type { ArchitectContext } from "./context.ts";
import type { FeedbackRecord, Proposed } from "./feedback-record.ts";
import { findBase } from "./find-base.ts";
import { findObligation } from "./find-obligation.ts";
import { toWorkspaceName } from "./to-workspace-name.ts";
import type { LandRequest } from "./land-change.ts";
import type { FileChanges } from "./merge-files.ts";
import type { Verification } from "./verify/verification.ts";

export interface Judge {
  readonly head: LandRequest["judgeHead"];
  readonly landed: LandRequest["judgeLanded"];
  /** Whether a commit is what was to be proposed, and nothing else. */
  readonly isProposed: (oid: string, files: FileChanges) => Promise<boolean>;
}

/** Judges commits that a proposal has come to, by its branch or on its base. */
export function createJudge(
  { git, registry, workspaces, filesOf, verify, signal }: ArchitectContext,
  about: { readonly runId: string; readonly record: FeedbackRecord; readonly proposal: Proposed },
): Judge {
  const { runId, record, proposal } = about;
  const place = { git, gitDir: registry.mirror };
  const run = async (...args: readonly string[]) => (await git.run([`--git-dir=${registry.mirror}`, ...args])).trim();

  async function findPaths(before: string, oid: string): Promise<readonly string[]> {
    const names = await run("diff-tree", "-r", "-z", "--no-renames", "--name-only", before, oid);
    return names.split("\0").filter((name) => name !== "");
  }

  async function verifyFrom(before: string, oid: string) {
    const version = await registry.read(before);
    const { readText } = await filesOf(before);
    const paths = await findPaths(before, oid);
    const workspace = await workspaces.create(toWorkspaceName(runId, oid.slice(0, 12)), oid);
    const { build } = await findBase(place, proposal.from, proposal.base);
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
      const paths = await findPaths(proposal.from, oid);
      const { readText } = await filesOf(oid);
      const all = [...new Set([...paths, ...files.keys()])];
      const made = new Map(await Promise.all(all.map(async (path) => [path, (await readText(path)) ?? null] as const)));
      if (all.every((path) => made.get(path) === files.get(path))) return true;
      // After a crash, the files may have been worked out together with other changes, or with another number.
      return digestOf(new Map(paths.map((path) => [path, made.get(path) ?? null]))) === proposal.files;
    },
    async head(oid, was) {
      await registry.refresh();
      const { head: base } = await findBase(place, proposal.from, proposal.base);
      // What the base has beyond is brought in before anything lands.
      const before = await run("merge-base", base, oid);
      const { version, paths, verification } = await verifyFrom(before, oid);
      const isOthers = !(await bringsOnlyBase(place, { head: oid, was, base }));
      const { reasons } = findObligation(version.policies, verification.required, paths, verification);
      return { verification, isOthers, reasons: isOthers ? reasons : [] };
    },
    async landed(oid) {
      await registry.refresh();
      return (await verifyFrom(await run("rev-parse", `${oid}^1`), oid)).verification;
    },
  });
}
