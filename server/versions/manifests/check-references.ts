import { covers } from "../covers.ts";
import type { Problem } from "../problem.ts";
import { checkToolUpstreams, checkUpstream } from "./check-upstreams.ts";
import type { PolicyFile } from "./kinds/read-policy.ts";
import type { ToolFile } from "./kinds/read-tool.ts";
import { allowsHost } from "../hosts.ts";
import { checkDeprecations } from "./check-deprecations.ts";
import type { Parts } from "./parts.ts";
import { checkWorkflows } from "./check-workflows.ts";
import { checkApprovals } from "./check-approvals.ts";
import { suggest } from "../../text/suggest.ts";
import type { SurveyedFile } from "./survey.ts";
import type { ServerFile } from "./kinds/read-server.ts";

/** Checks that what tools name exists elsewhere in the tree, and their own names only once. */
export function checkReferences(files: ReadonlyMap<string, SurveyedFile>, parts: Parts): readonly Problem[] {
  const tools = [...parts.tools.values()];
  const kinds = [...files.values()].map(({ kind }) => kind);
  const sets = kinds.flatMap((kind) => (kind.kind === "parameters" ? [kind.name] : []));
  const upstreams = kinds.flatMap((kind) => (kind.kind === "upstream" ? [kind.name] : []));
  const policies = kinds.filter(({ kind }) => kind === "policy").length;
  const names = toNames(files, parts);
  const problems = [
    ...checkNames(tools),
    ...tools.flatMap((tool) => checkParameters(tool, sets)),
    ...tools.flatMap((tool) => checkToolUpstreams(tool, upstreams, parts.upstreams)),
    ...parts.policies.flatMap((policy) => checkLimits(policy, names)),
    ...checkWorkflows(parts.workflows, tools, names),
    ...[...parts.servers.values()].flatMap((server) => checkLiveTools(server, tools, names)),
    ...checkDeprecations(parts, names),
  ];
  // A policy that cannot be read might have granted anything.
  if (policies > parts.policies.length) return problems;
  const granted = parts.policies.flatMap(({ policy }) => [...policy.roles.values()].flat());
  const allowed = parts.policies.flatMap(({ policy }) => policy.egress);
  const limitsEgress = parts.policies.some((file) => file.limitsEgress);
  const commands = parts.policies.flatMap(({ policy }) => policy.commands);
  const ofUpstreams = parts.upstreams.flatMap((file) =>
    checkUpstream(file, limitsEgress ? allowed : undefined, commands),
  );
  // A tree without roles leaves its tools to callers who hold everything; a policy for commands or hosts changes nothing there.
  const hasRoles = parts.policies.some(({ policy }) => policy.roles.size > 0);
  return [
    ...problems,
    ...ofUpstreams,
    ...checkApprovals(tools, parts.policies, names),
    ...(hasRoles ? tools.flatMap((tool) => checkCapabilities(tool, granted)) : []),
    ...(limitsEgress ? tools.flatMap((tool) => checkEgress(tool, allowed)) : []),
  ];
}

function checkNames(tools: readonly ToolFile[]): readonly Problem[] {
  const first = new Map<string, string>();
  return tools.flatMap(({ tool, problem }) => {
    const other = first.get(tool.name);
    if (other === undefined) first.set(tool.name, tool.file);
    if (other === undefined) return [];
    const message = `The tool \`${tool.name}\` is already in \`${other}\`.`;
    const fix = "Give one of them another name; the name of its server and a dot before it make it unique.";
    return [problem("duplicate-name", ["name"], message, fix)];
  });
}

function checkParameters({ tool, problem }: ToolFile, sets: readonly string[]): readonly Problem[] {
  return tool.parameters.flatMap((name, index) => {
    if (sets.includes(name)) return [];
    const meant = suggest(name, sets);
    const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Add \`manifests/parameters/${name}.yaml\`.`;
    return [problem("unknown-parameters", ["parameters", index], `There is no parameter set \`${name}\`.`, fix)];
  });
}

