import { PROPOSAL_BRANCHES } from "../check-names.ts";
import { CairnError } from "../../errors.ts";
import { checkProposal } from "../check-proposal.ts";
import type { Change, Proposal } from "../forge.ts";
import { type BranchRules, loadRules } from "./rules/branch-rules.ts";
import { accepted, type Context, findLacking, findPullNumber, loadPull, type Pull } from "./context.ts";
import { askForReviews } from "./reviews/ask-for-reviews.ts";
import { toMergeNote } from "./rules/merge-note.ts";
import { loadModes } from "./local-copy.ts";
import { MAX_BODY, neutralise, shorten } from "./neutralise.ts";
import { applyOwners, loadOwnedFiles, type OwnedFiles, toOwnersNote } from "./reviews/owned-files.ts";
import { planTree, type TreePlan } from "./plan-tree.ts";
import { makeSignedBranch } from "./signed-commit.ts";

/** GitHub's own limit, in characters. */
const MAX_TITLE = 256;

interface TreeEntry {
  path: string;
  mode: "100644" | "100755";
  type: "blob";
  content?: string;
  /** `null` deletes. */
  sha?: string | null;
}

/**
 * The branch is made last, on the finished commit, so it is there wholly or not at all; an attempt that was cut off goes
 * on at the branch or the pull request that it finds.
 */
export async function propose(context: Context, proposal: Proposal): Promise<Change> {
  checkProposal(proposal);
  const branch = `${PROPOSAL_BRANCHES}${proposal.key}`;
  const known = await findPullNumber(context, branch);
  if (known === undefined) await makeBranch(context, proposal, branch);
  const rules = await loadRules(context, proposal.base);
  const owned = await loadOwnedFiles(context, proposal.base, rules, () => proposal.files.keys());
  const number = known ?? (await openPull(context, proposal, branch, toWords(proposal, proposal.base, rules, owned)));
  const pull = await loadPull(context, { key: proposal.key, base: proposal.base, branch, number });
  await label(context, pull, proposal.labels ?? []);
  await askForReviews(context, pull, rules, owned);
  return { key: proposal.key, base: pull.base.ref, branch, number, url: pull.html_url };
}

async function makeBranch(context: Context, proposal: Proposal, branch: string): Promise<void> {
  const { api, owner, repo } = context;
  const { from, base } = proposal;
  const { git } = api.octokit.rest;
  const there = await api.find(`look for the branch \`${branch}\``, () =>
    git.getRef({ owner, repo, ref: `heads/${branch}` }),
  );
  // At its start it is half made, which happens to signed ones alone.
  if (there !== undefined && there.object.sha !== from) return;
  const baseRef = await api.find(`look for the branch \`${base}\``, () =>
    git.getRef({ owner, repo, ref: `heads/${base}` }),
  );
  if (baseRef === undefined) throw new CairnError("NOT_FOUND", `GitHub has no branch \`${base}\`.`);
  const what = `read the commit \`${from}\``;
  const commit = await api.find(what, () => git.getCommit({ owner, repo, commit_sha: from }));
  if (commit === undefined) throw new CairnError("NOT_FOUND", `GitHub has no commit \`${from}\` to change.`);
  // Histories that have nothing in common cannot even be compared.
  if ((await findLacking(context, from, base)) !== 0) {
    throw new CairnError("CONFLICT", `The commit \`${from}\` is not one of the branch \`${base}\`.`);
  }
  if (!(await context.copy.repository.hasCommit(from))) await context.copy.fetch([from]);
  const plan = planTree(proposal.files, await loadModes(context.copy, from));
  const { signatures } = await loadRules(context, base);
  if (signatures) return makeSignedBranch(context, proposal, branch, plan, commit.tree.sha);

  const tree = await writeTree(context, plan, commit.tree.sha);
  if (tree === commit.tree.sha)
    throw new CairnError("CONFLICT", `The proposal \`${proposal.key}\` would change nothing.`);
  const { author } = proposal;
  const message = neutralise(proposal.message);
  const made = accepted(
    await api.write("make a commit", () =>
      git.createCommit({ owner, repo, message, tree, parents: [from], author: { ...author } }),
    ),
  );
  // 422: another attempt was first.
  await api.write(
    `make the branch \`${branch}\``,
    () => git.createRef({ owner, repo, ref: `refs/heads/${branch}`, sha: made.sha }),
    { refusals: [422] },
  );
}

/** Writes the tree of `base`, a tree itself, with what a plan changes. */
export async function writeTree(context: Context, plan: TreePlan, base: string): Promise<string> {
  const { api, owner, repo } = context;
  const { git } = api.octokit.rest;
  const write = async (from: string, tree: TreeEntry[]) =>
    accepted(await api.write("make a tree", () => git.createTree({ owner, repo, base_tree: from, tree }))).sha;

  const deletions = plan.deleted.map((path): TreeEntry => ({ path, mode: "100644", type: "blob", sha: null }));
  const additions: TreeEntry[] = [];
  for (const { path, mode, content } of plan.written) {
    const entry = { path, mode, type: "blob" } as const;
    if (typeof content === "string") additions.push({ ...entry, content });
    else {
      const encoded = Buffer.from(content).toString("base64");
      const blob = accepted(
        await api.write("store a file", () => git.createBlob({ owner, repo, content: encoded, encoding: "base64" })),
      );
      additions.push({ ...entry, sha: blob.sha });
    }
  }
  if (!plan.swaps) return write(base, [...deletions, ...additions]);
  return write(await write(base, deletions), additions);
}

async function openPull(
  context: Context,
  { base }: Proposal,
  branch: string,
  { title, body }: ReturnType<typeof toWords>,
): Promise<number> {
  const { api, owner, repo } = context;
  const opened = await api.write(
    `open a pull request for \`${branch}\``,
    () => api.octokit.rest.pulls.create({ owner, repo, head: branch, base, title, body, maintainer_can_modify: false }),
    { refusals: [422] },
  );
  if (opened.ok) return opened.data.number;
  const number = await findPullNumber(context, branch);
  if (number !== undefined) return number;
  throw new CairnError("CONFLICT", `GitHub opens no pull request for \`${branch}\`: ${opened.words}`);
}

/** Writes title and body as GitHub shows them, with who has to approve what and when the change lands. */
export function toWords(
  { title, body, isLeftToPeople = false }: Pick<Proposal, "title" | "body" | "isLeftToPeople">,
  base: string,
  rules: BranchRules,
  owned: OwnedFiles | undefined,
) {
  const notes = [
    ...(isLeftToPeople ? [] : [toMergeNote(applyOwners(rules, owned))]),
    ...(owned === undefined ? [] : [toOwnersNote(owned, base)]),
  ];
  const note = notes.map((one) => `\n\n${one}`).join("");
  return {
    // What lands as one commit has the title for its message.
    title: shorten(neutralise(title), MAX_TITLE),
    body: `${shorten(neutralise(body), MAX_BODY - note.length)}${note}`,
  };
}

async function label({ api, owner, repo }: Context, pull: Pull, labels: readonly string[]): Promise<void> {
  const has = new Set(pull.labels.map(({ name }) => name));
  const missing = labels.filter((name) => !has.has(name));
  if (missing.length === 0 || pull.state !== "open") return;
  const { issues } = api.octokit.rest;
  await api.write(`label pull request ${pull.number}`, () =>
    issues.addLabels({ owner, repo, issue_number: pull.number, labels: missing }),
  );
}
