import { ANONYMOUS, type Caller } from "../../../auth/caller.ts";
import { hasScope, VERSIONS_READ } from "../../../auth/scopes.ts";
import { listHeld, type ToPrincipal } from "../../../auth/to-principal.ts";
import { holdsAll } from "../../../principal.ts";
import type { Registry } from "../../../versions/registry/registry-types.ts";
import { part, SIGNED_IN } from "../../create-route.ts";
import { toJsonDocument } from "../../document.ts";
import type { Reply } from "../../reply.ts";
import { versionHeaders } from "../../version-headers.ts";
import type { Operation } from "./operation.ts";

export interface RightsOptions {
  readonly registry: Pick<Registry, "inspect">;
  readonly toPrincipal: ToPrincipal;
}

/** Creates what tells callers who they are, and what they may do in one version. */
export function createRightsOperations({ registry, toPrincipal }: RightsOptions): readonly Operation[] {
  return [
    {
      path: "/me",
      id: "get_me",
      summary: "Who calls, by the credentials of the request",
      access: SIGNED_IN,
      schema: "me",
      answer: (_event, caller) => toOwn(toMe(caller)),
    },
    {
      path: "/agent/{version}/api/rights",
      id: "get_rights",
      summary: "What the caller may do in a version",
      access: VERSIONS_READ,
      schema: "rights",
      async answer(event, caller) {
        const resolved = await registry.inspect(part(event, "version"));
        const { version } = resolved;
        const principal = toPrincipal(version, caller);
        const servers = [...version.servers.values()].filter(({ name }) => hasScope(caller, name));
        const tools = servers.flatMap((server) => server.tools);
        const rights = {
          version: version.semver,
          commit: version.commit,
          roles: principal.roles ?? [],
          capabilities: listHeld(version, principal),
          servers: servers.map(({ name }) => name),
          tools: tools.filter((tool) => holdsAll(principal, tool.requiredCapabilities)).map(({ name }) => name),
        };
        return { ...toOwn(rights), headers: versionHeaders(resolved, "/api/rights") };
      },
    },
  ];
}

function toMe(caller: Caller) {
  const { tenant, actor, roles, scopes } = caller;
  return { tenant, actor, roles, scopes: [...scopes].sort(), anonymous: roles.includes(ANONYMOUS) };
}

function toOwn(value: unknown): Reply {
  return { document: toJsonDocument(value), keep: "checked-by-caller" };
}
