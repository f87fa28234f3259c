import type { Agent, ParameterSet } from "../version.ts";
import type { FileResult } from "./file-reader.ts";
import type { Module } from "./handlers/read-module.ts";
import type { HistoryFile } from "./kinds/read-history.ts";
import type { PackagesFile } from "./kinds/read-packages.ts";
import type { PolicyFile } from "./kinds/read-policy.ts";
import type { ServerFile } from "./kinds/read-server.ts";
import type { UpstreamFile } from "./kinds/read-upstream.ts";
import type { ToolFile } from "./kinds/read-tool.ts";
import type { WorkflowFile } from "./kinds/read-workflow.ts";

/** Contents of all files of a tree, as far as they could be read. */
export interface Parts {
  readonly agent?: Agent;
  readonly history?: HistoryFile;
  /** By folder, tools by path, parameter sets by name. */
  readonly servers: ReadonlyMap<string, ServerFile>;
  readonly tools: ReadonlyMap<string, ToolFile>;
  readonly parameters: ReadonlyMap<string, ParameterSet>;
  readonly policies: readonly PolicyFile[];
  readonly upstreams: readonly UpstreamFile[];
  readonly workflows: readonly WorkflowFile[];
  readonly modules: ReadonlyMap<string, Module>;
  readonly packages?: PackagesFile;
  /** Digests of manifests but versions.yaml, by path. */
  readonly manifests: ReadonlyMap<string, string>;
}

export function toParts(results: ReadonlyMap<string, FileResult>): Parts {
  let agent: Agent | undefined;
  let history: HistoryFile | undefined;
  let packages: PackagesFile | undefined;
  const servers = new Map<string, ServerFile>();
  const tools = new Map<string, ToolFile>();
  const parameters = new Map<string, ParameterSet>();
  const policies: PolicyFile[] = [];
  const upstreams: UpstreamFile[] = [];
  const workflows: WorkflowFile[] = [];
  const modules = new Map<string, Module>();
  const manifests = new Map<string, string>();
  for (const [path, { content, digest }] of results) {
    if (!content) continue;
    if (digest !== undefined && content.kind !== "versions" && content.kind !== "packages") manifests.set(path, digest);
    const { kind, value } = content;
    if (kind === "agent") agent = value;
    else if (kind === "versions") history = value;
    else if (kind === "server") servers.set(path.split("/")[1] ?? "", value);
    else if (kind === "tool") tools.set(path, value);
    else if (kind === "parameters") parameters.set(value.name, value);
    else if (kind === "policy") policies.push(value);
    else if (kind === "upstream") upstreams.push(value);
    else if (kind === "packages") packages = value;
    else if (kind === "workflow") workflows.push(value);
    else modules.set(path, value);
  }
  return {
    ...(agent && { agent }),
    ...(history && { history }),
    ...(packages && { packages }),
    servers,
    tools,
    parameters,
    policies,
    upstreams,
    workflows,
    modules,
    manifests,
  };
}
