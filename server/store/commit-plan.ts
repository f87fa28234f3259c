import type { Json } from "../json/types.ts";
import { assertJson, canonicalJson } from "../json/canonical-json.ts";
import { CairnError } from "../errors.ts";
import { encodeKey } from "./key-codec.ts";
import type { Commit, Key } from "./store.ts";

export const MAX_VALUE_BYTES = 8 * 1024 * 1024;
export const MAX_COMMIT_BYTES = 32 * 1024 * 1024;
export const MAX_COMMIT_OPERATIONS = 20_000;
export const MAX_COMMIT_ID_BYTES = 1_024;
export const COMMIT_IDS_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
export const MAX_LEASE_MS = 7 * 24 * 60 * 60 * 1_000;

/** Largest number of entries that one claim may lease. */
export const MAX_CLAIM = 1_000;

/** A commit, checked and encoded before any engine takes its lock: what is wrong with it is known with nothing begun. */
export interface CommitPlan {
  readonly checks: readonly { readonly key: Target; readonly rev: number }[];
  readonly renewals: readonly { readonly key: Target; readonly fence: number; readonly leaseMs: number }[];
  readonly sets: readonly { readonly key: Target; readonly body: Buffer; readonly ttl: number | undefined }[];
  readonly dels: readonly Target[];
  readonly adds: readonly {
    readonly key: Target;
    readonly delta: number;
    readonly min: number;
    readonly max: number;
  }[];
  /** `entry` is canonical JSON. */
  readonly appends: readonly { readonly log: string; readonly entry: string }[];
  readonly id: Buffer | undefined;
}

interface Target {
  readonly key: Key;
  readonly bytes: Buffer;
}

export function toCommitPlan(commit: Commit): CommitPlan {
  const plan: CommitPlan = {
    checks: (commit.check ?? []).map(({ key, rev }) => ({ key: toTarget(key), rev: integer("rev", rev, 0) })),
    renewals: (commit.renew ?? []).map(({ key, fence, leaseMs }) => ({
      key: toTarget(key),
      fence: integer("fence", fence, 1),
      leaseMs: integer("leaseMs", leaseMs, 1, MAX_LEASE_MS),
    })),
    sets: (commit.set ?? []).map((write) => ({
      key: toTarget(write.key),
      body: "json" in write ? Buffer.from(write.json) : encodeValue(write.value),
      ttl: write.ttl === undefined ? undefined : integer("ttl", write.ttl, 1),
    })),
    dels: (commit.del ?? []).map(toTarget),
    adds: (commit.add ?? []).map(({ key, delta, min = -Infinity, max = Infinity }) => {
      if (!Number.isFinite(delta)) throw refusal(`\`delta\` is \`${delta}\`; a finite number would be right.`);
      return { key: toTarget(key), delta, min, max };
    }),
    appends: (commit.append ?? []).map(({ log, entry }) => {
      encodeLogName(log);
      return { log, entry: canonicalJson(entry) };
    }),
    id: commit.id === undefined ? undefined : encodeId(commit.id),
  };
  assertSize(plan);
  assertOneWritePerKey(plan);
  return plan;
}

/** The bytes of an entry's key; unlike a prefix, it has at least one element. */
export function encodeEntryKey(key: Key): Buffer {
  const bytes = encodeKey(key);
  if (bytes.length === 0) throw refusal("The key `[]` is empty; at least one element would be right.");
  return bytes;
}

/** Entries of a log sort under this prefix by their sequence number. */
export function encodeLogName(log: string): Buffer {
  if (typeof log !== "string") throw refusal("The name of a log is not a string.");
  return encodeKey([log]);
}

/** Refuses what is not a whole number within the bounds. */
export function integer(name: string, value: number, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw refusal(`\`${name}\` is \`${String(value)}\`; a whole number from ${min} to ${max} would be right.`);
}

function toTarget(key: Key): Target {
  return { key, bytes: encodeEntryKey(key) };
}

/** Members keep their order, unlike in canonical JSON: what is read is what was written. */
function encodeValue(value: Json): Buffer {
  assertJson(value);
  return Buffer.from(JSON.stringify(value));
}

function encodeId(id: string): Buffer {
  const bytes = Buffer.from(id);
  if (id.isWellFormed() && bytes.length > 0 && bytes.length <= MAX_COMMIT_ID_BYTES) return bytes;
  throw refusal(`The commit's \`id\` is not a string of 1 to ${MAX_COMMIT_ID_BYTES} bytes.`);
}

function assertSize(plan: CommitPlan): void {
  const { checks, renewals, sets, dels, adds, appends } = plan;
  const operations = checks.length + renewals.length + sets.length + dels.length + adds.length + appends.length;
  if (operations > MAX_COMMIT_OPERATIONS) {
    throw refusal(`The commit has ${operations} operations, more than the ${MAX_COMMIT_OPERATIONS} it may have.`);
  }
  const sizes = [...sets.map(({ body }) => body.length), ...appends.map(({ entry }) => Buffer.byteLength(entry))];
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  if (largest > MAX_VALUE_BYTES) {
    throw refusal(`A value takes ${largest} bytes as JSON, more than the ${MAX_VALUE_BYTES} it may have.`);
  }
  const total = sizes.reduce((a, b) => a + b, 0);
  if (total > MAX_COMMIT_BYTES) {
    throw refusal(`The commit's values take ${total} bytes as JSON, more than the ${MAX_COMMIT_BYTES} they may have.`);
  }
}

/** Two writes of one key would depend on an order that a commit does not have. */
function assertOneWritePerKey({ renewals, sets, dels, adds }: CommitPlan): void {
  const seen = new Set<string>();
  for (const { key, bytes } of [...[...renewals, ...sets, ...adds].map((write) => write.key), ...dels]) {
    const text = bytes.toString("latin1");
    if (seen.has(text))
      throw refusal(`The commit writes the key \`${JSON.stringify(key)}\` twice; once would be right.`);
    seen.add(text);
  }
}

function refusal(message: string): CairnError {
  return new CairnError("BAD_REQUEST", message);
}
