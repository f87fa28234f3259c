import { describe, expect, test } from "vitest";
import { readRules } from "../../../../../server/forge/github/rules/branch-rules.ts";
import { toMergeNote } from "../../../../../server/forge/github/rules/merge-note.ts";

const CHECKS = {
  type: "required_status_checks",
  parameters: { strict_required_status_checks_policy: true, required_status_checks: [{ context: "validate" }] },
};

function note(...rules: readonly object[]): string {
  return toMergeNote(readRules(rules as Parameters<typeof readRules>[0], { enabled: false })).replace(/^## .*\n\n/, "");
}

describe("the note on a pull request", () => {
  test("says which checks and reviews it waits for", () => {
    const reviews = {
      type: "pull_request",
      parameters: { required_approving_review_count: 2, require_code_owner_review: true },
    };
    expect(note(CHECKS, reviews)).toBe(
      "Cairn merges it by itself once the check `validate` passes, and it has 2 approving reviews, one of those who own the code (`CODEOWNERS`).",
    );
    expect(note(reviews)).toBe(
      "Cairn merges it by itself once a rule of its base requires a check that passes, and it has 2 approving reviews, one of those who own the code (`CODEOWNERS`).",
    );
  });

  test("says what else has to happen, and which rules GitHub alone sees to", () => {
    expect(
      note({ type: "merge_queue" }, CHECKS, { type: "workflows" }, { type: "max_file_size" }, { type: "new" }),
    ).toBe(
      "Cairn puts it into the merge queue by itself once the check `validate` passes, and the workflows that a rule requires have passed. GitHub alone sees to other rules, and may refuse it: files have a largest size; `new`.",
    );
  });
});
