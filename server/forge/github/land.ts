import { CairnError } from "../../errors.ts";
import { checkOid } from "../check-names.ts";
import type { Change, Landing } from "../forge.ts";
import { explainChecks, toChecks } from "../to-checks.ts";
import { armAutoMerge, enqueue, followQueue } from "./merge-later.ts";
import { type BranchRules, loadRules } from "./rules/branch-rules.ts";
import { loadRuns } from "./checks.ts";
import type { MergeMethod } from "./config.ts";
import { type Context, loadPull, type Pull } from "./context.ts";
import { loadLandingMessage } from "./load-landing-message.ts";
import { judgeMergeable } from "./load-status.ts";
import { askAgain } from "./reviews/ask-for-reviews.ts";
import { chooseMethod, explainNoMethod, loadMergeSettings } from "./rules/merge-method.ts";
import { explainPeople, loadReview } from "./rules/review.ts";
import { defined } from "../../json/defined.ts";

export interface LandOptions {
  readonly expectHead: string;
  readonly mode: "now" | "when-green";
}

/** Attempts of a merge: a refused change may be another since it was looked at, so it is looked at again. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 1_000;
/** Refusals that only people can lift, who take their time; not "Review and try the merge again", which something has just moved. */
const LASTING = /^(?!.*\btry\b).*(?:\breview|\brule violation|\bnot allowed\b)/is;

const MERGE_QUEUE = /\bmerge queue\b/i;

export async function land(context: Context, change: Change, options: LandOptions): Promise<Landing> {
  checkOid(options.expectHead);
  let reason = "";
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (attempt > 1) await context.time.sleep(PAUSE_MS * (1 + context.time.random()));
    const pull = await loadPull(context, change);
    const found = await findOutcome(context, pull, options);
    if ("outcome" in found) return found;
    const refusal = await merge(context, pull, options.expectHead, found.method);
    if (refusal === undefined) return findMerged(context, await loadPull(context, change), options.expectHead);
    reason = refusal;
    // A server may not say beforehand that there is one.
    if (MERGE_QUEUE.test(reason)) return enqueue(context, pull);
    if (LASTING.test(reason)) break;
  }
  return { outcome: "blocked", reason: `GitHub refuses to merge: ${reason}` };
}

/** Finds the outcome without merging, or the method to merge by. */
async function findOutcome(
  context: Context,
  pull: Pull,
  options: LandOptions,
): Promise<Landing | { readonly method: MergeMethod }> {
  const { ref: base } = pull.base;
  const head = pull.head.sha;
  if (head !== options.expectHead) return { outcome: "stale", reason: `The change is at \`${head}\`.` };
  if (pull.merged) return findMerged(context, pull, options.expectHead);
  if (pull.state === "closed") return { outcome: "blocked", reason: "The change is closed." };
  const rules = await loadRules(context, base);
  const review = await loadReview(context, pull.number);
  // Before its base is looked at: a push to its branch would take it out of the queue.
  const queued = review.hasQueue ? followQueue(review) : undefined;
  if (queued !== undefined) return queued;
  const mergeable = await judgeMergeable(context, pull);
  if (mergeable === "conflict") return { outcome: "conflict", reason: `The branch \`${base}\` has other changes.` };
  // Not worked out yet is not asked for: whatever it will be, the base has to be brought in first.
  if (mergeable !== "yes") return { outcome: "behind", reason: `The branch \`${base}\` has moved.` };

  const { required } = rules;
  if (required.names.length === 0) {
    return { outcome: "blocked", reason: `No rule of \`${base}\` requires a check, so nothing can be green.` };
  }
  const runs = await loadRuns(context, head, required);
  const checks = toChecks(required.names, runs);
  const people = explainPeople(rules, review, await askAgain(context, pull, review));
  if (checks === "green") {
    if (people !== undefined) return { outcome: "blocked", reason: people };
    return review.hasQueue ? enqueue(context, pull) : findMethod(context, base, rules);
  }
  if (options.mode === "when-green" && checks !== "red" && context.autoMerge && !review.hasQueue) {
    const found = await findMethod(context, base, rules);
    return "outcome" in found ? found : armAutoMerge(context, pull, required, found.method);
  }
  const reason = explainChecks(required.names, runs);
  return { outcome: "blocked", reason: people === undefined ? reason : `${reason} ${people}` };
}

async function findMethod(
  context: Context,
  base: string,
  rules: BranchRules,
): Promise<Landing | { readonly method: MergeMethod }> {
  const settings = await loadMergeSettings(context);
  const method = chooseMethod(context.mergeMethod, settings, rules);
  if (method !== undefined) return { method };
  return { outcome: "blocked", reason: explainNoMethod(base, settings, rules) };
}

/** Why GitHub did not merge; `undefined` when it did. */
async function merge(context: Context, pull: Pull, head: string, method: MergeMethod): Promise<string | undefined> {
  const { api, owner, repo } = context;
  const { title, body } = await loadLandingMessage(context, pull, method);
  const said = { ...defined({ commit_title: title }), commit_message: body };
  const request = { owner, repo, pull_number: pull.number, sha: head, merge_method: method, ...said };
  const what = `merge pull request ${pull.number}`;
  try {
    const merged = await api.write(what, () => api.octokit.rest.pulls.merge(request), {
      refusals: [405, 409, 422],
      once: true,
    });
    return merged.ok ? undefined : merged.words;
  } catch (error) {
    // Only the answer may have been lost.
    const now = await api.read(what, () => api.octokit.rest.pulls.get({ owner, repo, pull_number: pull.number }));
    if (now.merged) return undefined;
    throw error;
  }
}

/** GitHub's guard is on the head alone: a base that moved in the very moment is seen only in what has landed. */
async function findMerged(context: Context, pull: Pull, head: string): Promise<Landing> {
  const { api, owner, repo } = context;
  const oid = pull.merge_commit_sha;
  if (!pull.merged || oid === null) {
    throw new CairnError("UPSTREAM_ERROR", `GitHub does not say as what pull request ${pull.number} was merged.`);
  }
  const treeOf = async (commit: string) => {
    const query = { owner, repo, commit_sha: commit };
    return (await api.read(`read the commit \`${commit}\``, () => api.octokit.rest.git.getCommit(query))).tree.sha;
  };
  await takeBranchAway(context, pull.head.ref, head);
  if ((await treeOf(oid)) === (await treeOf(head))) return { outcome: "merged", oid };
  throw new CairnError(
    "CONFLICT",
    `Pull request ${pull.number} was merged as \`${oid}\` onto a \`${pull.base.ref}\` that had moved in that moment: what has landed is not what was checked. A rule that branches have to be up to date before they merge prevents this.`,
    { details: { landed: oid, checked: head } },
  );
}

/** Unless somebody has gone on working there. */
async function takeBranchAway({ api, owner, repo }: Context, branch: string, head: string): Promise<void> {
  const { git } = api.octokit.rest;
  const place = { owner, repo, ref: `heads/${branch}` };
  const there = await api.find(`look for the branch \`${branch}\``, () => git.getRef(place));
  if (there?.object.sha !== head) return;
  await api.write(`take the branch \`${branch}\` away`, () => git.deleteRef(place), { refusals: [404, 422] });
}
