import { CairnError } from "../../errors.ts";
import { readSegment } from "../../versions/registry/resolve/segment.ts";
import { toRoleQuery } from "./role-option.ts";
import { toAuthorization } from "./service-token.ts";
import { askService, type ServiceAccess } from "./service-url.ts";
import { toEntryName } from "../../http/install/install-links.ts";
import { defined } from "../../json/defined.ts";

/** One MCP server of one version, under an address that stays what it is. */
export interface ConnectTarget {
  /** Name for the clients' configuration: letters, digits, dashes and underscores, which all of them accept. */
  readonly name: string;
  readonly agent: string;
  /** Version as written in the address. */
  readonly version: string;
  readonly server: string;
  readonly url: string;
  /** Says whether the service wants a token, which what is printed refers to and never holds. */
  readonly hasToken: boolean;
  /** Note for a version that was named by a label, range or `latest`. */
  readonly note?: string;
  /** Words for what the client gets, now and later. */
  readonly meaning: string;
  /** Words for what the server is for. */
  readonly description: string;
}

interface Detail {
  readonly commit_hash: string;
  readonly state: string;
  readonly problems: readonly { readonly message: string }[];
  /** These two are absent while it is quarantined. */
  readonly agent?: string;
  readonly servers?: readonly {
    readonly name: string;
    readonly description: string;
    readonly mcp_endpoint?: string;
  }[];
}

/** Asks the service what `version` means, and pins that, unless the client is to `follow` it. */
export async function loadConnectTarget(
  service: ServiceAccess,
  version: string,
  server: string,
  { follow, role }: { readonly follow: boolean; readonly role?: string | undefined },
): Promise<ConnectTarget> {
  const { url } = service;
  const detail = (await askService(service, `/versions/${encodeURIComponent(version)}`)) as Detail;
  const { agent, servers, commit_hash: commit } = detail;
  if (agent === undefined || servers === undefined) {
    const reason = detail.problems[0]?.message ?? "its state is unknown";
    throw new CairnError(
      "VERSION_QUARANTINED",
      `\`${version}\` is not served: ${reason} (all of it: ${url}/versions/${commit})`,
    );
  }
  const found = servers.find(({ name }) => name === server);
  if (!found) {
    const known = servers.map(({ name }) => name).join(", ") || "none";
    throw new CairnError("NOT_FOUND", `\`${version}\` has no MCP server \`${server}\`; it has: ${known}.`);
  }
  if (found.mcp_endpoint === undefined) {
    throw new CairnError("VERSION_NOT_SERVED", `\`${version}\` answers no calls: no tag that is served leads to it.`);
  }
  const { pinned, note, meaning } = pin(version, found.mcp_endpoint, commit, follow);
  const address = `${url}/agent/${encodeURI(pinned)}/${server}${toRoleQuery(role)}`;
  if (role !== undefined) await checkRole(service, address, role);
  return {
    name: toEntryName(agent, role === undefined ? server : `${server}-${role}`),
    agent,
    version: pinned,
    server,
    url: address,
    hasToken: service.token !== undefined,
    description: found.description,
    meaning,
    ...defined({ note }),
  };
}

/** Rejects a role that no policy of the version has: its client would find no server, and see no reason. */
async function checkRole({ token }: ServiceAccess, address: string, role: string): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  // Outside of a session GET is refused, but what is wrong with the address comes first.
  const { status, body } = await fetch(address, { headers: toAuthorization(token), signal });
  await body?.cancel();
  if (status !== 404 && status !== 400) return;
  const message = `The version has no role \`${role}\`; the files in its \`manifests/policies/\` declare its roles.`;
  throw new CairnError("NOT_FOUND", message);
}

interface Pinned {
  readonly pinned: string;
  readonly note?: string;
  readonly meaning: string;
}

function pin(version: string, endpoint: string, commit: string, follow: boolean): Pinned {
  const name = decodeURIComponent(endpoint.split("/")[2] ?? commit);
  const stays = (pinned: string) => ({ pinned, meaning: `The client stays with ${pinned}, which never changes.` });
  const moves = (note: string) => ({ pinned: version, note, meaning: note });
  switch (readSegment(version).kind) {
    case "commit":
      return stays(commit);
    case "dev":
      return moves("`dev` is the work tree: it changes with every edit.");
    case "range":
    case "latest":
    case "label": {
      const now = `\`${version}\` means ${name} now and moves;`;
      if (follow) return moves(`${now} the client moves with it.`);
      return {
        pinned: name,
        note: `${now} what is printed here stays with ${name}.`,
        meaning: `${now} the client stays with ${name}, which never changes.`,
      };
    }
    default:
      return stays(name);
  }
}