/** The names of all tools; of one that cannot be read, or is named unlike its file, also what the file would have it be. */
function toNames(files: ReadonlyMap<string, SurveyedFile>, { tools }: Parts): readonly string[] {
  return [...files].flatMap(([path, { kind }]) => {
    if (kind.kind !== "tool") return [];
    const name = tools.get(path)?.tool.name;
    const full = `${kind.server}.${kind.stem}`;
    if (name === undefined) return [full];
    return name === full || name === kind.stem ? [name] : [name, full];
  });
}

function checkLimits({ policy, problem }: PolicyFile, names: readonly string[]): readonly Problem[] {
  return Object.keys(policy.limits.tools ?? {}).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = suggest(name, names);
    const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Name a tool as its manifest does, or remove it.`;
    return [problem("unknown-tool", ["limits", "tools", name], `There is no tool \`${name}\` to limit.`, fix, "key")];
  });
}

function checkCapabilities({ tool, problem }: ToolFile, granted: readonly string[]): readonly Problem[] {
  return tool.requiredCapabilities.flatMap((capability, index) => {
    if (granted.some((grant) => covers(grant, capability))) return [];
    const message = `No role grants \`${capability}\`.`;
    const fix = "Grant it under `roles` in a file of `manifests/policies`, or correct it.";
    return [problem("uncovered-capability", ["requiredCapabilities", index], message, fix)];
  });
}

function checkEgress({ tool, problem }: ToolFile, allowed: readonly string[]): readonly Problem[] {
  return tool.egress.flatMap((host, index) => {
    if (allowed.some((entry) => allowsHost(entry, host))) return [];
    const message = `No policy allows tools to reach \`${host}\`.`;
    const fix = "Add it under `egress` in a file of `manifests/policies`.";
    const secret = tool.secrets.findIndex(({ hosts }) => hosts.includes(host));
    const path = secret === -1 ? ["egress", index] : ["secrets", secret, "hosts"];
    return [problem("egress-not-allowed", path, message, fix)];
  });
}

/** Checks that a server's live tools are listed and called by tools of its own. `names`: of all tools, also of those that cannot be read. */
function checkLiveTools(
  { name: server, liveTools, problem }: ServerFile,
  tools: readonly ToolFile[],
  names: readonly string[],
): readonly Problem[] {
  if (liveTools === undefined) return [];
  return (["list", "call"] as const).flatMap((key) => {
    const name = liveTools[key];
    const elsewhere = tools.some(({ tool }) => tool.name === name && tool.server !== server);
    if (names.includes(name) && !elsewhere) return [];
    const own = tools.filter(({ tool }) => tool.server === server).map(({ tool }) => tool.name);
    const meant = suggest(name, own);
    const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Name a tool of this server as its manifest does.`;
    return [problem("unknown-tool", ["liveTools", key], `\`${server}\` has no tool \`${name}\`.`, fix)];
  });
}

/** Words under `uses` of tools that keep data for later calls. */
const KEEPING: ReadonlySet<string> = new Set(["state.read", "state.write", "lineage.read", "lineage.write"]);

/** Finds servers whose tools keep data, and whose manifest does not say how long: a release would silently begin with none. */
export function findUnsaidStates({ servers, tools }: Pick<Parts, "servers" | "tools">): readonly Problem[] {
  const keeping = [...tools.values()].filter(({ tool }) => !KEEPING.isDisjointFrom(tool.uses));
  const folders = new Set(keeping.map(({ tool }) => tool.server));
  return [...servers].flatMap(([folder, { name, saysState, problem }]) => {
    if (saysState || !folders.has(folder)) return [];
    const message =
      "Tools of the server keep data, and it does not say how long, so that each version begins with none.";
    const shared = `\`state: { scope: shared, name: ${name} }\` where later versions go on with the data`;
    const own = "`state: { scope: version }` where each version begins with none, as for a cache";
    return [problem("state-unsaid", ["name"], message, `Write ${shared}; or ${own}.`)];
  });
}
