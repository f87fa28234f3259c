import type { Landing } from "../forge.ts";
import type { Context, Pull } from "./context.ts";
import type { Review } from "./rules/review.ts";

const MUTATION = `mutation ($input: EnqueuePullRequestInput!) {
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
    MUTATION,
    input,
  );
  if (!done.ok) return { outcome: "blocked", reason: `GitHub does not take it into its merge queue: ${done.words}` };
  const position = done.data.enqueuePullRequest?.mergeQueueEntry?.position;
  const place = position === undefined ? "" : `, at place ${position}`;
  return { outcome: "armed", reason: `It is in GitHub's merge queue${place}.` };
}
