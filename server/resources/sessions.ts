import type { Json } from "../json/types.ts";
import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import { isUuid } from "../identifiers.ts";
import { sessionKey, sessionsOf } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { toTime } from "../text/to-time.ts";
import { mayUse, type Provider, readBefore, readLimit, SCAN_LIMIT, toNext } from "./provider.ts";
import type { SessionRecord } from "../kernel/conversation.ts";
import { readSessionRecord } from "../kernel/conversation.ts";

/** `session://{conversation_id}`: what the conversation remembers. */
export function createSessionReader(store: Store): Provider {
  return async (request) => {
    const { version, server, principal, uri, variables } = request;
    const id = variables["conversation_id"] ?? "";
    const entry = isUuid(id) ? await store.get(sessionKey(principal.tenant, version.commit, id)) : undefined;
    const record = entry && readSessionRecord(entry.value);
    if (record?.server !== server.name || !mayUse(request, record.tool)) {
      throw new CairnError("NOT_FOUND", `There is no session \`${uri}\` in this version.`, { details: { uri } });
    }
    return { ...toObject(record.value), ...toSummary(record), version: version.semver, commit: version.commit };
  };
}

/** `session://index{?limit,before}`: the newest conversations of this version and server. */
export function createSessionIndex(store: Store): Provider {
  return async (request) => {
    const { version, server, principal } = request;
    const limit = readLimit(request);
    const sessions: SessionRecord[] = [];
    const prefix = sessionsOf(principal.tenant, version.commit);
    const before = readBefore(request);
    const after = before === undefined ? {} : { after: [...prefix, before] };
    const scan = { prefix, reverse: true, limit: SCAN_LIMIT, ...after };
    let [seen, last] = [0, ""];
    for await (const { value } of store.scan(scan)) {
      const record = readSessionRecord(value);
      [seen, last] = [seen + 1, record.conversationId];
      if (record.server === server.name && mayUse(request, record.tool)) sessions.push(record);
      if (sessions.length === limit) break;
    }
    const isOver = sessions.length < limit && seen < SCAN_LIMIT;
    return {
      sessions: sessions.map((record) => ({ uri: `session://${record.conversationId}`, ...toSummary(record) })),
      ...toNext(request.uri, limit, isOver ? undefined : last),
    };
  };
}

/** Characters of a title that are shown. */
const TITLE_LIMIT = 200;

function toSummary({ conversationId, tool, createdAt, updatedAt, calls, value }: SessionRecord) {
  // What a conversation is about is for its handler to say.
  const { title } = toObject(value);
  return {
    conversation_id: conversationId,
    ...(typeof title === "string" ? { title: title.slice(0, TITLE_LIMIT).toWellFormed() } : {}),
    tool,
    created_at: toTime(createdAt),
    updated_at: toTime(updatedAt),
    calls,
  };
}

/** Handlers remember what they like; an object's own keys (turns, summary, flags, ...) are shown as they are. */
function toObject(value: Json): { readonly [name: string]: Json } {
  if (value === null) return {};
  return isObject(value) ? (value as { readonly [name: string]: Json }) : { value };
}
