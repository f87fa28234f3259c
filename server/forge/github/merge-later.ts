import type { Required } from "./checks.ts";
import type { MergeMethod } from "./config.ts";
import { loadLandingMessage } from "./load-landing-message.ts";
import { defined } from "../../json/defined.ts";
import type { Landing } from "../forge.ts";
import type { Context, Pull } from "./context.ts";
import type { Review } from "./rules/review.ts";
import { explainWait } from "../to-checks.ts";

const ENQUEUE = `mutation ($input: EnqueuePullRequestInput!) {
  enqueuePullRequest(input: $input) { mergeQueueEntry { position } }
}`;

/** Times that a queue may let go of a commit by itself: a flaky check gets a second chance, and no third. */
const MAX_REMOVALS = 2;

/** Follows a pull request in its merge queue; `undefined` where it is not in there and may be put in. */
export function followQueue({ entry, removals }: Review): Landing | undefined {
  if (entry !== undefined) {
    const { position, state, group } = entry;
    const reason = `It is in GitHub's merge queue, at place ${position} (${state.toLowerCase().replaceAll("_", " ")}).`;
    return { outcome: "armed", reason, ...(group !== undefined && { group }) };
  }
  const last = removals.at(-1);
  if (last === undefined) return undefined;
  if (last.byPerson) {
    return { outcome: "blocked", reason: `Somebody has taken it out of GitHub's merge queue: ${last.reason}.` };
  }
  if (removals.length < MAX_REMOVALS) return undefined;
  return {
    outcome: "refused",
    reason: `GitHub's merge queue has let go of it ${removals.length} times: ${last.reason}.`,
  };
}

/** Puts a pull request into the merge queue of its base, with the head that was checked as the condition. */
export async function enqueue({ api }: Context, pull: Pull): Promise<Landing> {
  const input = { pullRequestId: pull.node_id, expectedHeadOid: pull.head.sha };
  const done = await api.mutate<{ enqueuePullRequest: { mergeQueueEntry: { position: number } | null } | null }>(
    `put pull request ${pull.number} into the merge queue`,
    ENQUEUE,
    input,
  );
  if (!done.ok) return { outcome: "blocked", reason: `GitHub does not take it into its merge queue: ${done.words}` };
  const position = done.data.enqueuePullRequest?.mergeQueueEntry?.position;
  const place = position === undefined ? "" : `, at place ${position}`;
  return { outcome: "armed", reason: `It is in GitHub's merge queue${place}.` };
}

const ARM = `mutation ($input: EnablePullRequestAutoMergeInput!) {
  enablePullRequestAutoMerge(input: $input) { pullRequest { number } }
}`;

/** Has GitHub merge by itself, where its rules keep it from merging anything else than what was checked. */
export async function armAutoMerge(
  context: Context,
  pull: Pull,
  required: Required,
  method: MergeMethod,
): Promise<Landing> {
  const { api } = context;
  const blocked = (reason: string): Landing => ({ outcome: "blocked", reason });
  if (required.strict !== true) {
    return blocked(
      `Auto-merge would land it on a \`${pull.base.ref}\` that moved: no rule that Cairn can read has branches up to date first.`,
    );
  }
  const armed: Landing = { outcome: "armed", reason: explainWait(required.names) };
  // Asked again, GitHub would tell everybody again.
  if (pull.auto_merge !== null) return armed;
  const { title, body } = await loadLandingMessage(context, pull, method);
  const input = {
    pullRequestId: pull.node_id,
    mergeMethod: method === "squash" ? "SQUASH" : "MERGE",
    expectedHeadOid: pull.head.sha,
    ...defined({ commitHeadline: title }),
    commitBody: body,
  };
  const done = await api.mutate(`have pull request ${pull.number} merge when it is green`, ARM, input);
  return done.ok ? armed : blocked(`GitHub does not take auto-merge: ${done.words}`);
}
