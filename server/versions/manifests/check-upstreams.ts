import { suggest } from "../../text/suggest.ts";
import { allowsCommand } from "../covers.ts";
import { allowsHost } from "../hosts.ts";
import type { AllowedCommand } from "../policy.ts";
import type { Problem } from "../problem.ts";
import type { ToolFile } from "./kinds/read-tool.ts";
import type { UpstreamFile } from "./kinds/read-upstream.ts";

/**
 * Checks that the upstreams of a tool are in the tree, and that the tool may act with their secrets. `names`: of all of them,
 * also of those that cannot be read.
 */
export function checkToolUpstreams(
  { tool, problem }: ToolFile,
  names: readonly string[],
  upstreams: readonly UpstreamFile[],
): readonly Problem[] {
  return tool.upstreams.flatMap((name, index) => {
    if (names.includes(name)) {
      const secrets = upstreams.find(({ upstream }) => upstream.name === name)?.upstream.secrets ?? [];
      const owned = secrets.find(({ of }) => of !== "service");
      if (tool.tenantScoped || owned === undefined) return [];
      const message = `The secret \`${owned.name}\` of the upstream \`${name}\` belongs to a tenant, but the tool says that it is not scoped to tenants.`;
      const fix = "Remove `tenantScoped: false`, or have the upstream act with a secret of the service.";
      return [problem("tool-secret", ["upstreams", index], message, fix)];
    }
    const meant = suggest(name, names);
    const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Add \`manifests/upstreams/${name}.yaml\` with \`cairn import mcp\`.`;
    return [problem("unknown-upstream", ["upstreams", index], `There is no upstream \`${name}\`.`, fix)];
  });
}

/** Checks that policies let an upstream be reached. `hosts`: those that they allow; undefined: every host. */
export function checkUpstream(
  { upstream, problem }: UpstreamFile,
  hosts: readonly string[] | undefined,
  commands: readonly AllowedCommand[],
): readonly Problem[] {
  const { reach } = upstream;
  if (reach.kind === "url") {
    const url = URL.parse(reach.url);
    const host = `${url?.hostname}:${url?.port || 443}`;
    if (url === null || hosts === undefined || hosts.some((entry) => allowsHost(entry, host))) return [];
    const fix = "Add it under `egress` in a file of `manifests/policies`.";
    return [problem("egress-not-allowed", ["url"], `No policy allows tools to reach \`${url.host}\`.`, fix)];
  }
  const { command } = reach;
  if (command.length === 0 || commands.some((allowed) => allowsCommand(allowed, command))) return [];
  const message = `No policy allows the command \`${command.join(" ").slice(0, 200)}\`.`;
  const fix = "Add it under `commands` in a file of `manifests/policies`, with the arguments that it must begin with.";
  return [problem("command-not-allowed", ["command"], message, fix)];
}
