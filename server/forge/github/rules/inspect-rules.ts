import type { ForgeRules } from "../../forge.ts";
import { type BranchRules, loadRules, needsReview } from "./branch-rules.ts";
import type { Context, Place } from "../context.ts";
import { chooseMethod, explainNoMethod, loadMergeSettings, type MergeSettings } from "./merge-method.ts";
import { RULE_TYPES } from "./rule-types.ts";
import { concernsAll, nameReviews, nameTeam } from "./review.ts";
import { type FoundOwners, loadCodeOwners, loadOwnersProblems, PLACES } from "../reviews/load-code-owners.ts";
import { defined } from "../../../json/defined.ts";

/** The account of the token that GitHub gives to a workflow. */
const ACTIONS = "github-actions[bot]";

export interface RulesFound {
  readonly branch: string;
  readonly rules: BranchRules;
  readonly settings: MergeSettings;
  /** Absent where no rule wants the approval of owners, or there is no file that names some. */
  readonly owners?: FoundOwners;
  /** What GitHub finds wrong with that file, in whole sentences. */
  readonly ownersProblems?: readonly string[];
  /** The account whose token Cairn has; absent for an app. */
  readonly login?: string;
}

/** Reads which branch of the repository is the default one. */
export async function loadDefaultBranch({ api, owner, repo }: Place): Promise<string> {
  const what = `read the settings of \`${owner}/${repo}\``;
  return (await api.read(what, () => api.octokit.rest.repos.get({ owner, repo }))).default_branch;
}

export async function inspectRules(
  context: Place & Pick<Context, "mergeMethod" | "reviewers" | "reportsAs">,
  branch: string,
): Promise<ForgeRules> {
  const rules = await loadRules(context, branch);
  const settings = await loadMergeSettings(context);
  const owners = rules.codeOwners ? await loadCodeOwners(context, branch) : undefined;
  const ownersProblems = owners === undefined ? [] : await loadOwnersProblems(context, branch);
  const found = { branch, rules, settings, ...defined({ owners }), ownersProblems };
  if (context.reportsAs === "check-run") return describeRules(context, found);
  const { viewer } = await context.api.query<{ viewer: { login: string } }>(
    "read whose token this is",
    "query { viewer { login } }",
    {},
  );
  return describeRules(context, { ...found, login: viewer.login });
}

/** Describes the rules of a branch, and what of them will keep changes from landing. */
export function describeRules(context: Pick<Context, "mergeMethod" | "reviewers">, found: RulesFound): ForgeRules {
  const { branch, rules, login } = found;
  const { required, types } = rules;
  const unknown = types.filter((type) => RULE_TYPES[type] === undefined);
  const beyond = types.filter((type) => RULE_TYPES[type]?.isBeyond);
  return {
    rules: [
      ...required.names.map((name) => `the check \`${name}\` has to pass`),
      ...(needsReview(rules) ? [`a change needs ${nameReviews(rules)}`] : []),
      ...(rules.dismissesStale ? ["a push to a change takes its approvals back, and Cairn asks for them again"] : []),
      ...(rules.conversations ? ["conversations have to be resolved"] : []),
      ...types.map((type) => `\`${type}\`: ${RULE_TYPES[type]?.meaning ?? "unknown to Cairn"}`),
    ],
    problems: [
      ...findCheckProblems(context, found),
      ...findReviewProblems(context, found),
      ...(login === ACTIONS
        ? [
            "The token is the one that GitHub Actions gives to a workflow: what it pushes starts no workflow, so required checks never begin. Use an app or a token of an account.",
          ]
        : []),
      ...(unknown.length > 0
        ? [`Cairn does not know these rules of \`${branch}\`, which may refuse changes: ${list(unknown)}.`]
        : []),
      ...(beyond.length > 0
        ? [`Cairn cannot see to these rules of \`${branch}\`, which may refuse changes: ${list(beyond)}.`]
        : []),
    ],
  };
}

function findCheckProblems(
  { mergeMethod }: Pick<Context, "mergeMethod">,
  { branch, rules, settings }: RulesFound,
): readonly string[] {
  const { required, types } = rules;
  const hasQueue = types.includes("merge_queue");
  const problems: string[] = [];
  if (required.names.length === 0) problems.push(`No rule of \`${branch}\` requires a check, so nothing can land.`);
  else if (required.strict === false && !hasQueue) {
    problems.push(
      `No rule of \`${branch}\` has branches up to date before they merge, so what lands may not be what was checked.`,
    );
  }
  // A queue has a method of its own.
  if (hasQueue) return problems;
  const method = chooseMethod(mergeMethod, settings, rules);
  if (method === undefined) problems.push(explainNoMethod(branch, settings, rules));
  else if (method !== mergeMethod) {
    problems.push(
      `CAIRN_GITHUB_MERGE is \`${mergeMethod}\`, which is not allowed here: \`${method}\` is used instead.`,
    );
  }
  return problems;
}

function findReviewProblems(
  { reviewers }: Pick<Context, "reviewers">,
  { branch, rules, owners, ownersProblems = [] }: RulesFound,
): readonly string[] {
  const hasOwners = owners?.codeOwners.some((one) => one.owners.length > 0) === true;
  const problems: string[] = [];
  if (rules.codeOwners && !hasOwners) {
    const where =
      owners === undefined ? `none of ${list(PLACES)} is there to name them` : `\`${owners.path}\` names none`;
    problems.push(`A rule of \`${branch}\` wants the approval of those who own the code, but ${where}.`);
  }
  problems.push(...ownersProblems);
  if ((rules.reviews > 0 || rules.lastPush) && !hasOwners && reviewers.length === 0) {
    problems.push(
      `A change needs ${nameReviews(rules)}, and nobody is asked: CAIRN_GITHUB_REVIEWERS says whom to ask.`,
    );
  }
  const ofAll = rules.teams.filter(({ patterns }) => concernsAll(patterns));
  if (ofAll.length > 0) {
    problems.push(`Every change waits for people: it needs ${ofAll.map(nameTeam).join(", and ")}.`);
  }
  return problems;
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
