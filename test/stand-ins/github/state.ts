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
  /** How many people have approved its last commit. */
  approvals?: number;
  /** The pair of base and head whose mergeability was worked out. */
  worked?: string;
}

export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly head: string;
  status: "queued" | "in_progress" | "completed";
  conclusion?: string;
  output: { readonly title: string; readonly summary: string };
  readonly startedAt: string;
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
}

export interface Ruleset extends Protection {
  readonly id: number;
  readonly name: string;
  /** Full ref names, or `~DEFAULT_BRANCH`. */
  readonly include: readonly string[];
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
  /** Runs in a merge, after it was decided and before the branch moves. */
  beforeMerge: (() => Promise<void>) | undefined;
  readonly pulls: Pull[];
  readonly checks: CheckRun[];
  readonly statuses: Status[];
  readonly protections: Map<string, Protection>;
  readonly rulesets: Ruleset[];
  /** Refs as they were after the last request. */
  refs: ReadonlyMap<string, string>;
  nextId(): number;
  emit(event: string, payload: Readonly<Record<string, unknown>>, actor: Actor): void;
}

export function requiredChecks(
  state: State,
  branch: string,
): { readonly strict: boolean; readonly checks: RequiredCheck[]; readonly reviews: number } {
  const classic = state.protections.get(branch);
  const all: Protection[] = [...(classic === undefined ? [] : [classic]), ...rulesetsOf(state, branch)];
  const reviews = Math.max(0, ...all.map((one) => one.reviews));
  return { strict: all.some(({ strict }) => strict), checks: all.flatMap(({ checks }) => checks), reviews };
}

export function rulesetsOf(state: State, branch: string): readonly Ruleset[] {
  const isMeant = (name: string) =>
    name === `refs/heads/${branch}` ||
    name === "~ALL" ||
    (name === "~DEFAULT_BRANCH" && branch === state.defaultBranch);
  return state.rulesets.filter(({ include }) => include.some(isMeant));
}
