/** A record that an entry vouches for. */
export interface NamedRecord {
  readonly id: string;
  /** SHA-256 of the record's canonical JSON, in hexadecimal. */
  readonly digest: string;
  /** Of the version that answered, when it is the record of a call. */
  readonly commit?: string;
}

/** Content of an entry of the audit log; `schemas/audit-entry.schema.json` has its form. */
export type AuditEntry =
  | { readonly kind: "calls" | "denial" | "change"; readonly records: readonly NamedRecord[] }
  | { readonly kind: "redaction"; readonly ids: readonly string[] };

/** Reads the `entry` of a link; nothing when it is none of an audit log. Records come in the order they are named in. */
export function readAuditEntry(value: unknown): AuditEntry | undefined {
  if (!isObject(value)) return undefined;
  const { kind, calls, events, records } = value;
  if (kind === "calls" && isObject(calls)) {
    const named: NamedRecord[] = [];
    for (const commit in calls) {
      const ofCommit = calls[commit];
      if (!isObject(ofCommit)) return undefined;
      for (const id in ofCommit) named.push({ id, digest: String(ofCommit[id]), commit });
    }
    return { kind, records: named };
  }
  if ((kind === "denial" || kind === "change") && isObject(events)) {
    return { kind, records: Object.entries(events).map(([id, digest]) => ({ id, digest: String(digest) })) };
  }
  if (kind === "redaction" && Array.isArray(records)) return { kind, ids: records.map(String) };
  return undefined;
}

/** The line that stands for a record that was taken away. */
export function toTombstone(id: string): string {
  return `{"redacted":${JSON.stringify(id)}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
