import type { Required } from "../checks.ts";
import type { Place } from "../context.ts";
import type { GitHubApi } from "../github-api.ts";
import { isObject } from "../../../json/is-object.ts";
import { defined } from "../../../json/defined.ts";

/** Everything that GitHub demands of a branch, by rulesets and by the older protection of branches together. */
export interface BranchRules {
  readonly required: Required;
  /** The number of approving reviews that a change needs. */
  readonly reviews: number;
  /** Says whether those have to approve who own the code that changes. */
  readonly codeOwners: boolean;
  /** Says whether somebody else than the last who has pushed has to approve. */
  readonly lastPush: boolean;
  /** Says whether a push takes approvals back. */
  readonly dismissesStale: boolean;
  /** Teams that have to approve some files or all. */
  readonly teams: readonly RequiredTeam[];
  /** Says whether conversations on the code have to be resolved. */
  readonly conversations: boolean;
  /** Says whether merge commits are refused. */
  readonly linear: boolean;
  /** Says whether unsigned commits are refused. */
  readonly signatures: boolean;
  /** The methods to merge by that all rules allow; absent: no rule says. */
  readonly methods?: readonly string[];
  /** The types of the rules in its rulesets, as GitHub names them, each once. */
  readonly types: readonly string[];
}

export interface RequiredTeam {
  /** The number that GitHub knows it by. */
  readonly id: number;
  readonly approvals: number;
  /** Patterns of the files that it is for, in the syntax of `fnmatch`. */
  readonly patterns: readonly string[];
}

type Rest = GitHubApi["octokit"]["rest"]["repos"];
type Rule = Awaited<ReturnType<Rest["getBranchRules"]>>["data"][number];
type Protection = Awaited<ReturnType<Rest["getBranch"]>>["data"]["protection"];

/** The rules of the older protection, as GitHub shows them to those who are no administrators. */
interface UpdateRule {
  readonly requiredApprovingReviewCount: number | null;
  readonly requiresCodeOwnerReviews: boolean;
  readonly requiresConversationResolution: boolean;
  readonly requiresLinearHistory: boolean;
  readonly requiresSignatures: boolean;
}

const UPDATE_RULE = `query ($owner: String!, $repo: String!, $ref: String!) {
  repository(owner: $owner, name: $repo) {
    ref(qualifiedName: $ref) {
      refUpdateRule {
        requiredApprovingReviewCount
        requiresCodeOwnerReviews
        requiresConversationResolution
        requiresLinearHistory
        requiresSignatures
      }
    }
  }
}`;

export async function loadRules({ api, owner, repo }: Place, branch: string): Promise<BranchRules> {
  const { repos } = api.octokit.rest;
  const what = `read the rules of \`${branch}\``;
  const rules = await api.read(what, async () => ({
    data: await api.octokit.paginate(repos.getBranchRules, { owner, repo, branch, per_page: 100 }),
  }));
  const { protection } = await api.read(`read the branch \`${branch}\``, () =>
    repos.getBranch({ owner, repo, branch }),
  );
  if (protection.enabled !== true) return readRules(rules, protection);
  const found = await api.query<{ repository: { ref: { refUpdateRule: UpdateRule | null } | null } }>(
    what,
    UPDATE_RULE,
    { owner, repo, ref: `refs/heads/${branch}` },
  );
  return readRules(rules, protection, found.repository.ref?.refUpdateRule ?? undefined);
}

/** Sums up the rules of a branch: what one of them demands is demanded. */
export function readRules(rules: readonly Rule[], protection: Protection, update?: UpdateRule): BranchRules {
  const types = [...new Set(rules.map(({ type }) => type))];
  const ofPulls = rules.flatMap((rule) =>
    rule.type === "pull_request" && rule.parameters !== undefined ? [rule.parameters] : [],
  );
  const allowed = ofPulls.flatMap(({ allowed_merge_methods: named }) => (named === undefined ? [] : [named]));
  const counts = ofPulls.map(({ required_approving_review_count: count }) => count);
  const methods = allowed.reduce<readonly string[] | undefined>(
    (kept, next) => (kept === undefined ? next : kept.filter((method) => next.some((one) => one === method))),
    undefined,
  );
  return {
    required: readRequired(rules, protection),
    reviews: Math.max(0, ...counts, update?.requiredApprovingReviewCount ?? 0),
    codeOwners: ofPulls.some((one) => one.require_code_owner_review) || update?.requiresCodeOwnerReviews === true,
    lastPush: ofPulls.some((one) => one.require_last_push_approval),
    dismissesStale: ofPulls.some((one) => one.dismiss_stale_reviews_on_push),
    teams: ofPulls.flatMap(readTeams),
    conversations:
      ofPulls.some((one) => one.required_review_thread_resolution) || update?.requiresConversationResolution === true,
    linear: types.includes("required_linear_history") || update?.requiresLinearHistory === true,
    signatures: types.includes("required_signatures") || update?.requiresSignatures === true,
    ...defined({ methods }),
    types,
  };
}

/** Reads a part of the rule that GitHub may change without a word, and that Octokit does not know. */
function readTeams(parameters: object): readonly RequiredTeam[] {
  const found: unknown = "required_reviewers" in parameters ? parameters.required_reviewers : undefined;
  return (Array.isArray(found) ? found : []).flatMap((one: unknown): readonly RequiredTeam[] => {
    if (!isObject(one) || !isObject(one["reviewer"])) return [];
    const { minimum_approvals: approvals, file_patterns: patterns } = one;
    const { id } = one["reviewer"];
    // Without approvals it is asked, and not waited for.
    if (typeof id !== "number" || typeof approvals !== "number" || approvals < 1) return [];
    return [{ id, approvals, patterns: Array.isArray(patterns) ? patterns.map(String) : [] }];
  });
}

/** Says whether a rule wants the review of anybody. */
export function needsReview({ reviews, codeOwners, lastPush, teams }: BranchRules): boolean {
  return reviews > 0 || codeOwners || lastPush || teams.length > 0;
}

function readRequired(rules: readonly Rule[], protection: Protection): Required {
  const names = new Set<string>();
  const apps = new Map<string, number>();
  let strict: Required["strict"] = false;
  const add = (name: string, app: number | null | undefined) => {
    names.add(name);
    if (typeof app === "number" && app > 0) apps.set(name, app);
  };
  for (const rule of rules) {
    if (rule.type !== "required_status_checks") continue;
    if (rule.parameters?.strict_required_status_checks_policy === true) strict = true;
    for (const { context, integration_id: app } of rule.parameters?.required_status_checks ?? []) add(context, app);
  }
  const classic = protection.required_status_checks;
  if (classic?.strict === true) strict = true;
  else if (!strict && classic?.strict === undefined && (classic?.contexts ?? []).length > 0) strict = "unknown";
  for (const name of classic?.contexts ?? []) add(name, undefined);
  for (const { context, app_id: app } of classic?.checks ?? []) add(context, app);
  return { names: [...names].toSorted(), apps, strict };
}
