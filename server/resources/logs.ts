import { CairnError } from "../errors.ts";
import { isUuid } from "../identifiers.ts";
import { type CallRecord, readCallRecord } from "../kernel/record.ts";
import { callsOfVersion } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { toCallView } from "./call-view.ts";
import { loadConversation } from "./load-conversation.ts";
import { mayUse, type Provider, type ResourceRequest, readBefore, readLimit, SCAN_LIMIT, toNext } from "./provider.ts";

/** `logs://recent{?limit,before}`: the newest calls of this version and server. */
export function createRecentLogs(store: Store): Provider {
  return async (request) => {
    const { version, server, principal } = request;
    const limit = readLimit(request);
    const calls: CallRecord[] = [];
    const prefix = callsOfVersion(principal.tenant, version.commit);
    const scan = { prefix, reverse: true, limit: SCAN_LIMIT, ...readBefore(request, prefix) };
    let [seen, last] = [0, ""];
    for await (const { value } of store.scan(scan)) {
      const record = readCallRecord(value);
      [seen, last] = [seen + 1, record.id];
      if (record.server === server.name && mayRead(request, record)) calls.push(record);
      if (calls.length === limit) break;
    }
    const isOver = calls.length < limit && seen < SCAN_LIMIT;
    return { calls: calls.map(toCallView), ...toNext(request.uri, limit, isOver ? undefined : last) };
  };
}

/** `logs://{conversation_id}`: every call of one conversation, in order. */
export function createConversationLogs(store: Store): Provider {
  return async (request) => {
    const { version, server, principal, uri, variables } = request;
    const { tenant } = principal;
    const id = variables["conversation_id"] ?? "";
    const calls = isUuid(id) ? await loadConversation(store, { tenant, commit: version.commit, id }) : [];
    const [first] = calls;
    if (first?.server !== server.name || !mayRead(request, first)) {
      throw new CairnError("NOT_FOUND", `There are no logs \`${uri}\` in this version.`, { details: { uri } });
    }
    return { conversation_id: id, calls: calls.filter((call) => mayRead(request, call)).map(toCallView) };
  };
}

/** Those who may use the tool, and whoever made the call, were it only to be refused. */
function mayRead(request: ResourceRequest, { tool, actor }: CallRecord): boolean {
  return mayUse(request, tool) || actor === request.principal.actor;
}
