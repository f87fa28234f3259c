import { CairnError } from "../../errors.ts";
import { checkKey, checkOid, PROPOSAL_BRANCHES } from "../check-names.ts";
import { checkProposal } from "../check-proposal.ts";
import type { Change, Revision } from "../forge.ts";
import { accepted, type Context, findLacking, findPullNumber, loadPull, type Pull } from "./context.ts";
import { loadModes } from "./local-copy.ts";
import { neutralise } from "./neutralise.ts";
import { planTree } from "./plan-tree.ts";
import { askForReviews } from "./reviews/ask-for-reviews.ts";
import { loadOwnedFiles } from "./reviews/owned-files.ts";
import { reviseSigned } from "./revise-signed.ts";
import { toWords, writeTree } from "./propose.ts";
import { loadRules } from "./rules/branch-rules.ts";

export async function findChange(context: Context, key: string): Promise<Change | undefined> {
  checkKey(key);
  const branch = `${PROPOSAL_BRANCHES}${key}`;
  const number = await findPullNumber(context, branch);
  if (number === undefined) return undefined;
  const { base, html_url: url } = await loadPull(context, { key, base: "", branch, number });
  return { key, base: base.ref, branch, number, url };
}

/** The branch only moves forward: GitHub itself refuses where somebody has pushed meanwhile. */
export async function revise(context: Context, change: Change, revision: Revision): Promise<void> {
  const { api, owner, repo, copy } = context;
  const { expectHead, from, files } = revision;
  checkProposal({ ...revision, key: change.key, base: change.base });
  checkOid(expectHead);
  const { git, pulls } = api.octokit.rest;
  const pull = await loadPull(context, change);
  if (pull.state !== "open") throw new CairnError("CONFLICT", `The change \`${change.key}\` is no longer open.`);
  if (pull.head.sha !== expectHead) throw moved(change);
  const rules = await loadRules(context, pull.base.ref);
  if ((await findLacking(context, from, pull.base.ref)) !== 0) {
    throw new CairnError("CONFLICT", `The commit \`${from}\` is not one of the branch \`${pull.base.ref}\`.`);
  }
  const bringsBase = (await findLacking(context, from, expectHead)) !== 0;
  if (rules.signatures && bringsBase) {
    throw new CairnError("CONFLICT", "Commits have to be signed, and GitHub signs none that brings in its base.");
  }
  const read = (commit_sha: string) =>
    api.read(`read the commit \`${commit_sha}\``, () => git.getCommit({ owner, repo, commit_sha }));
  const [base, head] = [await read(from), await read(expectHead)];
  if (!(await copy.repository.hasCommit(from))) await copy.fetch([from]);
  const plan = planTree(files, await loadModes(copy, from));
  const tree = await writeTree(context, plan, base.tree.sha);
  if (tree === head.tree.sha) throw new CairnError("CONFLICT", `The change \`${change.key}\` is so already.`);
  const parents = bringsBase ? [expectHead, from] : [expectHead];
  const isPut = rules.signatures
    ? await reviseSigned(context, pull, revision, { plan, tree })
    : await putCommit(context, pull, revision, { tree, parents });
  if (!isPut) throw moved(change);
  const owned = await loadOwnedFiles(context, pull.base.ref, rules, () => files.keys());
  await api.write(`describe pull request ${pull.number}`, () =>
    pulls.update({ owner, repo, pull_number: pull.number, ...toWords(revision, pull.base.ref, rules, owned) }),
  );
  await askForReviews(context, await loadPull(context, change), rules, owned);
}

/** Says whether the branch was still where the revision expects it. */
async function putCommit(
  { api, owner, repo }: Context,
  { head }: Pull,
  { message, author }: Revision,
  { tree, parents }: { readonly tree: string; readonly parents: string[] },
): Promise<boolean> {
  const { git } = api.octokit.rest;
  const made = accepted(
    await api.write("make a commit", () =>
      git.createCommit({ owner, repo, message: neutralise(message), tree, parents, author: { ...author } }),
    ),
  );
  const put = await api.write(
    `move the branch \`${head.ref}\``,
    () => git.updateRef({ owner, repo, ref: `heads/${head.ref}`, sha: made.sha, force: false }),
    { refusals: [422] },
  );
  return put.ok;
}

function moved({ key }: Change): CairnError {
  return new CairnError("CONFLICT", `Somebody has pushed to the branch of \`${key}\` meanwhile.`);
}
