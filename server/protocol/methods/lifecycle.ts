import { CairnError } from "../../errors.ts";
import type { Server, Version } from "../../versions/version.ts";
import type { Methods } from "../method.ts";

/** Revisions of MCP that begin with `initialize`, newest first. */
export const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export function isProtocolVersion(text: string): boolean {
  return (PROTOCOL_VERSIONS as readonly string[]).includes(text);
}

/** The handshake, and what keeps a connection alive. Servers here keep no sessions, so nothing is remembered. */
export function createLifecycleMethods(version: Version, server: Server): Methods {
  const { agent } = version;
  const capabilities = {
    logging: {},
    tools: {},
    ...(server.resources.length + server.resourceTemplates.length > 0 ? { resources: {} } : {}),
    ...(server.prompts.length > 0 ? { prompts: {} } : {}),
  };
  return {
    initialize({ protocolVersion }) {
      if (typeof protocolVersion !== "string") {
        throw new CairnError("BAD_REQUEST", "`protocolVersion` must be a string, for example 2025-11-25.");
      }
      return {
        // A version we do not know is answered with the newest we do; the client then decides whether to go on.
        protocolVersion: isProtocolVersion(protocolVersion) ? protocolVersion : PROTOCOL_VERSIONS[0],
        capabilities,
        serverInfo: {
          name: `${agent.name}/${server.name}`,
          title: server.title ?? agent.title ?? agent.name,
          version: version.semver,
        },
        ...(server.instructions === undefined ? {} : { instructions: server.instructions }),
      };
    },
    ping: () => ({}),
    // Log lines go with the call's record; a client that asks for less of nothing is content.
    "logging/setLevel": () => ({}),
  };
}
