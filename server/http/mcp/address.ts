import type { IncomingMessage } from "node:http";
import { CairnError } from "../../errors.ts";
import type { Caller } from "../../auth/caller.ts";
import type { Endpoint } from "../../protocol/endpoint.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";
import { defined } from "../../json/defined.ts";
import type { Deprecation } from "../../versions/retirement/deprecation.ts";
import type { Server, Version } from "../../versions/version.ts";
import type { CallKernel, FindDestination } from "../destination.ts";
import { toNotice, versionHeaders } from "../version-headers.ts";

/** Addresses kept ready, each with the version it means. */
const READY_LIMIT = 256;

/** The parts of a path that has the form of an MCP address. */
export interface McpPath {
  readonly path: string;
  readonly segment: string;
  readonly server: string;
}

/** Present meaning of an address. */
export interface McpAddress {
  readonly path: string;
  readonly segment: string;
  readonly version: Version;
  readonly server: Server;
  readonly endpoint: Endpoint;
  readonly kernel: CallKernel;
  /** Names and values in turn, for every answer. */
  readonly headers: readonly string[];
  readonly immutable: boolean;
  /** Announced end of the version. */
  readonly deprecated?: Deprecation;
}

/** Paths below a version that mean something else. */
const OTHERS = new Set(["openapi.json", "api", "architect"]);

/** The parts of a request's path; nothing where it has not the form of an MCP address. */
export function readMcpPath({ url = "" }: Pick<IncomingMessage, "url">): McpPath | undefined {
  const [, path = "", segment = "", server = ""] = /^(\/agent\/([^/?#]+)\/([^/?#]+))(?:\?|$)/.exec(url) ?? [];
  return path === "" || OTHERS.has(server) ? undefined : { path, segment, server };
}

/** Creates a finder that looks up immutable addresses once; any event of the registry makes it look up all others again. */
export function createFindAddress(
  registry: Pick<Registry, "subscribe">,
  findDestination: FindDestination,
): (path: McpPath, caller: Caller) => Promise<McpAddress> | McpAddress {
  const ready = new Map<string, McpAddress>();
  registry.subscribe(() => ready.clear());

  return (path, caller) => ready.get(path.path) ?? look(path, caller);

  async function look({ path, segment, server: name }: McpPath, caller: Caller): Promise<McpAddress> {
    const { resolved, kernel } = await findDestination(segment, caller);
    const { version, immutable } = resolved;
    const server = version.servers.get(name);
    if (!server) {
      const known = [...version.servers.keys()].join(", ") || "none";
      throw new CairnError(
        "NOT_FOUND",
        `Version ${version.semver} has no MCP server \`${name.slice(0, 64)}\`; it has: ${known}.`,
      );
    }
    // Whoever asks at an address that never changes knows where it is; the commit is told all the same.
    const headers = immutable
      ? ["cairn-commit", version.commit, ...Object.entries(toNotice(resolved.record, `/${name}`)).flat()]
      : Object.entries(versionHeaders(resolved, `/${name}`)).flat();
    const endpoint = kernel.endpointOf(version, server);
    const { deprecated } = resolved.record;
    const address = {
      path,
      segment,
      version,
      server,
      endpoint,
      kernel,
      headers,
      immutable,
      ...defined({ deprecated }),
    };
    if (immutable) {
      if (ready.size >= READY_LIMIT) ready.clear();
      ready.set(path, address);
    }
    return address;
  }
}
