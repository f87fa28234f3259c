import type { Caller } from "../../../auth/caller.ts";
import { hasScope } from "../../../auth/scopes.ts";
import { CairnError, ERRORS, isErrorName } from "../../../errors.ts";
import { isUuid } from "../../../identifiers.ts";
import { defined } from "../../../json/defined.ts";
import type { CallRecord } from "../../../kernel/record.ts";
import { loadConversation, toCallView } from "../../../resources/logs.ts";
import { type CallFilter, findCalls } from "../../../resources/find-calls.ts";
import { findProvider, type Provider } from "../../../resources/provider.ts";
import { findCalls as findRecords } from "../../../store/calls/find-calls.ts";
import { listElements } from "../../../store/list-elements.ts";
import type { Store } from "../../../store/store.ts";
import { callsKey } from "../../../store/use-keys.ts";
import { part, SIGNED_IN } from "../../create-route.ts";
import { toJsonDocument } from "../../document.ts";
import {
  CURSOR,
  readCursor,
  readIntegerParameter,
  readTextParameters,
  readTimeParameter,
  toCursor,
  toWrongParameter,
} from "../query-parameters.ts";
import { createMayReadCalls, type MayReadCallsOptions } from "./may-read-calls.ts";
import {
  CURSOR_PARAMETER,
  type Operation,
  SINCE_PARAMETER,
  toLimitParameter,
  toTextParameter,
  UNTIL_PARAMETER,
} from "./operation.ts";

export interface CallsOptions extends MayReadCallsOptions {
  readonly store: Pick<Store, "get" | "getMany" | "scan">;
  /** Resolves once the records of all calls that were answered are written. */
  readonly settled: () => Promise<void>;
  /** Views of the running service, by their names in manifests. */
  readonly providers: Readonly<Record<string, Provider>>;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TEXTS = {
  version: toTextParameter("Number or commit of a version"),
  tool: toTextParameter("Name of a tool"),
  actor: toTextParameter("Who called"),
  outcome: toTextParameter("`ok`, `failed`, or the name of an error"),
  conversation: toTextParameter("Id of a conversation"),
  text: toTextParameter("Part of the message of an error, or of a line of log"),
};

/** Creates the search of calls of the caller's tenant, and the transcript of one conversation. */
export function createCallsOperations(options: CallsOptions): readonly Operation[] {
  const { store, settled } = options;
  const toMayRead = createMayReadCalls(options);
  return [
    {
      path: "/calls",
      id: "find_calls",
      summary: "Calls of the caller's tenant with all versions, the newest first, with what they ran with and logged",
      access: SIGNED_IN,
      query: {
        ...TEXTS,
        since: SINCE_PARAMETER,
        until: UNTIL_PARAMETER,
        limit: toLimitParameter(DEFAULT_LIMIT, MAX_LIMIT),
        cursor: CURSOR_PARAMETER,
      },
      schema: "calls",
      async answer({ url }, caller) {
        const search = url.searchParams;
        const filter = readFilter(search);
        const limit = readIntegerParameter(search, "limit", DEFAULT_LIMIT, [1, MAX_LIMIT]);
        const before = readCursor(search, UUID);
        await settled();
        const { calls, next } = await findCalls(store, {
          tenant: caller.tenant,
          filter,
          mayRead: toMayRead(caller),
          limit,
          before,
        });
        return {
          document: toJsonDocument({
            calls: calls.map(toShown),
            ...(next === undefined ? {} : { next: toCursor(next) }),
          }),
        };
      },
    },
    {
      path: "/conversations/{id}",
      id: "get_conversation",
      summary: "One conversation: its calls in order, and what its tool remembers of it",
      access: SIGNED_IN,
      schema: "conversation",
      async answer(event, caller) {
        const id = part(event, "id");
        await settled();
        const all = isUuid(id) ? await findConversation(store, caller.tenant, id) : [];
        const mayRead = toMayRead(caller);
        const [first] = all;
        // Also of another tenant's: ids cannot be probed.
        if (first === undefined || !(await mayRead(first))) {
          throw new CairnError("NOT_FOUND", `There is no conversation \`${id.slice(0, 64)}\` for you.`);
        }
        const calls: CallRecord[] = [];
        for (const call of all) if (await mayRead(call)) calls.push(call);
        const { version, commit, server } = first;
        const memory = await findMemory(options, caller, first);
        return {
          document: toJsonDocument({ conversation_id: id, version, commit, server, calls: calls.map(toShown), memory }),
        };
      },
    },
  ];
}

function readFilter(search: URLSearchParams): CallFilter {
  const { outcome, ...texts } = readTextParameters(search, Object.keys(TEXTS), ["since", "until", "limit", CURSOR]);
  if (outcome !== undefined && outcome !== "ok" && outcome !== "failed" && !isErrorName(outcome)) {
    throw toWrongParameter("outcome", `must be ok, failed, or the name of an error: ${Object.keys(ERRORS).join(", ")}`);
  }
  return {
    ...texts,
    ...(outcome === "failed" ? { hasFailed: true } : defined({ outcome })),
    ...defined({ since: readTimeParameter(search, "since"), until: readTimeParameter(search, "until") }),
  };
}

async function findConversation(
  store: CallsOptions["store"],
  tenant: string,
  id: string,
): Promise<readonly CallRecord[]> {
  const commits = await Array.fromAsync(listElements(store, callsKey(tenant)));
  const found = await findRecords(
    store,
    tenant,
    commits.map((commit) => ({ commit, id })),
  );
  const commit = commits[found.findIndex((record) => record !== undefined)];
  return commit === undefined ? [] : loadConversation(store, { tenant, commit, id });
}

/** Reads what `session://` of the conversation's server would show this caller; null where it would show nothing. */
async function findMemory(
  options: CallsOptions,
  caller: Caller,
  { commit, server: name, id }: CallRecord,
): Promise<unknown> {
  if (!hasScope(caller, name)) return null;
  try {
    const { version } = await options.registry.resolve(commit);
    const server = version.servers.get(name);
    const template = server?.resourceTemplates.find(
      ({ source }) => source.kind === "provider" && source.provider === "session.read",
    );
    if (server === undefined || template === undefined || options.registry.retirements.refuse(version)) return null;
    const provide = findProvider(options.providers, "session.read");
    const principal = options.toPrincipal(version, caller);
    return await provide({ version, server, principal, uri: `session://${id}`, variables: { conversation_id: id } });
  } catch (error) {
    if (error instanceof CairnError) return null;
    throw error;
  }
}

function toShown(record: CallRecord) {
  const { server, address, client } = record;
  return { ...toCallView(record), server, ...defined({ address, client }) };
}
