import { CairnError, errorRow, toErrorBody } from "../errors.ts";
import type { Invoke } from "../invoke/call.ts";
import type { Log } from "../log.ts";
import type { Provider } from "../resources/provider.ts";
import type { Server, Version } from "../versions/version.ts";
import { type Message, writeError, writeResult } from "./json-rpc.ts";
import { type Caller, findFailure, type Methods } from "./method.ts";
import { createLifecycleMethods } from "./methods/lifecycle.ts";
import { createPromptMethods } from "./methods/prompts.ts";
import { createResourceMethods } from "./methods/resources.ts";
import { createToolMethods } from "./methods/tools.ts";

/** One MCP server of one version: takes a message, answers with the JSON text to send, or with nothing. */
export type Endpoint = (message: Message, caller: Caller) => Promise<string | undefined>;

export interface EndpointOptions {
  readonly invoke: Invoke;
  readonly providers: Readonly<Record<string, Provider>>;
  readonly createId: () => string;
  readonly log: Log;
}

/** Endpoints live as long as their version: everything that does not depend on the request is made here, once. */
export function createEndpoints(options: EndpointOptions): (version: Version, server: Server) => Endpoint {
  const endpoints = new WeakMap<Version, Map<string, Endpoint>>();
  return (version, server) => {
    const ofVersion = endpoints.get(version) ?? new Map<string, Endpoint>();
    endpoints.set(version, ofVersion);
    const endpoint = ofVersion.get(server.name) ?? createEndpoint(version, server, options);
    ofVersion.set(server.name, endpoint);
    return endpoint;
  };
}

function createEndpoint(
  version: Version,
  server: Server,
  { invoke, providers, createId, log }: EndpointOptions,
): Endpoint {
  const methods: Methods = {
    ...createLifecycleMethods(version, server),
    ...createToolMethods(version, server, invoke),
    ...createResourceMethods(version, server, providers),
    ...createPromptMethods(server),
  };
  return async (message, caller) => {
    // Notifications need no answer, and responses would answer a question that this server never asks.
    if (message.kind !== "request") return undefined;
    const { id, method, params } = message;
    // Only the errors of tools have numbers of their own; the protocol's errors keep those of JSON-RPC.
    const dual = server.errors === "protocol" && method === "tools/call";
    try {
      if (!Object.hasOwn(methods, method)) {
        throw new CairnError("METHOD_NOT_FOUND", `The method \`${method.slice(0, 100)}\` does not exist here.`);
      }
      const result = await methods[method]?.(params, caller);
      const failure = findFailure(result);
      return failure ? writeError(id, failure, dual) : writeResult(id, result);
    } catch (error) {
      const incident = createId();
      if (!errorRow(error).exposed) log.error({ err: error, incident, method }, "request failed");
      return writeError(id, toErrorBody(error, incident), dual);
    }
  };
}
