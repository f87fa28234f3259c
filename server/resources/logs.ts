import { CairnError } from "../errors.ts";
import { isUuid } from "../identifiers.ts";
import { defined } from "../json/defined.ts";
import { type CallRecord, readCallRecord } from "../kernel/record.ts";
import { findCall, findCalls } from "../store/calls/find-calls.ts";
import { scanCalls } from "../store/calls/scan-calls.ts";
import { callsOfConversation } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { mayUse, type Provider, type ResourceRequest, readBefore, readLimit, SCAN_LIMIT, toNext } from "./provider.ts";
import { toTime } from "../text/to-time.ts";

/** `logs://recent{?limit,before}`: the newest calls of this version and server. */
export function createRecentLogs(store: Store): Provider {
  return async (request) => {
    const { version, server, principal } = request;
    const limit = readLimit(request);
    const calls: CallRecord[] = [];
    const of = { tenant: principal.tenant, commit: version.commit };
    let [seen, last] = [0, ""];
    for await (const value of scanCalls(store, of, { before: readBefore(request), limit: SCAN_LIMIT })) {
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

/** Shows the record of a call to those who may read it: what it ran with, what came of it, and its lines of log. */
export function toCallView(record: CallRecord) {
  return {
    id: record.id,
    conversation_id: record.conversationId,
    ...defined({ parent: record.parent }),
    tool: record.tool,
    tool_version: record.toolVersion,
    version: record.version,
    commit: record.commit,
    actor: record.actor,
    ...defined({ approval: record.approval }),
    ...defined({ request_id: record.requestId, environment: record.environment }),
    started_at: toTime(record.startedAt),
    duration_ms: record.durationMs,
    outcome: record.outcome,
    ...defined({ message: record.message }),
    parameters: record.parameters,
    logs: record.logs.map(({ at, ...line }) => ({ at: toTime(at), ...line })),
  };
}

/** Calls of one conversation that one read shows. */
const CALLS_OF_CONVERSATION_LIMIT = 1000;

/** Loads the calls of a conversation with one version, the first one first; none where there is no such conversation. */
export async function loadConversation(
  store: Pick<Store, "get" | "getMany" | "scan">,
  { tenant, commit, id }: { readonly tenant: string; readonly commit: string; readonly id: string },
): Promise<readonly CallRecord[]> {
  const first = await findCall(store, { tenant, commit, id });
  if (first === undefined) return [];
  const turns = { prefix: callsOfConversation(tenant, id), limit: CALLS_OF_CONVERSATION_LIMIT };
  // An index's key ends with the id of the call that it points to.
  const names = await Array.fromAsync(store.scan(turns), ({ key }) => ({ commit, id: String(key.at(-1)) }));
  const later = await findCalls(store, tenant, names);
  return [first, ...later].flatMap((value) => (value === undefined ? [] : [readCallRecord(value)]));
}
