import { hash } from "node:crypto";
import { canonicalJson } from "../../json/canonical-json.ts";
import { type RandomBytes, toHex } from "../../identifiers.ts";
import { createRecordReader } from "../../json/stored.ts";
import { auditLog, eventKey } from "../../store/keys.ts";
import type { Commit, Json, Write } from "../../store/store.ts";

/** Errors by which someone was kept from something, rather than told that the request makes no sense. */
export const DENIALS = [
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "INSUFFICIENT_SCOPE",
  "EGRESS_DENIED",
  "RATE_LIMITED",
  "SESSION_NOT_FOUND",
  "CONVERSATION_NOT_FOUND",
] as const;
export type DenialReason = (typeof DENIALS)[number];

/** Changes of the service, its versions or its tokens. */
export const CHANGES = [
  "token.made",
  "token.revoked",
  "secret.set",
  "secret.removed",
  "versions.refreshed",
  "tests.reported",
  "version.added",
  "version.quarantined",
  "tag.moved",
  "tag.deleted",
  "tag.restored",
  "labels.moved",
  "policies.revoked",
  "preview.opened",
  "preview.called",
  "preview.dropped",
  "dev.served",
  "record.redacted",
  "feedback.proposed",
  "feedback.landed",
  "feedback.tuned",
  "state.imported",
  "state.copied",
  "state.moved",
  "state.deleted",
  "work.approved",
  "work.rejected",
] as const;
export type ChangeName = (typeof CHANGES)[number];

export interface Change {
  readonly change: ChangeName;
  /** Whose log it goes into; absent: the service's own. */
  readonly tenant?: string;
  readonly actor: string;
  readonly target: string;
  readonly details?: { readonly [name: string]: Json };
}

interface Common {
  readonly schemaVersion: 1;
  readonly id: string;
  /** Without it nobody can tell from the digest in the log what a record said. */
  readonly salt: string;
  readonly tenant: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type ChangeEvent = Common & Omit<Change, "tenant"> & { readonly kind: "change" };
export type DenialEvent = Common & {
  readonly kind: "denial";
  readonly reason: DenialReason;
  readonly actor?: string;
  readonly address?: string;
  readonly until: number;
  readonly count: number;
};

export const readAuditEvent = createRecordReader<ChangeEvent | DenialEvent>("audit-event");

const SALT_BYTES = 16;

/** Makes the members that every record of an event has of its own. */
export function createEventHead(createId: () => string, randomBytes: RandomBytes) {
  return () => ({ schemaVersion: 1, id: createId(), salt: toHex(randomBytes(SALT_BYTES)) }) as const;
}

/** Writes events of one kind and one tenant: their records, and one entry that commits to them. */
export function toEventCommit(
  events: readonly (ChangeEvent | DenialEvent)[],
): Required<Pick<Commit, "set" | "append">> {
  const [first] = events;
  if (first === undefined) return { set: [], append: [] };
  const { tenant, kind } = first;
  const set: Write[] = [];
  const digests: { [id: string]: string } = {};
  for (const event of events) {
    const json = canonicalJson(event);
    set.push({ key: eventKey(tenant, event.id), json });
    digests[event.id] = hash("sha256", json);
  }
  return { set, append: [{ log: auditLog(tenant), entry: { schemaVersion: 1, kind, events: digests } }] };
}
