import { describe, expect, test } from "vitest";
import { findObligation, findStrays } from "../../../../server/architect/pipeline/find-obligation.ts";
import type { Policy } from "../../../../server/versions/policy.ts";

const policy = (architect?: Policy["architect"]): Policy => ({
  name: "p",
  roles: new Map(),
  egress: [],
  limits: {},
  commands: [],
  file: "manifests/policies/p.yaml",
  ...(architect === undefined ? {} : { architect }),
});

describe("files that feedback can change", () => {
  test.each([
    "package.json",
    "server/app/app.ts",
    ".ci/run",
    ".env",
    "node_modules/x/index.js",
    "manifests",
    ".GitHub/workflows/ci.yaml",
    "versions.yaml.bak",
  ])("are not %s", (path) => {
    expect(findStrays(["manifests/a.yaml", path])).toEqual([path]);
  });

  test("are manifests, tools, schemas, tests, docs, versions.yaml and workflows", () => {
    const paths = ["manifests/a.yaml", "tools/a/b.ts", "schemas/x.json", "test/a.ts", "docs/a.md", "versions.yaml"];
    expect(findStrays([...paths, ".github/workflows/ci.yaml"])).toEqual([]);
  });
});

describe("what somebody has to approve", () => {
  test("is a major change, whatever the policies say", () => {
    expect(findObligation([policy({ merge: "minor", protected: [] })], "major", [])).toMatchObject({
      reasons: [expect.stringContaining("major")],
      isStrict: false,
    });
  });

  test.each([
    [undefined, "minor", 0],
    ["minor", "minor", 0],
    ["patch", "minor", 1],
    ["patch", "patch", 0],
    ["none", "patch", 1],
  ] as const)("with `merge: %s` and a %s change, has %i reasons", (merge, level, count) => {
    const policies = merge === undefined ? [policy()] : [policy({ merge, protected: [] })];
    expect(findObligation(policies, level, ["tools/a/b.ts"]).reasons).toHaveLength(count);
  });

  test("goes by the strictest of several policies", () => {
    const policies = [policy({ merge: "minor", protected: [] }), policy({ merge: "none", protected: [] })];
    expect(findObligation(policies, "patch", []).reasons).toHaveLength(1);
  });

  test("is what policies protect", () => {
    const policies = [policy({ merge: "minor", protected: ["tools/billing/**"] })];
    expect(findObligation(policies, "patch", ["tools/billing/pay.ts"])).toMatchObject({ isStrict: false });
    expect(findObligation(policies, "patch", ["tools/billing/pay.ts"]).reasons).toEqual([
      "It changes `tools/billing/pay.ts`, which is protected.",
    ]);
    expect(findObligation(policies, "patch", ["tools/other/pay.ts"]).reasons).toEqual([]);
  });

  test.each([
    "manifests/policies/access.yaml",
    ".github/workflows/ci.yaml",
    "docs/CODEOWNERS",
    "docs/keys/allowed_signers",
  ])("is always, and by somebody else, %s", (path) => {
    expect(findObligation([], "patch", [path])).toMatchObject({ reasons: [expect.any(String)], isStrict: true });
  });

  test("is what others see to be of concern, and what may not be meant, by somebody else", () => {
    const concerns = ["It adds the check `word`."];
    expect(findObligation([], "patch", [], { concerns })).toMatchObject({ reasons: concerns, isStrict: true });
    const doubts = ["It may not be meant."];
    expect(findObligation([], "patch", [], { doubts })).toMatchObject({ reasons: doubts, isStrict: true });
  });
});
