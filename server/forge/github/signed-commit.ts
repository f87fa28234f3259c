import { CairnError } from "../../errors.ts";
import type { Proposal } from "../forge.ts";
import type { Context } from "./context.ts";
import type { Written } from "./github-api.ts";
import { neutralise } from "./neutralise.ts";
import type { TreePlan } from "./plan-tree.ts";

/** GitHub's answer. */
export interface Made {
  readonly createCommitOnBranch: {
    readonly commit: {
      readonly tree: { readonly oid: string };
      readonly signature: { readonly isValid: boolean } | null;
    } | null;
  } | null;
}

const MUTATION = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { tree { oid } signature { isValid } } }
}`;

/** The files of a signed commit, against those of the commit before it. */
export interface SignedFiles {
  readonly additions: readonly { readonly path: string; readonly base64: string }[];
  readonly deletions: readonly string[];
}

/**
 * Makes the branch of a proposal with a commit that GitHub signs: the one kind that a branch takes whose rules want
 * signatures. Its author is the account that Cairn acts as. The branch stands at its start for a moment, from which a later
 * attempt goes on. Rejects with CONFLICT what GitHub does not sign, or would not change as planned.
 */
export async function makeSignedBranch(
  context: Context,
  { key, from, base, message }: Proposal,
  branch: string,
  plan: TreePlan,
  tree: string,
): Promise<void> {
  const { api, owner, repo } = context;
  const { git } = api.octokit.rest;
  const files = toSignedFiles(plan, base);
  // 422: an earlier attempt has made it.
  await api.write(
    `make the branch \`${branch}\``,
    () => git.createRef({ owner, repo, ref: `refs/heads/${branch}`, sha: from }),
    { refusals: [422] },
  );
  const made = await commitSigned(context, branch, { parent: from, message, files });
  if (!made.ok) {
    // Only the answer to an earlier attempt may have been lost.
    const now = await git.getRef({ owner, repo, ref: `heads/${branch}` });
    if (now.data.object.sha !== from) return;
    throw new CairnError("CONFLICT", `GitHub makes no signed commit for \`${key}\`: ${made.words}`);
  }
  const commit = made.data.createCommitOnBranch?.commit;
  const reason =
    commit?.tree.oid === tree
      ? `The proposal \`${key}\` would change nothing.`
      : commit?.signature?.isValid === true
        ? undefined
        : `\`${base}\` takes signed commits alone, and GitHub has not signed the one for \`${key}\`.`;
  if (reason === undefined) return;
  await api.write(`take the branch \`${branch}\` away`, () => git.deleteRef({ owner, repo, ref: `heads/${branch}` }), {
    refusals: [404, 422],
  });
  throw new CairnError("CONFLICT", reason);
}

/** Has GitHub make a commit on top of a branch and sign it; refused where the branch is not at `parent`. */
export function commitSigned(
  { api, owner, repo }: Context,
  branch: string,
  { parent, message, files }: { readonly parent: string; readonly message: string; readonly files: SignedFiles },
): Promise<Written<Made>> {
  const [headline = "", ...rest] = neutralise(message).split("\n");
  return api.mutate<Made>("make a signed commit", MUTATION, {
    branch: { repositoryNameWithOwner: `${owner}/${repo}`, branchName: branch },
    expectedHeadOid: parent,
    message: { headline, body: rest.join("\n").trim() },
    fileChanges: {
      additions: files.additions.map(({ path, base64 }) => ({ path, contents: base64 })),
      deletions: files.deletions.map((path) => ({ path })),
    },
  });
}

/** Converts a plan; rejects with CONFLICT what GitHub would write with another mode. */
export function toSignedFiles({ written, deleted }: TreePlan, base: string): SignedFiles {
  refuseModes(
    written.filter(({ mode }) => mode === "100755"),
    base,
  );
  const additions = written.map(({ path, content }) => ({ path, base64: Buffer.from(content).toString("base64") }));
  return { additions, deletions: deleted };
}

/** Rejects with CONFLICT where there are files that GitHub would write with another mode than theirs. */
export function refuseModes(files: readonly { readonly path: string }[], base: string): void {
  if (files.length === 0) return;
  const paths = files.map(({ path }) => `\`${path}\``).join(", ");
  throw new CairnError(
    "CONFLICT",
    `\`${base}\` takes signed commits alone, and GitHub signs none for Cairn that write executable files: ${paths}.`,
  );
}
