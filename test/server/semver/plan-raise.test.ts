import fc from "fast-check";
import { compareVersions } from "../../../server/semver/compare-versions.ts";
import { createClaim } from "../../../server/semver/claim.ts";
import { isAtLeast, largest, LEVELS } from "../../../server/semver/level.ts";
import { planRaise, toRelease } from "../../../server/semver/plan-raise.ts";
import { describe, expect, test } from "vitest";
import { createTestTool, createTestVersion } from "../../helpers/test-version.ts";

const GREET = { name: "runner.greet", server: "runner" } as const;
const AT = Date.UTC(2026, 5, 1, 12, 0, 0, 500);

/** Two versions whose only tool has, and has not, another description. */
function change(semver: string, now = semver, tool = "1.0.0") {
  const before = createTestVersion({ semver, tools: [GREET] });
  const after = createTestVersion({ semver: now, tools: [{ ...GREET, description: "Greets.", version: tool }] });
  return { before, after, difference: compareVersions(before, after) };
}

describe("planning which numbers are raised", () => {
  test("raises the tree, and tools where that is wanted, and says what changed", () => {
    const { before, after, difference } = change("1.4.2");
    const plan = planRaise(difference, before, after, { tools: false });
    expect(plan).toEqual({
      current: "1.4.3",
      tools: [],
      changes: [
        'Reworded: The description of the tool `runner.greet` is `"Greets."`, and was `"What runner.greet does."`.',
      ],
    });
    expect(planRaise(difference, before, after, { tools: true })).toEqual({
      ...plan,
      tools: [{ file: createTestTool(GREET).file, version: "1.0.1" }],
    });
  });

  test("raises by more where more is asked for, tools that changed as well", () => {
    const { before, after, difference } = change("1.4.2");
    expect(planRaise(difference, before, after, { tools: true, least: "minor" })).toMatchObject({
      current: "1.5.0",
      tools: [{ version: "1.1.0" }],
    });
  });

  test("leaves numbers alone that say enough, unless they stand for something else", () => {
    const { before, after, difference } = change("1.4.2", "1.5.0", "1.0.1");
    expect(planRaise(difference, before, after, { tools: true })).toMatchObject({ tools: [] });
    expect(planRaise(difference, before, after, { tools: true }).current).toBeUndefined();
    const taken = (semver: string) => ["1.4.3", "1.5.0"].includes(semver);
    expect(planRaise(difference, before, after, { tools: true, taken }).current).toBe("1.4.4");
    const same = createTestVersion({ semver: "1.4.2", tools: [GREET] });
    const nothing = compareVersions(before, same);
    expect(planRaise(nothing, before, same, { tools: true, taken: () => true })).toEqual({ tools: [], changes: [] });
  });

  test("always ends with a number that is free and says as much as is needed and asked for", () => {
    const number = fc.integer({ min: 0, max: 3 });
    const semver = fc
      .tuple(number, number, number, fc.constantFrom("", "-rc.1", "-beta"))
      .map(([major, minor, patch, name]) => `${major}.${minor}.${patch}${name}`);
    const level = fc.constantFrom(...LEVELS);
    fc.assert(
      fc.property(semver, semver, level, level, fc.uniqueArray(semver), (from, to, required, least, names) => {
        const [before, after] = [createTestVersion({ semver: from }), createTestVersion({ semver: to })];
        const taken = (name: string) => names.includes(name);
        const { current } = planRaise({ claims: [], findings: [], required }, before, after, {
          tools: false,
          least,
          taken,
        });
        const end = current ?? to;
        expect(createClaim(from, end, largest([required, least])).isKept).toBe(true);
        if (end !== from) expect(taken(end)).toBe(false);
        if (isAtLeast(required, "patch")) expect(end).not.toBe(from);
      }),
    );
  });

  test("has a release say what it was made from and when, and takes the place of a number nobody has", () => {
    const { before, after } = change("1.4.2", "1.4.3");
    const about = { isReleased: false, changes: ["One."], now: AT };
    const release = { version: "2.0.0", parent: "1.4.2", date: "2026-06-01T12:00:00Z", changes: ["One."] };
    expect(toRelease("2.0.0", before, after, about)).toEqual({ ...release, replaced: "1.4.3" });
    expect(toRelease("2.0.0", before, after, { ...about, isReleased: true })).toEqual({
      ...release,
      replaced: undefined,
    });
    expect(toRelease("2.0.0", before, before, about)).toEqual({ ...release, replaced: undefined });
  });
});
