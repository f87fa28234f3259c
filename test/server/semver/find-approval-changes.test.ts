import { describe, expect, test } from "vitest";
import type { Approval } from "../../../server/versions/policy.ts";
import { findApprovalChanges } from "../../../server/semver/find-approval-changes.ts";
import { createTestTool } from "../../helpers/test-version.ts";

const amounts = (...allowed: readonly number[]): Approval["when"] => ({
  type: "object",
  required: ["amount"],
  properties: { amount: { enum: allowed } },
});
const approval = (by: string, ...allowed: readonly number[]): Approval => ({
  when: amounts(...allowed),
  by,
  expiresSeconds: 60,
  check: (value) => (allowed.includes((value as { amount: number }).amount) ? [] : [{ path: "", message: "other" }]),
  file: `manifests/policies/${by}.yaml`,
  path: ["approvals", "calls", 0],
});
const find = (old: readonly Approval[], young: readonly Approval[]) => {
  const tool = (approvals: readonly Approval[]) => createTestTool({ name: "pay", server: "bank", approvals });
  return findApprovalChanges(tool(old), tool(young)).map(({ rule, message, place }) => [rule, message, place.file]);
};

describe("approvals of one tool by several manifests", () => {
  const [boss, more, auditor] = [approval("boss", 1), approval("boss", 1, 2), approval("auditor", 1)];

  test.each([
    ["the order of them", [boss, auditor], [auditor, boss]],
    ["one that another includes", [more], [more, boss]],
  ])("say nothing of %s", (_what, old, young) => {
    expect(find(old, young)).toEqual([]);
  });

  test.each([
    ["a second role", [boss], [boss, auditor], "call-approval-added", "by a `auditor` is needed as well"],
    ["a role less", [boss, auditor], [boss], "call-approval-removed", "by a `auditor` is not needed any more"],
    ["another role", [boss], [auditor], "call-approval-changed", "is up to a `auditor`, and was up to a `boss`"],
    [
      "more inputs of one of two roles",
      [boss, approval("auditor", 1, 2)],
      [more, approval("auditor", 1, 2)],
      "call-approval-added",
      "by a `boss` is needed for more inputs, or may be",
    ],
    [
      "fewer inputs of one of two roles",
      [more, approval("auditor", 1, 2)],
      [boss, approval("auditor", 1, 2)],
      "call-approval-removed",
      "by a `boss` is needed for fewer inputs",
    ],
    [
      "a role for inputs that the one it takes the place of did not decide about",
      [approval("clerk", 1), more],
      [approval("auditor", 2), more],
      "call-approval-added",
      "by a `auditor` is needed as well",
    ],
  ])("say of %s what it is", (_what, old, young, rule, what) => {
    expect(find(old, young).map(([found, message]) => [found, message])).toEqual([
      [rule, `An approval of calls of \`pay\` ${what}.`],
    ]);
  });

  test("are found where the policy says them", () => {
    expect(find([], [boss])[0]?.[2]).toBe("manifests/policies/boss.yaml");
    expect(find([boss], [boss, approval("auditor", 3)])).toEqual([
      ["call-approval-added", "An approval of calls of `pay` is needed for more inputs, or may be.", auditor.file],
      ["call-approval-added", "An approval of calls of `pay` by a `auditor` is needed as well.", auditor.file],
    ]);
  });
});
