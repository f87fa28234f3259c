import { CairnError } from "../../errors.ts";
import type { Server } from "../../versions/version.ts";
import type { Exchange } from "../exchange.ts";
import { SERVER_INFO_KEY } from "../../capabilities/mcp/client/revisions.ts";
import { type Identity, toCacheHints } from "../identity.ts";
import { readLogLevel } from "../log-levels.ts";
import type { Methods } from "../method.ts";
import { isLegacy, LEGACY_REVISIONS, REVISIONS } from "../../capabilities/mcp/client/revisions.ts";

/** Creates the methods by which clients of revisions without a handshake discover the server. */
export function createModernLifecycle(server: Server, { serverInfo, instructions }: Identity): Methods {
  return {
    "server/discover": (_, exchange) => ({
      supportedVersions: REVISIONS,
      capabilities: toCapabilities(server, exchange),
      ...(instructions === undefined ? {} : { instructions }),
      ...toCacheHints(exchange.watch === undefined, true),
      _meta: { [SERVER_INFO_KEY]: serverInfo },
    }),
  };
}

/** Clients of the dual taxonomy's interface, which was written for the first revision, need not name one. */
function toUsual({ errors }: Server): string | undefined {
  return errors === "protocol" ? LEGACY_REVISIONS.at(-1) : undefined;
}

/** The handshake, and what keeps a connection alive. */
export function createLegacyLifecycle(server: Server, { serverInfo, instructions }: Identity): Methods {
  return {
    initialize({ protocolVersion = toUsual(server) }, exchange) {
      if (typeof protocolVersion !== "string") {
        throw new CairnError("BAD_REQUEST", "`protocolVersion` must be a string, for example 2025-11-25.");
      }
      return {
        // A revision we do not know is answered with the newest we do; the client then decides whether to go on.
        protocolVersion: isLegacy(protocolVersion) ? protocolVersion : LEGACY_REVISIONS[0],
        capabilities: toCapabilities(server, exchange),
        serverInfo,
        ...(instructions === undefined ? {} : { instructions }),
      };
    },
    ping: () => ({}),
    "logging/setLevel"({ level }, { session }) {
      const least = readLogLevel(level);
      // Without a session there is nothing that could remember it, and each request gets the default.
      if (session !== undefined) session.logLevel = least;
      return {};
    },
  };
}

/** Only what can be kept: changes reach those who have a stream to hear of them, and pinned lists never change. */
function toCapabilities({ resources, resourceTemplates, prompts }: Server, { modern, session, watch }: Exchange) {
  const hasStream = modern || session !== undefined;
  const listChanged = hasStream && watch !== undefined ? { listChanged: true } : {};
  const hasResources = resources.length + resourceTemplates.length > 0;
  return {
    logging: {},
    tools: listChanged,
    ...(hasResources ? { resources: { ...listChanged, ...(hasStream ? { subscribe: true } : {}) } } : {}),
    ...(prompts.length > 0 ? { prompts: listChanged } : {}),
    ...(prompts.length + resourceTemplates.length > 0 ? { completions: {} } : {}),
  };
}
