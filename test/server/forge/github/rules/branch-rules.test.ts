import { describe, expect, test } from "vitest";
import { readRules } from "../../../../../server/forge/github/rules/branch-rules.ts";
import { describeRules } from "../../../../../server/forge/github/rules/inspect-rules.ts";
import { toMergeNote } from "../../../../../server/forge/github/rules/merge-note.ts";
import { readCodeOwners } from "../../../../../server/forge/github/reviews/code-owners.ts";
import { chooseMethod, explainNoMethod } from "../../../../../server/forge/github/rules/merge-method.ts";
import { followQueue } from "../../../../../server/forge/github/merge-later.ts";

type Rules = Parameters<typeof readRules>[0];

const ALL = { squash: true, merge: true };
const FREE = { linear: false };
const CHECKS = {
  type: "required_status_checks",
  parameters: { strict_required_status_checks_policy: true, required_status_checks: [{ context: "validate" }] },
} as const;

/** A rule that wants a pull request, as a ruleset has it. */
function pulls(parameters: Readonly<Record<string, unknown>> = {}) {
  return {
    type: "pull_request",
    parameters: {
      dismiss_stale_reviews_on_push: false,
      require_code_owner_review: false,
      require_last_push_approval: false,
      required_approving_review_count: 0,
      required_review_thread_resolution: false,
      ...parameters,
    },
  };
}

function read(rules: readonly object[], update?: Parameters<typeof readRules>[2]) {
  return readRules(rules as Rules, { enabled: false }, update);
}

function describeThem(rules: readonly object[], given: Partial<Parameters<typeof describeRules>[1]> = {}) {
  const found = { branch: "main", rules: read(rules), settings: ALL, login: "ada", ...given };
  return describeRules({ mergeMethod: "squash", reviewers: [] }, found);
}

describe("the rules of a branch", () => {
  test("demand what any ruleset does, and allow the methods that all of them do", () => {
    const one = pulls({ required_approving_review_count: 1, allowed_merge_methods: ["merge", "squash"] });
    const two = pulls({
      required_approving_review_count: 2,
      require_code_owner_review: true,
      required_review_thread_resolution: true,
      dismiss_stale_reviews_on_push: true,
      require_last_push_approval: true,
      required_reviewers: [
        { reviewer: { id: 7, type: "Team" }, minimum_approvals: 2, file_patterns: ["*"] },
        { reviewer: { id: 8, type: "Team" }, minimum_approvals: 0, file_patterns: ["*.md"] },
      ],
      allowed_merge_methods: ["squash", "rebase"],
    });
    expect(read([CHECKS, one, two, { type: "required_signatures" }, { type: "required_linear_history" }])).toEqual({
      required: { names: ["validate"], apps: new Map(), strict: true },
      reviews: 2,
      codeOwners: true,
      lastPush: true,
      dismissesStale: true,
      teams: [{ id: 7, approvals: 2, patterns: ["*"] }],
      conversations: true,
      linear: true,
      signatures: true,
      methods: ["squash"],
      types: ["required_status_checks", "pull_request", "required_signatures", "required_linear_history"],
    });
  });

  test("leave open whether branches have to be up to date where only the older protection demands checks", () => {
    const classic = { enabled: true, required_status_checks: { contexts: ["test"], checks: [] } };
    expect(readRules([], classic).required).toEqual({ names: ["test"], apps: new Map(), strict: "unknown" });
    expect(readRules([CHECKS] as never, classic).required.strict).toBe(true);
  });

  test("include those of the older protection, as far as GitHub shows them", () => {
    const update = {
      requiredApprovingReviewCount: 3,
      requiresCodeOwnerReviews: true,
      requiresConversationResolution: true,
      requiresLinearHistory: true,
      requiresSignatures: true,
    };
    expect(read([], update)).toMatchObject({
      reviews: 3,
      codeOwners: true,
      conversations: true,
      linear: true,
      signatures: true,
      types: [],
    });
    expect(read([])).toMatchObject({ reviews: 0, codeOwners: false, linear: false, signatures: false });
  });

  test("are all named, also those that nobody knows yet", () => {
    const { rules, problems } = describeThem([CHECKS, { type: "max_file_size" }, { type: "phase_of_the_moon" }]);
    expect(rules).toEqual([
      "the check `validate` has to pass",
      "`required_status_checks`: checks have to pass",
      "`max_file_size`: files have a largest size",
      "`phase_of_the_moon`: unknown to Cairn",
    ]);
    expect(problems).toEqual([
      "Cairn does not know these rules of `main`, which may refuse changes: `phase_of_the_moon`.",
      "Cairn cannot see to these rules of `main`, which may refuse changes: `max_file_size`.",
    ]);
  });

  test("that let changes land in order are no problem", () => {
    expect(describeThem([CHECKS, pulls()]).problems).toEqual([]);
    const queue = { type: "merge_queue", parameters: { merge_method: "SQUASH" } };
    const lax = { ...CHECKS, parameters: { ...CHECKS.parameters, strict_required_status_checks_policy: false } };
    expect(describeThem([lax, queue], { settings: { squash: false, merge: false } }).problems).toEqual([]);
  });

  test.each([
    [[], {}, "No rule of `main` requires a check, so nothing can land."],
    [[CHECKS], { login: "github-actions[bot]" }, "what it pushes starts no workflow"],
    [[CHECKS], { settings: { squash: false, merge: true } }, "not allowed here: `merge` is used instead."],
    [[CHECKS], { settings: { squash: false, merge: false } }, "neither is possible"],
    [[CHECKS, pulls({ required_approving_review_count: 1 })], {}, "nobody is asked: CAIRN_GITHUB_REVIEWERS says whom"],
  ])("%j with %j are a problem that is said beforehand", (rules, given, problem) => {
    expect(describeThem(rules, given).problems).toEqual([expect.stringContaining(problem)]);
  });

  test("that want a team's approval are said, and warned of where they are about every change", () => {
    const team = (patterns: readonly string[]) =>
      pulls({
        required_reviewers: [{ reviewer: { id: 7, type: "Team" }, minimum_approvals: 2, file_patterns: patterns }],
      });
    expect(describeThem([CHECKS, team(["*"])])).toMatchObject({
      rules: expect.arrayContaining(["a change needs 2 approving reviews of the team with the number 7"]),
      problems: ["Every change waits for people: it needs 2 approving reviews of the team with the number 7."],
    });
    const some = "2 approving reviews of the team with the number 7 for files like `*.md`, `docs/*`";
    expect(describeThem([CHECKS, team(["*.md", "docs/*"])])).toMatchObject({
      rules: expect.arrayContaining([`a change needs ${some}`]),
      problems: [],
    });
    expect(toMergeNote(read([CHECKS, team(["*.md", "docs/*"])]))).toContain(`passes, and it has ${some}.`);
  });

  test("that take approvals back, or want somebody else than who has pushed, are said", () => {
    const rule = pulls({ dismiss_stale_reviews_on_push: true, require_last_push_approval: true });
    const other = "an approving review of somebody else than the last who has pushed";
    expect(describeThem([CHECKS, rule])).toEqual({
      rules: [
        "the check `validate` has to pass",
        `a change needs ${other}`,
        "a push to a change takes its approvals back, and Cairn asks for them again",
        "`required_status_checks`: checks have to pass",
        "`pull_request`: changes need a pull request",
      ],
      problems: [`A change needs ${other}, and nobody is asked: CAIRN_GITHUB_REVIEWERS says whom to ask.`],
    });
    expect(toMergeNote(read([CHECKS, rule]))).toContain(
      `it has ${other}. A push takes approvals back, and Cairn then asks for them again.`,
    );
  });

  test("that want the owners of code are warned of where nobody is named as one", () => {
    const rules = [CHECKS, pulls({ required_approving_review_count: 1, require_code_owner_review: true })];
    const unasked =
      "A change needs an approving review, one of those who own the code (`CODEOWNERS`), and nobody is asked: CAIRN_GITHUB_REVIEWERS says whom to ask.";
    const wanted = "A rule of `main` wants the approval of those who own the code, but";
    expect(describeThem(rules).problems).toEqual([
      `${wanted} none of \`.github/CODEOWNERS\`, \`CODEOWNERS\`, \`docs/CODEOWNERS\` is there to name them.`,
      unasked,
    ]);
    const owners = (text: string) => ({ owners: { path: "CODEOWNERS", codeOwners: readCodeOwners(text) } });
    expect(describeThem(rules, owners("* ada\n/docs/\n")).problems).toEqual([
      `${wanted} \`CODEOWNERS\` names none.`,
      unasked,
    ]);
    expect(describeThem(rules, owners("/docs/ @ada")).problems).toEqual([]);
  });
});

