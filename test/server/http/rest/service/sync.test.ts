import { expect, test } from "vitest";
import { createSyncOperation } from "../../../../../server/http/rest/service/sync.ts";
import type { RegistryStatus } from "../../../../../server/versions/registry/registry-types.ts";
import { answerOperation } from "./answer-operation.ts";

const CALLER = { tenant: "acme", actor: "ada", roles: [], scopes: new Set(["metrics:read"]) };
const AT = "2026-01-31T12:00:00.000Z";
const PROBLEM = { file: "versions.yaml", line: 3, column: 1, rule: "label", message: "It is nowhere.", fix: "Tag it." };
const STATUS: RegistryStatus = {
  upstream: "https://git.example/agent.git",
  lastSuccess: AT,
  lastFailure: { at: AT, message: "It was away." },
  syncs: { succeeded: 5, failed: 1 },
  versions: 4,
  unverified: 1,
  quarantined: 1,
  quarantinedVersions: ["1.3.0"],
  unreplaced: 0,
  pullRequests: 2,
  open: 1,
  alarms: new Map([["v1.0.0", { kind: "deleted", commit: "a".repeat(40), since: AT }]]),
  missing: new Map([["1.5.0", "its object is not there"]]),
  labels: new Map([["stable", "1.2.0"]]),
  labelProblems: [PROBLEM],
  revokedProblems: [],
};

test("the state of the repository is told with what was read, what could not be, and what waits", async () => {
  const operation = createSyncOperation({ registry: { status: () => STATUS } });
  expect(operation.access).toBe("metrics:read");
  expect(await answerOperation(operation, CALLER)).toEqual({
    upstream: "https://git.example/agent.git",
    syncs: { succeeded: 5, failed: 1 },
    last_success: AT,
    last_failure: { at: AT, message: "It was away." },
    versions: { served: 2, unverified: 1, quarantined: 1 },
    pull_requests: 2,
    labels: { stable: "1.2.0" },
    label_problems: [{ file: "versions.yaml", line: 3, column: 1, message: "It is nowhere.", fix: "Tag it." }],
    alarms: [{ tag: "v1.0.0", kind: "deleted" }],
    missing: [{ version: "1.5.0", reason: "its object is not there" }],
  });
  await expect(async () => answerOperation(operation, CALLER, "?of=1")).rejects.toMatchObject({ name: "BAD_REQUEST" });
});
