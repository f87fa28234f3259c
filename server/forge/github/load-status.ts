import type { Change, ChangeStatus } from "../forge.ts";
import { isMarked } from "./abandon.ts";
import { toChecks } from "../to-checks.ts";
import { loadRules } from "./rules/branch-rules.ts";
import { loadRuns } from "./checks.ts";
import { type Context, findLacking, loadPull, type Pull } from "./context.ts";

/** Loads the status of a pull request. GitHub works out in the background whether it can be merged: until then it is `unknown`. */
export async function loadStatus(context: Context, change: Change): Promise<ChangeStatus> {
  const pull = await loadPull(context, change);
  const { required } = await loadRules(context, pull.base.ref);
  const runs = await loadRuns(context, pull.head.sha, required);
  const state = pull.merged ? "merged" : pull.state;
  return {
    head: pull.head.sha,
    state,
    mergeable: state === "open" ? await judgeMergeable(context, pull) : "unknown",
    checks: toChecks(required.names, runs),
    required: required.names,
    runs,
    ...(state === "closed" && (await isMarked(context, pull.number)) ? { isAbandoned: true } : {}),
    // Before it is merged this is a commit that GitHub only tries it with.
    ...(pull.merged && pull.merge_commit_sha !== null && { merged: pull.merge_commit_sha }),
  };
}

/** Whatever the rules of the branch say: what has not all of its base was not checked as it would land. */
export async function judgeMergeable(context: Context, pull: Pull): Promise<ChangeStatus["mergeable"]> {
  if (pull.mergeable === false) return "conflict";
  const lacking = await findLacking(context, pull.base.ref, pull.head.sha);
  if (lacking === 0) return "yes";
  return lacking === undefined || pull.mergeable === null ? "unknown" : "behind";
}
