import fc from "fast-check";
import { SemVer } from "semver";
import { describe, expect, it } from "vitest";
import { createClaim } from "../../../server/semver/claim.ts";
import { compareVersions } from "../../../server/semver/compare-versions.ts";
import { LEVELS } from "../../../server/semver/level.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

describe("a claim", () => {
  it.each([
    ["1.5.3", "1.5.4", "patch"],
    ["1.5.3", "1.6.0", "minor"],
    ["1.5.3", "1.9.7", "minor"],
    ["1.5.3", "2.0.0", "major"],
    ["1.5.3", "1.5.3", "none"],
    ["1.5.3", "1.5.2", "none"],
    ["1.5.3", "1.6.0-rc.1", "minor"],
    ["1.5.3", "2.0.0-rc.1", "major"],
    ["1.5.3", "1.5.3-rc.1", "none"],
    ["1.6.0-rc.1", "1.6.0-rc.2", "major"],
    ["1.6.0-rc.1", "1.6.0", "major"],
    ["0.2.3", "0.2.4", "minor"],
    ["0.2.3", "0.3.0", "major"],
    ["0.2.3", "1.0.0", "major"],
  ])("from %s to %s is for a change as large as %s", (from, to, claimed) => {
    expect(createClaim(from, to, "none").claimed).toBe(claimed);
  });

  it.each([
    ["1.5.3", "major", "2.0.0"],
    ["1.5.3", "minor", "1.6.0"],
    ["1.5.3", "patch", "1.5.4"],
    ["1.5.3", "none", "1.5.3"],
    ["0.2.3", "major", "0.3.0"],
    ["0.2.3", "minor", "0.2.4"],
    ["0.2.3", "patch", "0.2.4"],
    ["1.6.0-rc.1", "major", "1.6.0-rc.2"],
  ] as const)("after %s, for a %s change, must be %s", (from, required, needed) => {
    expect(createClaim(from, from, required)).toMatchObject({ needed, isKept: required === "none" });
  });

  it("is kept by the version it says is needed, and by none below", () => {
    const number = fc.nat({ max: 12 });
    const version = fc.tuple(number, number, number).map((parts) => parts.join("."));
    fc.assert(
      fc.property(version, version, fc.constantFrom(...LEVELS), (from, to, required) => {
        const { needed, isKept } = createClaim(from, to, required);
        expect(createClaim(from, needed, required).isKept).toBe(true);
        if (isKept && required !== "none") expect(new SemVer(to).compare(needed)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("[G5] a tool's own version", () => {
  const tool = { name: "runner.a", server: "runner" } as const;
  const versionOf = (semver: string, overrides: object) =>
    createTestVersion({
      semver,
      tools: [{ ...tool, ...overrides }],
      modules: { "tools/runner/a.ts": "export default 1;" },
    });

  it("has to follow the same rules as the tree's", () => {
    const before = versionOf("1.0.0", {});
    const { claims } = compareVersions(before, versionOf("2.0.0", { version: "1.1.0", idempotent: false }));
    expect(claims).toMatchObject([
      { from: "1.0.0", to: "2.0.0", required: "major", isKept: true },
      {
        tool: "runner.a",
        from: "1.0.0",
        to: "1.1.0",
        claimed: "minor",
        required: "major",
        isKept: false,
        needed: "2.0.0",
      },
    ]);
  });

  it("says too little when the tool changes and it does not", () => {
    const before = versionOf("1.0.0", {});
    const difference = compareVersions(before, versionOf("1.0.1", { description: "Another." }));
    expect(difference).toMatchObject({ required: "patch", isUnderClaimed: true });
    expect(compareVersions(before, versionOf("1.0.1", { description: "Another.", version: "1.0.1" }))).toMatchObject({
      isUnderClaimed: false,
    });
  });

  it("has nothing to say of a new tool, or of a host API that only handlers see", () => {
    const before = versionOf("1.0.0", {});
    const grown = createTestVersion({ semver: "1.1.0", tools: [tool, { name: "runner.b", server: "runner" }] });
    const after = { ...grown, agent: { ...grown.agent, hostApi: "1.1.0" }, program: before.program };
    const { claims, findings } = compareVersions(before, after);
    expect(findings.map(({ level, rule }) => [level, rule])).toEqual([
      ["minor", "tool-added"],
      ["patch", "host-api-changed"],
    ]);
    expect(claims).toMatchObject([{ required: "minor", isKept: true }]);
  });
});
