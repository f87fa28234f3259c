import type { Interface } from "./interface.ts";
import type { LandingWords } from "./merge-pull.ts";
import type { Plumbing } from "./plumbing.ts";
import type { Actor } from "./reply.ts";

export interface Comment {
  readonly id: number;
  readonly body: string;
  readonly login: string;
}

export interface Pull {
  readonly number: number;
  title: string;
  body: string;
  readonly head: string;
  readonly base: string;
  readonly login: string;
  /** The tip of the head branch, or where it was last. */
  headOid: string;
  state: "open" | "closed";
  mergedAs?: string;
  readonly labels: string[];
  readonly comments: Comment[];
  /** Set by auto-merge: the method to merge by. */
  armed?: "merge" | "squash";
  /** What that merge's commit is to say. */
  armedWords?: LandingWords;
  /** The latest opinion of each who has one; `teams` are those, by their numbers, for which it counts. */
  reviews: Review[];
  /** Whether one of those who approve owns the code that it changes. */
  ownerApproves?: boolean;
  /** Conversations on its code, by whether each is resolved. */
  readonly threads: boolean[];
  /** Logins, and slugs of teams, that were asked for a review. */
  readonly requested: { readonly users: string[]; readonly teams: string[] };
  /** Its place in the merge queue, while it has one. */
  queued?: QueueEntry;
  /** What its timeline says since its last commit: why the merge queue let go of it, and who made it do so. */
  removals: { readonly reason: string; readonly by: "Bot" | "User" }[];
  /** The pair of base and head whose mergeability was worked out. */
  worked?: string;
}

export interface Review {
  readonly login: string;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED";
  readonly teams?: readonly number[];
}

export interface QueueEntry {
  readonly head: string;
  /** The commit that would land, and the base that it was made on. */
  group: string;
  base: string;
}

export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly head: string;
  status: "queued" | "in_progress" | "completed";
  conclusion?: string;
  output: { readonly title: string; readonly summary: string };
  readonly startedAt: string;
  /** The run of a workflow of Actions that it is a job of; absent: the app's own. */
  readonly workflow?: number;
}

/** A run of a workflow of Actions. */
export interface WorkflowRun {
  readonly id: number;
  readonly head: string;
  attempt: number;
}

export interface Status {
  readonly id: number;
  readonly head: string;
  readonly context: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly description: string;
  readonly url?: string;
}

export interface RequiredCheck {
  readonly context: string;
  /** Only that app's check counts. */
  readonly app?: number;
}

export interface Protection {
  readonly strict: boolean;
  readonly checks: readonly RequiredCheck[];
  readonly enforceAdmins: boolean;
  /** People who have to approve a pull request. */
  readonly reviews: number;
  readonly codeOwners?: boolean;
  readonly conversations?: boolean;
  readonly linear?: boolean;
  readonly signatures?: boolean;
  /** Whether a push takes the approvals back. */
  readonly dismisses?: boolean;
  /** Teams, by their numbers, of which so many have to approve. */
  readonly teams?: readonly { readonly team: number; readonly approvals: number }[];
  /** How its merge queue merges; absent: there is none. */
  readonly queue?: "MERGE" | "SQUASH";
  /** The methods to merge by that it allows; absent: all. */
  readonly methods?: readonly string[];
}

/** A rule as rulesets have it. */
export interface Rule {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface Ruleset extends Protection {
  readonly id: number;
  readonly name: string;
  /** Full ref names, or `~DEFAULT_BRANCH`. */
  readonly include: readonly string[];
  readonly rules: readonly Rule[];
}

/** One host with one repository. */
export interface State {
  readonly owner: string;
  readonly repo: string;
  /** Without a slash at its end. */
  url: string;
  readonly defaultBranch: string;
  readonly git: Plumbing;
  readonly github: Interface;
  readonly app: { readonly id: number; readonly slug: string; readonly installation: number };
  /** Whether auto-merge can be asked for. */
  allowAutoMerge: boolean;
  /** The methods to merge by that the repository's settings allow. */
  readonly methods: Set<string>;
  /** Commits that the host has signed. */
  readonly signed: Set<string>;
  /** Runs in a merge, after it was decided and before the branch moves. */
  beforeMerge: (() => Promise<void>) | undefined;
  readonly pulls: Pull[];
  readonly checks: CheckRun[];
  readonly statuses: Status[];
  readonly workflows: WorkflowRun[];
  /** Whether it has merge queues, which older Enterprise servers do not know. */
  knowsMergeQueues: boolean;
  /** What it finds wrong with the owners of code; absent: there is no such file. */
  codeOwnersErrors?: readonly Readonly<Record<string, unknown>>[];
  /** Whether the app may read and start runs of workflows. */
  mayUseActions: boolean;
  readonly protections: Map<string, Protection>;
  readonly rulesets: Ruleset[];
  /** Refs as they were after the last request. */
  refs: ReadonlyMap<string, string>;
  nextId(): number;
  emit(event: string, payload: Readonly<Record<string, unknown>>, actor: Actor): void;
}

export function rulesOf(state: State, branch: string): Protection {
  const classic = state.protections.get(branch);
  const all: Protection[] = [...(classic === undefined ? [] : [classic]), ...rulesetsOf(state, branch)];
  const any = (
    name: "strict" | "enforceAdmins" | "codeOwners" | "conversations" | "linear" | "signatures" | "dismisses",
  ) => all.some((one) => one[name] === true);
  const queue = all.find((one) => one.queue !== undefined)?.queue;
  const methods = all.flatMap((one) => (one.methods === undefined ? [] : [one.methods]));
  return {
    strict: any("strict"),
    enforceAdmins: any("enforceAdmins"),
    checks: all.flatMap(({ checks }) => checks),
    reviews: Math.max(0, ...all.map((one) => one.reviews)),
    codeOwners: any("codeOwners"),
    conversations: any("conversations"),
    linear: any("linear"),
    signatures: any("signatures"),
    dismisses: any("dismisses"),
    teams: all.flatMap(({ teams = [] }) => teams),
    ...(queue !== undefined && { queue }),
    ...(methods.length > 0 && {
      methods: ["merge", "squash", "rebase"].filter((one) => methods.every((m) => m.includes(one))),
    }),
  };
}

export function rulesetsOf(state: State, branch: string): readonly Ruleset[] {
  const isMeant = (name: string) =>
    name === `refs/heads/${branch}` ||
    name === "~ALL" ||
    (name === "~DEFAULT_BRANCH" && branch === state.defaultBranch);
  return state.rulesets.filter(({ include }) => include.some(isMeant));
}
