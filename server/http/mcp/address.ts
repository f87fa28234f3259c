import { CairnError } from "../../errors.ts";
import type { Caller } from "../../auth/caller.ts";
import type { Endpoint } from "../../protocol/endpoint.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";
import { defined } from "../../json/defined.ts";
import type { Deprecation } from "../../versions/retirement/deprecation.ts";
import type { Server, Version } from "../../versions/version.ts";
import type { HttpRequest } from "../front/exchange.ts";
import type { CallKernel, FindDestination } from "../destination.ts";
import { toNotice, versionHeaders } from "../version-headers.ts";

/** Addresses kept ready, each with the version it means. */
const READY_LIMIT = 256;

/** The parts of a path that has the form of an MCP address. */
export interface McpPath {
  readonly path: string;
  readonly segment: string;
  readonly server: string;
  /** Role whose tools alone the client wants; absent: all that the caller may use. */
  readonly role?: string;
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

const FORM = /^(\/agent\/([^/?#]+)\/([^/?#]+))(?:\?(.*))?$/;

/** The parts of a request's path; nothing where it has not the form of an MCP address. */
export function readMcpPath({ url = "" }: Pick<HttpRequest, "url">): McpPath | undefined {
  const [, path = "", segment = "", server = "", query] = FORM.exec(url) ?? [];
  if (path === "" || OTHERS.has(server)) return undefined;
  const role = query === undefined ? undefined : new URLSearchParams(query).getAll("role").join(",");
  return role === undefined || role === "" ? { path, segment, server } : { path, segment, server, role };
}

/** Creates a finder that looks up immutable addresses once; any event of the registry makes it look up all others again. */
export function createFindAddress(
  registry: Pick<Registry, "subscribe">,
  findDestination: FindDestination,
): (path: McpPath, caller: Caller) => Promise<McpAddress> | McpAddress {
  const ready = new Map<string, McpAddress>();
  registry.subscribe(() => ready.clear());

  return (path, caller) => {
    const found = ready.get(path.path) ?? look(path, caller);
    return path.role === undefined ? found : checkRole(found, path.role);
  };

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

/** Rejects with NOT_FOUND where no policy of the version has the role: its tools would be none, and nobody would see why. */
async function checkRole(found: Promise<McpAddress> | McpAddress, role: string): Promise<McpAddress> {
  const address = await found;
  const { policies, semver } = address.version;
  if (policies.some(({ roles }) => roles.has(role))) return address;
  throw new CairnError("NOT_FOUND", `Version ${semver} has no role \`${role}\`, so there is no server with its tools.`);
}
