import { randomBytes } from "node:crypto";
import { createIdentifiers } from "../../../../server/identifiers.ts";
import type { CallRecord } from "../../../../server/kernel/record.ts";

export const createId = createIdentifiers(Date.now);

export function toCallRecord(tenant: string, more: Partial<CallRecord> = {}): CallRecord {
  const id = more.id ?? createId();
  return {
    actor: "ada",
    commit: "c0ffee".padEnd(40, "0"),
    conversationId: id,
    durationMs: 3,
    id,
    inputDigest: "1".repeat(64),
    logs: [],
    outcome: "ok",
    outputDigest: "2".repeat(64),
    parameters: {},
    salt: randomBytes(16).toString("hex"),
    schemaVersion: 1,
    seed: "5eed".repeat(8),
    server: "runner",
    startedAt: 1_700_000_000_000,
    tenant,
    tool: "runner.chat",
    toolVersion: "1.0.0",
    version: "1.0.0",
    ...more,
  };
}
