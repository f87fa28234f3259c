import type { ForgeRules } from "../../forge.ts";
import { type BranchRules, loadRules } from "./branch-rules.ts";
import type { Context, Place } from "../context.ts";
import { chooseMethod, explainNoMethod, loadMergeSettings, type MergeSettings } from "./merge-method.ts";
import { nameReviews } from "./review.ts";

/** Rules of rulesets by their types, as GitHub's description of its interface lists them, and what each means for a change. */
const MEANINGS: Readonly<Record<string, string>> = {
  creation: "only some may create such a branch",
  update: "only some may change it",
  deletion: "only some may delete it",
  non_fast_forward: "nobody may force-push to it",
  required_linear_history: "it takes no merge commits",
  required_signatures: "its commits have to be signed",
  required_status_checks: "checks have to pass",
  pull_request: "changes need a pull request",
  merge_queue: "changes go through a merge queue",
  required_deployments: "changes have to be deployed first",
  workflows: "workflows have to pass",
  code_scanning: "code scanning has to pass",
  copilot_code_review: "Copilot reviews changes",
  commit_message_pattern: "messages of commits have to match a pattern",
  commit_author_email_pattern: "authors' addresses have to match a pattern",
  committer_email_pattern: "committers' addresses have to match a pattern",
  branch_name_pattern: "names of branches have to match a pattern",
  tag_name_pattern: "names of tags have to match a pattern",
  file_path_restriction: "some paths may not change",
  max_file_path_length: "paths have a longest length",
  file_extension_restriction: "some kinds of files are refused",
  max_file_size: "files have a largest size",
  license_compliance_scanning: "licences are scanned",
};
/** Rules that may refuse a change, and which Cairn can neither fulfil nor foresee. */
const BEYOND: ReadonlySet<string> = new Set([
  "update",
  "required_deployments",
  "code_scanning",
  "commit_message_pattern",
  "commit_author_email_pattern",
  "committer_email_pattern",
  "branch_name_pattern",
  "file_path_restriction",
  "max_file_path_length",
  "file_extension_restriction",
  "max_file_size",
  "license_compliance_scanning",
]);
/** The account of the token that GitHub gives to a workflow. */
const ACTIONS = "github-actions[bot]";

export interface RulesFound {
  readonly branch: string;
  readonly rules: BranchRules;
  readonly settings: MergeSettings;
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
  const found = { branch, rules, settings };
  if (context.reportsAs === "check-run") return describeRules(context, found);
  const { viewer } = await context.api.query<{ viewer: { login: string } }>(
    "read whose token this is",
    "query { viewer { login } }",
    {},
  );
  return describeRules(context, { ...found, login: viewer.login });
}

/** Describes the rules of a branch, and what of them will keep changes from landing. */
export function describeRules(
  { mergeMethod, reviewers }: Pick<Context, "mergeMethod" | "reviewers">,
  { branch, rules, settings, login }: RulesFound,
): ForgeRules {
  const { required, types } = rules;
  const method = chooseMethod(mergeMethod, settings, rules);
  const problems: string[] = [];
  if (required.names.length === 0) problems.push(`No rule of \`${branch}\` requires a check, so nothing can land.`);
  else if (required.strict === false && !types.includes("merge_queue")) {
    problems.push(
      `No rule of \`${branch}\` has branches up to date before they merge, so what lands may not be what was checked.`,
    );
  }
  if (types.includes("merge_queue")) {
    // The queue has a method of its own.
  } else if (method === undefined) problems.push(explainNoMethod(branch, settings, rules));
  else if (method !== mergeMethod) {
    problems.push(
      `CAIRN_GITHUB_MERGE is \`${mergeMethod}\`, which is not allowed here: \`${method}\` is used instead.`,
    );
  }
  if (rules.reviews > 0 && !rules.codeOwners && reviewers.length === 0) {
    problems.push(
      `A change needs ${nameReviews(rules)}, and nobody is asked: CAIRN_GITHUB_REVIEWERS says whom to ask.`,
    );
  }
  if (login === ACTIONS) {
    problems.push(
      "The token is the one that GitHub Actions gives to a workflow: what it pushes starts no workflow, so required checks never begin. Use an app or a token of an account.",
    );
  }
  const unknown = types.filter((type) => MEANINGS[type] === undefined);
  if (unknown.length > 0) {
    problems.push(`Cairn does not know these rules of \`${branch}\`, which may refuse changes: ${list(unknown)}.`);
  }
  const beyond = types.filter((type) => BEYOND.has(type));
  if (beyond.length > 0) {
    problems.push(`Cairn cannot see to these rules of \`${branch}\`, which may refuse changes: ${list(beyond)}.`);
  }
  return {
    rules: [
      ...required.names.map((name) => `the check \`${name}\` has to pass`),
      ...(rules.reviews > 0 || rules.codeOwners ? [`a change needs ${nameReviews(rules)}`] : []),
      ...(rules.conversations ? ["conversations have to be resolved"] : []),
      ...types.map((type) => `\`${type}\`: ${MEANINGS[type] ?? "unknown to Cairn"}`),
    ],
    problems,
  };
}

/** Says on a pull request when it merges, as Markdown. */
export function toMergeNote({ required, ...rules }: BranchRules): string {
  const conditions = [
    ...required.names.map((name) => `the check \`${name}\` passes`),
    ...(rules.reviews > 0 || rules.codeOwners ? [`it has ${nameReviews(rules)}`] : []),
    ...(rules.conversations ? ["conversations on its code are resolved"] : []),
  ];
  const how = rules.types.includes("merge_queue") ? "puts it into the merge queue" : "merges it";
  const when = conditions.length === 0 ? "a rule of its base requires a check that passes" : conditions.join(", and ");
  return `## When it merges\n\nCairn ${how} by itself once ${when}.`;
}

function list(types: readonly string[]): string {
  return types.map((type) => `\`${type}\``).join(", ");
}
