import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { auditLog, bodyKey, callsOfConversation, replaysOf } from "../../store/keys.ts";
import type { Json, Key, Store } from "../../store/store.ts";
import { type ChangeEvent, type createEventHead, toEventCommit } from "./audit-event.ts";
import { readWithRecords, toRecordKey } from "./read-log.ts";

const WHOLE = { from: 0, to: Number.MAX_SAFE_INTEGER };

export interface RedactOptions {
  readonly store: Store;
  readonly toHead: ReturnType<typeof createEventHead>;
  readonly now: () => number;
}

/**
 * Takes records away for good: of calls, denials or changes. What the log says of them stays, and proves nothing but
 * that there was something. NOT_FOUND when the log names no record of an id, or it was taken away before.
 */
export async function redact(
  { store, toHead, now }: RedactOptions,
  tenant: string,
  ids: ReadonlySet<string>,
  actor: string,
): Promise<void> {
  const dels: Key[] = [];
  const found = new Set<string>();
  for await (const { records } of readWithRecords(store, tenant, WHOLE)) {
    for (const record of records) {
      if (!ids.has(record.id) || record.value === undefined) continue;
      found.add(record.id);
      dels.push(toRecordKey(tenant, record), ...toIndexKeys(tenant, record.id, record.value));
      if (record.commit !== undefined) dels.push(bodyKey(tenant, record.commit, record.id));
    }
  }
  for await (const { key } of store.scan({ prefix: replaysOf(tenant) })) {
    if (found.has(String(key.at(-1)))) dels.push(key);
  }
  const missing = [...ids].find((id) => !found.has(id));
  if (missing !== undefined) {
    throw new CairnError(
      "NOT_FOUND",
      `The audit log of \`${tenant}\` has no record \`${missing}\` that is still kept.`,
    );
  }
  const records = [...found].sort();
  const change = { change: "record.redacted", actor, target: "records", details: { records } } as const;
  const event: ChangeEvent = { ...toHead(), kind: "change", tenant, at: now(), ...change };
  const { set, append } = toEventCommit([event]);
  const entry = { schemaVersion: 1, kind: "redaction", records };
  await store.commit({ del: dels, set, append: [{ log: auditLog(tenant), entry }, ...append] });
}

/** Lists the other keys that name the record of a later call of a conversation. */
function toIndexKeys(tenant: string, id: string, record: Json): Key[] {
  const conversation = isObject(record) ? record["conversationId"] : undefined;
  return typeof conversation === "string" && conversation !== id
    ? [[...callsOfConversation(tenant, conversation), id]]
    : [];
}
