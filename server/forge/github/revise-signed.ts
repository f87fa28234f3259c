import { CairnError } from "../../errors.ts";
import type { Revision } from "../forge.ts";
import type { Context, Pull } from "./context.ts";
import { commitSigned, refuseModes, type SignedFiles, toSignedFiles } from "./signed-commit.ts";
import type { TreePlan } from "./plan-tree.ts";

/** A file that is another in the revision's start than in the branch. */
interface Difference {
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
  readonly kind: "added" | "deleted" | "changed";
}

/**
 * Puts a revision on its branch with a commit that GitHub signs, where it brings in nothing of its base: GitHub signs none
 * with two parents for others. Says whether the branch was where the revision expects it. Rejects with CONFLICT what GitHub
 * does not sign.
 */
export async function reviseSigned(
  context: Context,
  pull: Pull,
  revision: Revision,
  { plan, tree }: { readonly plan: TreePlan; readonly tree: string },
): Promise<boolean> {
  const { api, owner, repo } = context;
  const { ref: branch } = pull.head;
  const { expectHead, message } = revision;
  const files = await toFiles(context, pull.base.ref, revision, plan);
  const made = await commitSigned(context, branch, { parent: expectHead, message, files });
  if (made.ok) {
    const commit = made.data.createCommitOnBranch?.commit;
    if (commit?.signature?.isValid === true && commit.tree.oid === tree) return true;
    throw new CairnError("CONFLICT", `GitHub has not signed the commit on \`${branch}\`, or has made another of it.`);
  }
  // Only the answer to an earlier attempt may have been lost.
  const { git } = api.octokit.rest;
  const now = await api.read(`look for the branch \`${branch}\``, () =>
    git.getRef({ owner, repo, ref: `heads/${branch}` }),
  );
  if (now.object.sha === expectHead) {
    throw new CairnError("CONFLICT", `GitHub makes no signed commit on \`${branch}\`: ${made.words}`);
  }
  const query = { owner, repo, commit_sha: now.object.sha };
  const commit = await api.read(`read the commit \`${now.object.sha}\``, () => git.getCommit(query));
  return commit.tree.sha === tree && commit.parents.every(({ sha }) => sha === expectHead);
}

/** The files of the revision against those of its branch: what the branch has changed and the revision does not is undone. */
async function toFiles(
  { api, owner, repo, copy }: Context,
  base: string,
  { from, expectHead, files }: Revision,
  plan: TreePlan,
): Promise<SignedFiles> {
  if (!(await copy.repository.hasCommit(expectHead))) await copy.fetch([expectHead]);
  const listing = await copy.repository.run(["diff-tree", "-r", "-z", "--raw", "--no-renames", expectHead, from]);
  const differences = readDifferences(listing);
  const undone = differences.filter(({ path }) => !files.has(path));
  const lacking = new Set(differences.filter(({ kind }) => kind === "added").map(({ path }) => path));
  const restored = undone.filter(({ kind }) => kind !== "deleted");
  refuseModes(
    restored.filter(({ mode }) => mode !== "100644"),
    base,
  );
  const planned = toSignedFiles(plan, base);
  const additions = [...planned.additions];
  for (const { path, oid } of restored) {
    const blob = await api.read(`read \`${path}\``, () => api.octokit.rest.git.getBlob({ owner, repo, file_sha: oid }));
    additions.push({ path, base64: blob.content });
  }
  return {
    additions,
    deletions: [
      ...planned.deletions.filter((path) => !lacking.has(path)),
      ...undone.filter(({ kind }) => kind === "deleted").map(({ path }) => path),
    ],
  };
}

/** Reads `:<mode> <mode> <oid> <oid> <kind>` and a path, over and over. */
function readDifferences(listing: string): readonly Difference[] {
  const parts = listing.split("\0");
  return parts.flatMap((about, at): readonly Difference[] => {
    if (at % 2 === 1 || about === "") return [];
    const [, mode = "", , oid = "", letter] = about.split(" ");
    const kind = letter === "A" ? "added" : letter === "D" ? "deleted" : "changed";
    return [{ path: parts[at + 1] ?? "", mode, oid, kind }];
  });
}
