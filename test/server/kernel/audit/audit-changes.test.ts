import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Audit } from "../../../../server/kernel/audit/audit.ts";
import { auditChanges } from "../../../../server/kernel/audit/audit-changes.ts";
import { type Change, CHANGES, DENIALS } from "../../../../server/kernel/audit/audit-event.ts";
import type { Registry, RegistryEvent } from "../../../../server/versions/registry/registry-types.ts";
import { NOTHING_REVOKED } from "../../../../server/versions/revoked.ts";
import type { VersionRecord } from "../../../../server/versions/record.ts";

const COMMIT = "c".repeat(40);
const record = { tag: "v1.0.0", commit: COMMIT } as VersionRecord;

/** What the audit is told of an event. */
function toldOf(event: RegistryEvent): readonly Change[] {
  const told: Change[] = [];
  const audit = { changed: async (change: Change) => void told.push(change) } as unknown as Audit;
  const registry = { subscribe: (listener: (event: RegistryEvent) => void) => (listener(event), () => undefined) };
  auditChanges(registry as unknown as Registry, audit, (error) => {
    throw error;
  });
  return told;
}

describe("what becomes of versions", () => {
  const since = "2026-01-01T00:00:00Z";
  test.each<[RegistryEvent, string, string]>([
    [{ kind: "added", record }, "version.added", "v1.0.0"],
    [{ kind: "quarantined", record }, "version.quarantined", "v1.0.0"],
    [
      { kind: "alarm", tag: "v1.0.0", alarm: { kind: "moved", commit: COMMIT, upstreamCommit: "d".repeat(40), since } },
      "tag.moved",
      "v1.0.0",
    ],
    [{ kind: "alarm", tag: "v1.0.0", alarm: { kind: "deleted", commit: COMMIT, since } }, "tag.deleted", "v1.0.0"],
    [{ kind: "alarm-over", tag: "v1.0.0" }, "tag.restored", "v1.0.0"],
    [{ kind: "labels", labels: new Map([["stable", "1.0.0"]]) }, "labels.moved", "labels"],
    [
      {
        kind: "revoked",
        revoked: { ...NOTHING_REVOKED, roles: ["guest"], commands: [{ program: "git", arguments: ["push"] }] },
      },
      "policies.revoked",
      "policies",
    ],
    [{ kind: "dev", commit: COMMIT }, "dev.served", COMMIT],
  ])("is in the audit: %j", (event, change, target) => {
    expect(toldOf(event)).toEqual([expect.objectContaining({ actor: "upstream", change, target })]);
  });

  test("is not, where nothing came of it", () => {
    expect(toldOf({ kind: "sync-failed", message: "no" })).toEqual([]);
  });

  test("has names that its schema knows, all of them", () => {
    const schema = JSON.parse(readFileSync("schemas/audit-event.schema.json", "utf8"));
    const [denial, change] = schema.oneOf;
    expect([denial.properties.reason.enum, change.properties.change.enum]).toEqual([[...DENIALS], [...CHANGES]]);
  });
});