describe("the method to merge by", () => {
  test.each([
    ["squash", ALL, FREE, "squash"],
    ["merge", ALL, FREE, "merge"],
    ["merge", { squash: true, merge: false }, FREE, "squash"],
    ["squash", { squash: false, merge: true }, FREE, "merge"],
    ["merge", ALL, { linear: true }, "squash"],
    ["squash", ALL, { linear: false, methods: ["merge", "rebase"] }, "merge"],
    ["squash", { squash: false, merge: true }, { linear: true }, undefined],
    ["squash", ALL, { linear: false, methods: ["rebase"] }, undefined],
  ] as const)("wanted as %s, with the settings %j and the rules %j, is %s", (wanted, settings, rules, chosen) => {
    expect(chooseMethod(wanted, settings, rules)).toBe(chosen);
  });

  test("that is not there is explained by what keeps from it", () => {
    expect(explainNoMethod("main", { squash: false, merge: true }, { linear: true })).toBe(
      "Cairn merges by squash or with a merge commit, and neither is possible: the repository's settings switch off squash; `main` takes no merge commits. Allow squash merges.",
    );
  });
});

describe("a merge queue", () => {
  const gone = (reason: string, byPerson = false) => ({ reason, byPerson });
  const follow = (...removals: readonly ReturnType<typeof gone>[]) =>
    followQueue({ hasQueue: true, removals, decision: null, opinions: [], conversations: 0 });

  test("may let go of a commit once, and is asked again", () => {
    expect(follow()).toBeUndefined();
    expect(follow(gone("failed checks"))).toBeUndefined();
    expect(follow(gone("failed checks"), gone("failed checks"))).toEqual({
      outcome: "refused",
      reason: "GitHub's merge queue has let go of it 2 times: failed checks.",
    });
  });

  test("from which a person has taken a change is not asked again", () => {
    expect(follow(gone("manual", true))).toEqual({
      outcome: "blocked",
      reason: "Somebody has taken it out of GitHub's merge queue: manual.",
    });
  });
});
