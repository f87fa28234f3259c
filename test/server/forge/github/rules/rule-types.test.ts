import { describe, expect, test } from "vitest";
import { readRules } from "../../../../../server/forge/github/rules/branch-rules.ts";
import { RULE_TYPES } from "../../../../../server/forge/github/rules/rule-types.ts";
import { toMergeNote } from "../../../../../server/forge/github/rules/merge-note.ts";
import { GITHUB_INTERFACE } from "../../../../stand-ins/github/interface.ts";

describe("the types of rules", () => {
  test("are those that GitHub publishes for branches, each and no other", () => {
    const published = GITHUB_INTERFACE.listTypes("repository-rule-detailed");
    expect(published.length).toBeGreaterThan(20);
    expect(Object.keys(RULE_TYPES).toSorted()).toEqual(published);
  });

  test("that may refuse a change are all named on its pull request, and no others", () => {
    for (const [type, { meaning, awaits, isBeyond = false }] of Object.entries(RULE_TYPES)) {
      const checks = {
        type: "required_status_checks",
        parameters: { strict_required_status_checks_policy: true, required_status_checks: [{ context: "test" }] },
      };
      const rules = readRules([checks, { type }] as Parameters<typeof readRules>[0], { enabled: false });
      const [, note = ""] = toMergeNote(rules).split("once the check `test` passes");
      const rest =
        awaits === undefined
          ? `. GitHub alone sees to other rules, and may refuse it: ${meaning}.`
          : `, and ${awaits}.`;
      expect([type, note]).toEqual([type, isBeyond ? rest : "."]);
    }
  });
});
