import { CairnError } from "../../errors.ts";
import type { Proposal } from "../forge.ts";
import type { Context } from "./context.ts";
import { neutralise } from "./neutralise.ts";
import type { TreePlan } from "./plan-tree.ts";

interface Made {
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
  const executable = plan.written.filter(({ mode }) => mode === "100755").map(({ path }) => `\`${path}\``);
  if (executable.length > 0) {
    throw new CairnError(
      "CONFLICT",
      `\`${base}\` takes signed commits alone, and GitHub signs none for Cairn that write executable files: ${executable.join(", ")}.`,
    );
  }
  // 422: an earlier attempt has made it.
  await api.write(
    `make the branch \`${branch}\``,
    () => git.createRef({ owner, repo, ref: `refs/heads/${branch}`, sha: from }),
    { refusals: [422] },
  );
  const [headline = "", ...rest] = neutralise(message).split("\n");
  const made = await api.mutate<Made>("make a signed commit", MUTATION, {
    branch: { repositoryNameWithOwner: `${owner}/${repo}`, branchName: branch },
    expectedHeadOid: from,
    message: { headline, body: rest.join("\n").trim() },
    fileChanges: {
      additions: plan.written.map(({ path, content }) => ({ path, contents: Buffer.from(content).toString("base64") })),
      deletions: plan.deleted.map((path) => ({ path })),
    },
  });
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
