import { CairnError, errorRow, toErrorBody } from "../errors.ts";
import type { Invoke } from "../kernel/call.ts";
import type { Origin } from "../kernel/origin.ts";
import type { Read, ReadCounter } from "../operations/count-reads.ts";
import type { Log } from "../log/log.ts";
import type { Provider } from "../resources/provider.ts";
import type { Store } from "../store/store.ts";
import type { Server, Version } from "../versions/version.ts";
import type { Exchange } from "./exchange.ts";
import { type Identity, toIdentity, toModernResult } from "./identity.ts";
import { type Answer, type Params, type RequestId, writeError, writeResult } from "./json-rpc.ts";
import { findFailure, type Methods } from "./method.ts";
import { createCompletionMethods } from "./methods/completion.ts";
import { createLegacyLifecycle, createModernLifecycle } from "./methods/lifecycle.ts";
import { createPromptMethods } from "./methods/prompts.ts";
import { createResourceMethods } from "./methods/resources.ts";
import { createResourceSubscriptionMethods, createSubscriptionMethods } from "./methods/subscriptions.ts";
import { createToolMethods } from "./methods/tools.ts";
import type { RequestStates } from "./request-state.ts";
import { createResourceWatch } from "./resource-watch.ts";

/** Methods that are counted as lists and reads, since they leave no record. */
const READS: ReadonlySet<string> = new Set([
  "initialize",
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
]);

/** A request as this layer sees it. */
export interface Request {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** One MCP server of one version: answers each request, whatever goes wrong. */
export type Endpoint = (request: Request, exchange: Exchange) => Promise<Answer>;

export interface EndpointOptions {
  readonly invoke: Invoke;
  readonly store: Store;
  readonly providers: Readonly<Record<string, Provider>>;
  readonly states: RequestStates;
  readonly createId: () => string;
  /** Hears of every list and read. */
  readonly onRead: ReadCounter["count"];
  readonly log: Log;
  /** Aborts when the service ends: streams that would stay open for ever are ended then. */
  readonly closing: AbortSignal;
}

/** Endpoints live as long as their version: everything that does not depend on the request is made here, once. */
export function createEndpoints(options: EndpointOptions): (version: Version, server: Server) => Endpoint {
  const endpoints = new WeakMap<Server, Endpoint>();
  return (version, server) => {
    let endpoint = endpoints.get(server);
    if (endpoint === undefined) {
      endpoint = createEndpoint(version, server, options);
      endpoints.set(server, endpoint);
    }
    return endpoint;
  };
}

function createEndpoint(version: Version, server: Server, options: EndpointOptions): Endpoint {
  const { createId, log } = options;
  const identity = toIdentity(version, server);
  const tables = createMethods(version, server, identity, options);
  return async ({ id, method, params }, exchange) => {
    const { modern, session } = exchange;
    // Only the errors of tools have numbers of their own; the protocol's errors keep those of JSON-RPC.
    const dual = server.errors === "protocol" && method === "tools/call";
    try {
      const methods = modern ? tables.modern : session === undefined ? tables.legacy : tables.session;
      if (!Object.hasOwn(methods, method)) {
        throw new CairnError("METHOD_NOT_FOUND", `The method \`${method.slice(0, 100)}\` does not exist here.`);
      }
      if (READS.has(method)) options.onRead(toRead(version, method, exchange));
      const result = await methods[method]?.(params, exchange, id);
      const failure = findFailure(result);
      if (failure !== undefined) return writeError(id, failure, { modern, dual });
      return writeResult(id, modern ? toModernResult(result, identity) : result);
    } catch (error) {
      const incident = createId();
      if (!errorRow(error).exposed) log.error({ err: error, incident, method }, "request failed");
      return writeError(id, toErrorBody(error, incident), { modern, dual });
    }
  };
}

function toRead({ commit, semver }: Version, method: string, { principal, origin }: Exchange): Read {
  const { tenant, actor } = principal;
  return { tenant, actor, commit, version: semver, method, ...pick(origin) };
}

function pick({ address, client }: Partial<Pick<Origin, "address" | "client">> = {}) {
  return { ...(address === undefined ? {} : { address }), ...(client === undefined ? {} : { client }) };
}

/** Creates the methods of each kind of revision; a method without a declared capability is missing. */
function createMethods(version: Version, server: Server, identity: Identity, options: EndpointOptions) {
  const { resources, resourceTemplates, prompts } = server;
  const watchResource = createResourceWatch(version, server, options.store);
  const shared: Methods = {
    ...createToolMethods(version, server, identity, options),
    ...(resources.length + resourceTemplates.length > 0
      ? createResourceMethods(version, server, identity, options.providers)
      : {}),
    ...(prompts.length > 0 ? createPromptMethods(version, server, identity, options.states, options.providers) : {}),
    ...(prompts.length + resourceTemplates.length > 0 ? createCompletionMethods(server) : {}),
  };
  const legacy: Methods = { ...createLegacyLifecycle(server, identity), ...shared };
  return {
    modern: {
      ...createModernLifecycle(server, identity),
      ...shared,
      ...createSubscriptionMethods(watchResource, options.closing),
    },
    legacy,
    session: { ...legacy, ...createResourceSubscriptionMethods(watchResource) },
  };
}
