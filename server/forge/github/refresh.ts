import { CairnError } from "../../errors.ts";
import type { Change, Refreshed } from "../forge.ts";
import { mergeTrees } from "../local/merge-trees.ts";
import { askForReviews } from "./reviews/ask-for-reviews.ts";
import { loadChangedPaths, loadOwnedFiles } from "./reviews/owned-files.ts";
import { loadRules } from "./rules/branch-rules.ts";
import { type Context, findLacking, loadPull, type Pull } from "./context.ts";

/** GitHub brings the base in behind its answer: it is looked for so often, so far apart. */
const MAX_LOOKS = 30;
const LOOK_MS = 1_000;
const MAX_ATTEMPTS = 3;

export async function refresh(context: Context, change: Change): Promise<Refreshed> {
  const { api, owner, repo, time } = context;
  let first: string | undefined;
  let reason = "";
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (attempt > 1) await time.sleep(LOOK_MS);
    const pull = await loadPull(context, change);
    const head = pull.head.sha;
    if (pull.state !== "open") throw new CairnError("CONFLICT", `The change \`${change.key}\` is no longer open.`);
    if ((await findLacking(context, pull.base.ref, head)) === 0) {
      return { outcome: first === undefined || first === head ? "same" : "updated", head };
    }
    first ??= head;
    const asked = await api.write(
      `bring \`${pull.base.ref}\` into pull request ${pull.number}`,
      () => api.octokit.rest.pulls.updateBranch({ owner, repo, pull_number: pull.number, expected_head_sha: head }),
      { refusals: [422] },
    );
    if (asked.ok) {
      const now = await waitForHead(context, change, head);
      await askForLacking(context, now);
      return { outcome: "updated", head: now.head.sha };
    }
    reason = asked.words;
    const paths = await findConflicts(context, pull);
    if (paths.length > 0) return { outcome: "conflict", paths };
  }
  throw new CairnError("UPSTREAM_ERROR", `GitHub does not bring the base into \`${change.key}\`: ${reason}`);
}

async function waitForHead(context: Context, change: Change, old: string): Promise<Pull> {
  for (let look = 1; look <= MAX_LOOKS; look++) {
    const pull = await loadPull(context, change);
    if (pull.head.sha !== old) return pull;
    await context.time.sleep(LOOK_MS);
  }
  throw new CairnError("UPSTREAM_TIMEOUT", `GitHub has taken too long to bring the base into \`${change.key}\`.`);
}

/** The push may have taken approvals back, and the base may have other rules and owners. */
async function askForLacking(context: Context, pull: Pull): Promise<void> {
  const rules = await loadRules(context, pull.base.ref);
  const owned = await loadOwnedFiles(context, pull.base.ref, rules, () => loadChangedPaths(context, pull));
  await askForReviews(context, pull, rules, owned);
}

/** GitHub says that there are some, the local copy which. */
async function findConflicts({ api, owner, repo, copy }: Context, pull: Pull): Promise<readonly string[]> {
  const ref = `heads/${pull.base.ref}`;
  const base = await api.read(`find \`${pull.base.ref}\``, () => api.octokit.rest.git.getRef({ owner, repo, ref }));
  await copy.fetch([base.object.sha, pull.head.sha]);
  const merged = await mergeTrees(copy.repository, pull.head.sha, base.object.sha);
  return merged.ok ? [] : merged.paths;
}
