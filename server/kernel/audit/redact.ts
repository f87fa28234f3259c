import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { CallName } from "../../store/calls/find-calls.ts";
import { prepareRemoval } from "../../store/calls/remove-calls.ts";
import { auditLog, bodyKey, callsOfConversation, eventKey, replaysOf } from "../../store/keys.ts";
import type { Key, Store } from "../../store/store.ts";
import { type ChangeEvent, type createEventHead, toEventCommit } from "./audit-event.ts";
import { ATTEMPT_LIMIT, repeatStale } from "../transaction.ts";
import { type AuditedRecord, readWithRecords } from "./read-log.ts";

const WHOLE = { from: 0, to: Number.MAX_SAFE_INTEGER };

export interface RedactOptions {
  readonly store: Store;
  readonly toHead: ReturnType<typeof createEventHead>;
  readonly now: () => number;
}

/**
 * Takes records away for good: of calls, denials or changes. What the log says of them stays, and proves nothing but
 * that there was something. NOT_FOUND when the log names no record of an id, or it was taken away before; CONFLICT when
 * others kept taking records away that are stored beside them.
 */
export async function redact(
  { store, toHead, now }: RedactOptions,
  tenant: string,
  ids: ReadonlySet<string>,
  actor: string,
): Promise<void> {
  const dels: Key[] = [];
  const calls: CallName[] = [];
  const found = new Set<string>();
  for await (const { records } of readWithRecords(store, tenant, WHOLE)) {
    for (const record of records) {
      if (!ids.has(record.id) || record.value === undefined) continue;
      found.add(record.id);
      if (record.commit !== undefined) calls.push({ commit: record.commit, id: record.id });
      dels.push(...toOtherKeys(tenant, record));
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
  const attempt = async () => {
    const removal = await prepareRemoval(store, tenant, calls);
    return store.commit({
      check: removal.check,
      set: [...removal.set, ...set],
      del: [...removal.del, ...dels],
      append: [{ log: auditLog(tenant), entry }, ...append],
    });
  };
  if ((await repeatStale(attempt, ({ ok }) => !ok)).ok) return;
  throw new CairnError("CONFLICT", `Others took records away ${ATTEMPT_LIMIT} times meanwhile; nothing was done.`);
}

/** Lists what else is stored under the id of a record: that of an event itself, a call's body, and its place in its conversation. */
function toOtherKeys(tenant: string, { commit, id, value }: AuditedRecord): readonly Key[] {
  if (commit === undefined) return [eventKey(tenant, id)];
  const conversation = isObject(value) ? value["conversationId"] : undefined;
  const isLater = typeof conversation === "string" && conversation !== id;
  return [bodyKey(tenant, commit, id), ...(isLater ? [[...callsOfConversation(tenant, conversation), id]] : [])];
}
