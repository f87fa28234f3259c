import { describe, expect, test } from "vitest";
import { toDeprecation } from "../../../../server/versions/retirement/deprecation.ts";
import { createRetirements } from "../../../../server/versions/registry/retirements.ts";
import { createIndex } from "../../../../server/versions/registry/version-index.ts";
import { createVerdicts } from "../../../../server/versions/registry/verdicts.ts";
import type { Alarms } from "../../../../server/versions/mirror/alarms.ts";
import type { Policy } from "../../../../server/versions/policy.ts";

const DAY = 24 * 60 * 60_000;
const RELEASED = Date.UTC(2027, 0, 1);
const COMMIT = "c".repeat(40);

function createAt(
  now: number,
  announced: Readonly<Record<string, Parameters<typeof toDeprecation>[0]>> = {},
  alarms: Alarms = new Map(),
) {
  const tag = (oid: string) => ({ oid, target: oid, type: "commit", createdAt: RELEASED });
  const index = createIndex({
    refs: new Map([
      ["refs/tags/v1.0.0", tag(COMMIT)],
      ["refs/tags/v2.0.0", tag("d".repeat(40))],
    ]),
    alarms,
    labels: new Map(),
    failed: new Map(),
    announced: {
      deprecations: new Map(Object.entries(announced).map(([semver, one]) => [semver, toDeprecation(one)])),
      deletedTags: new Set(),
    },
  });
  return createRetirements({ index: () => index, verdicts: createVerdicts(), dev: () => undefined, now: () => now });
}

describe("the end of a tool", () => {
  const past = toDeprecation({ since: "2020-01-01", sunset: "2020-06-01", reason: "Old." });

  test.each([
    [[], 90],
    [[{ noticeDays: 10 }, { noticeDays: 20 }], 20],
  ])("comes no sooner after the release than notices are long: %j", (policies, days) => {
    const version = { commit: COMMIT, policies: policies as unknown as readonly Policy[] };
    expect(createAt(0).findToolEnd(version, past)).toBe(RELEASED + days * DAY);
  });

  test("comes on its day where the release was long before, or is none", () => {
    const sunset = Date.UTC(2030, 0, 1);
    const later = toDeprecation({ since: "2029-01-01", sunset: "2030-01-01", reason: "Old." });
    expect(createAt(0).findToolEnd({ commit: COMMIT, policies: [] }, later)).toBe(sunset);
    expect(createAt(0).findToolEnd({ commit: "e".repeat(40), policies: [] }, later)).toBe(sunset);
  });
});

describe("the end of a version", () => {
  const end = { since: "2027-01-01", sunset: "2027-06-01", reason: "Old." };
  const version = { commit: COMMIT, semver: "1.0.0" };

  test("comes at the moment of its day, and not for previews", () => {
    const announced = { "1.0.0": { ...end, successor: "2.0.0" } };
    const sunset = Date.UTC(2027, 5, 1);
    expect([sunset - 1, sunset].map((now) => createAt(now, announced).isOver(version))).toEqual([false, true]);
    expect(createAt(sunset, announced).isOver({ ...version, preview: 7 })).toBe(false);
    expect(createAt(sunset, announced).refuse({ commit: "d".repeat(40), semver: "2.0.0" })).toBeUndefined();
  });

  test("does not come while the successor is not there", () => {
    const retirements = createAt(Infinity, { "1.0.0": { ...end, successor: "3.0.0" } });
    expect(retirements.isOver(version)).toBe(false);
    expect(retirements.listProblems().map(({ message }) => message)).toEqual([
      "1.0.0 goes on past the end of its service, because its successor 3.0.0 is not served.",
    ]);
  });
});

describe("the end of a version", () => {
  const end = { since: "2027-03-01", sunset: "2027-03-01", successor: "9.9.9", reason: "It deletes." };
  const version = { commit: COMMIT, semver: "1.0.0" };

  test("does not come while its successor is not served, unless it is yanked", () => {
    const now = Date.UTC(2027, 2, 2);
    const held = createAt(now, { "1.0.0": end });
    expect([held.isOver(version), held.listProblems().length]).toEqual([false, 1]);
    const yanked = createAt(now, { "1.0.0": { ...end, yanked: true } });
    expect([yanked.isOver(version), yanked.listProblems()]).toEqual([true, []]);
    expect(yanked.refuse(version)?.message).toBe(
      "Version 1.0.0 is yanked since 2027-03-01: It deletes. Use 9.9.9, at `/agent/9.9.9`.",
    );
  });

  test("does not come while the tag of its successor is deleted upstream, and says that this is why", () => {
    const successor = { "1.0.0": { ...end, successor: "2.0.0" } };
    const alarms: Alarms = new Map([
      ["v2.0.0", { kind: "deleted", commit: "d".repeat(40), since: "2027-02-01T00:00:00Z" }],
    ]);
    const [now, gone] = [Date.UTC(2027, 2, 2), createAt(Date.UTC(2027, 2, 2), successor, alarms)];
    expect(createAt(now, successor).isOver(version)).toBe(true);
    expect(gone.isOver(version)).toBe(false);
    expect(gone.listProblems().map(({ message }) => message)).toEqual([
      "1.0.0 goes on past the end of its service, because the tag of its successor 2.0.0 was deleted upstream.",
    ]);
  });
});
