import { CairnError } from "../../../errors.ts";
import type { BranchRules, RequiredTeam } from "./branch-rules.ts";
import type { Context, Pull } from "../context.ts";
import { defined } from "../../../json/defined.ts";

/** The state of a pull request that REST does not show: its reviews, its conversations and its place in a merge queue. */
export interface Review {
  readonly hasQueue: boolean;
  /** Its place in the merge queue, from 1; `group` is the commit that would land, once GitHub has made it. */
  readonly entry?: { readonly position: number; readonly state: string; readonly group?: string };
  /** Why the queue has let go of it since its last commit, the oldest first. */
  readonly removals: readonly { readonly reason: string; readonly byPerson: boolean }[];
  /** `null` where no rule asks for a review. */
  readonly decision: "APPROVED" | "CHANGES_REQUESTED" | "REVIEW_REQUIRED" | null;
  /** The latest opinion of each who has one: an approval that was taken back is `DISMISSED`. */
  readonly opinions: readonly { readonly login: string; readonly state: string }[];
  /** The number of open conversations, counted up to a hundred. */
  readonly conversations: number;
}

interface Found {
  readonly repository: {
    readonly pullRequest: {
      /** This and the next: absent where the server knows no merge queues. */
      readonly isMergeQueueEnabled?: boolean;
      readonly mergeQueueEntry?: {
        readonly position: number;
        readonly state: string;
        readonly headCommit: { readonly oid: string } | null;
      } | null;
      readonly reviewDecision: Review["decision"];
      readonly reviewThreads: { readonly nodes: readonly { readonly isResolved: boolean }[] };
      readonly latestOpinionatedReviews: {
        readonly nodes: readonly {
          readonly state: string;
          /** `null` where the account is gone. */
          readonly author: { readonly login: string } | null;
        }[];
      } | null;
      readonly timelineItems?: {
        readonly nodes: readonly {
          readonly type: string;
          readonly reason?: string | null;
          readonly actor?: { readonly kind: string } | null;
        }[];
      };
    };
  };
}

const QUEUE = `
      isMergeQueueEnabled
      mergeQueueEntry { position state headCommit { oid } }
      timelineItems(last: 50, itemTypes: [PULL_REQUEST_COMMIT, REMOVED_FROM_MERGE_QUEUE_EVENT]) {
        nodes { type: __typename ... on RemovedFromMergeQueueEvent { reason actor { kind: __typename } } }
      }`;

const toQuery = (more: string) => `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewDecision
      latestOpinionatedReviews(first: 100) { nodes { state author { login } } }
      reviewThreads(first: 100) { nodes { isResolved } }${more}
    }
  }
}`;

/** GraphQL's words for a field that an older server has not. */
const NO_QUEUES = /\bisMergeQueueEnabled\b.*(?:doesn't|does not) exist/is;

/** Loads the reviews of a pull request and its place in a merge queue; of an older Enterprise server, which has none, the reviews. */
export async function loadReview({ api, owner, repo }: Context, number: number): Promise<Review> {
  const what = `read the reviews of pull request ${number}`;
  const ask = (more: string) => api.query<Found>(what, toQuery(more), { owner, repo, number });
  const { repository } = await ask(QUEUE).catch((error: unknown) => {
    if (error instanceof CairnError && NO_QUEUES.test(error.message)) return ask("");
    throw error;
  });
  const { isMergeQueueEnabled: hasQueue = false, mergeQueueEntry: queued = null, ...found } = repository.pullRequest;
  const events = found.timelineItems?.nodes ?? [];
  const last = events.findLastIndex(({ type }) => type === "PullRequestCommit");
  const entry = queued && {
    position: queued.position,
    state: queued.state,
    ...defined({ group: queued.headCommit?.oid }),
  };
  return {
    hasQueue,
    ...(entry !== null && { entry }),
    // A merge is a removal, too.
    removals: events
      .slice(last + 1)
      .filter(({ type, reason }) => type === "RemovedFromMergeQueueEvent" && reason !== "merged")
      .map(({ reason, actor }) => ({ reason: reason ?? "no reason given", byPerson: actor?.kind === "User" })),
    decision: found.reviewDecision,
    opinions: (found.latestOpinionatedReviews?.nodes ?? []).flatMap(({ state, author }) =>
      author === null ? [] : [{ state, login: author.login }],
    ),
    conversations: found.reviewThreads.nodes.filter(({ isResolved }) => !isResolved).length,
  };
}

/** Explains what people still have to do before a pull request can merge; `undefined`: nothing. */
export function explainPeople(rules: BranchRules, review: Review, pull: Pull): string | undefined {
  const needs: string[] = [];
  const asked = [
    ...(pull.requested_reviewers ?? []).map(({ login }) => `\`${login}\``),
    ...(pull.requested_teams ?? []).map(({ slug }) => `the team \`${slug}\``),
  ];
  const who = asked.length === 0 ? "nobody is asked for one yet" : `asked: ${asked.join(", ")}`;
  if (review.decision === "CHANGES_REQUESTED") needs.push("A reviewer wants it changed.");
  if (review.decision === "REVIEW_REQUIRED") needs.push(`It needs ${nameReviews(rules)} (${who}).`);
  if (rules.conversations && review.conversations > 0) {
    const count = review.conversations === 1 ? "A conversation" : `${review.conversations} conversations`;
    needs.push(`${count} on its code ${review.conversations === 1 ? "has" : "have"} to be resolved.`);
  }
  return needs.length === 0 ? undefined : needs.join(" ");
}

type ReviewRules = Pick<BranchRules, "reviews" | "codeOwners" | "lastPush" | "teams">;

/** Names the reviews that rules ask for, as part of a sentence. */
export function nameReviews({ reviews, codeOwners, lastPush, teams }: ReviewRules): string {
  const owners = "of those who own the code (`CODEOWNERS`)";
  const count = reviews > 1 ? `${reviews} approving reviews` : "an approving review";
  const counted = codeOwners ? (reviews === 0 ? `${count} ${owners}` : `${count}, one ${owners}`) : count;
  const parts = [
    ...(reviews > 0 || codeOwners ? [counted] : []),
    ...(lastPush ? ["an approving review of somebody else than the last who has pushed"] : []),
    ...teams.map(nameTeam),
  ];
  return parts.length === 0 ? count : parts.join(", and ");
}

/** Names what a team has to approve; GitHub shows of the team only its number. */
export function nameTeam({ id, approvals, patterns }: RequiredTeam): string {
  const count = approvals === 1 ? "an approving review" : `${approvals} approving reviews`;
  const files = concernsAll(patterns) ? "" : ` for files like ${patterns.map((one) => `\`${one}\``).join(", ")}`;
  return `${count} of the team with the number ${id}${files}`;
}

/** Says whether patterns of files surely are about every change. */
export function concernsAll(patterns: readonly string[]): boolean {
  return patterns.some((pattern) => /^\*\*?(?:\/\*)?$/.test(pattern));
}
