import type { Json } from "../json/types.ts";
import { createHash } from "node:crypto";
import { canonicalJson } from "../json/canonical-json.ts";
import type { Approval } from "./policy.ts";
import type { Resource } from "./resource.ts";
import type { Server, Tool, Version } from "./version.ts";
import type { Workflow } from "./workflow.ts";

/** Everything of a version that a client can see or depend on, as plain JSON: `<kind> <name>` to its properties. */
export type Surface = Readonly<Record<string, Readonly<Record<string, Json>>>>;

export interface SurfaceChange {
  readonly change: "added" | "removed" | "changed";
  /** For example `tool runner.chat`. */
  readonly what: string;
  /** Of something changed: which of its properties. */
  readonly properties?: readonly string[];
}

export function toSurface(version: Version): Surface {
  const { name: agent, title = null, description: about, hostApi } = version.agent;
  const entries: [string, Record<string, Json>][] = [["agent", { name: agent, title, description: about, hostApi }]];
  for (const server of version.servers.values()) {
    entries.push(...toServerEntries(server));
    for (const tool of server.tools) entries.push([`tool ${tool.name}`, toToolEntry(tool)]);
  }
  for (const set of version.parameters.values()) {
    if (set.experiment)
      entries.push([`experiment ${set.name}`, { ...set.experiment } as unknown as Record<string, Json>]);
    for (const [name, parameter] of set.parameters) {
      entries.push([`parameter ${set.name}.${name}`, { ...parameter } as unknown as Record<string, Json>]);
    }
  }
  for (const workflow of version.workflows.values()) {
    entries.push([`workflow ${workflow.name}`, toWorkflowEntry(workflow)]);
  }
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** SHA-256 of the surface's canonical JSON: the same commit gives the same digest on any machine. The version's fingerprint. */
export function surfaceDigest(surface: Surface): string {
  return digest(surface);
}

export function diffSurfaces(before: Surface, after: Surface): readonly SurfaceChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((what): SurfaceChange[] => {
    const [old, young] = [before[what], after[what]];
    if (!old) return [{ change: "added", what }];
    if (!young) return [{ change: "removed", what }];
    const properties = [...new Set([...Object.keys(old), ...Object.keys(young)])]
      .filter((name) => text(old[name]) !== text(young[name]))
      .sort();
    return properties.length === 0 ? [] : [{ change: "changed", what, properties }];
  });
}

function toServerEntries(server: Server): [string, Record<string, Json>][] {
  const of = server.name;
  const { title = null, description: about, errors, interactive, state = null, instructions = null } = server;
  return [
    [
      `server ${of}`,
      {
        title,
        description: about,
        errors,
        interactive,
        state,
        instructions,
        // Servers without any of these keep the fingerprint that they had before there were such.
        ...(server.liveTools === undefined ? {} : { liveTools: { ...server.liveTools } }),
        ...(server.values === undefined
          ? {}
          : { values: server.values.map(({ key, schema }) => ({ key: [...key], schema: schema as Json })) }),
      },
    ],
    ...server.resources.map((resource): [string, Record<string, Json>] => [
      `resource ${of} ${resource.uri}`,
      toResourceEntry(resource),
    ]),
    ...server.resourceTemplates.map(({ uriTemplate, suggestions, ...resource }): [string, Record<string, Json>] => [
      `resource ${of} ${uriTemplate}`,
      {
        ...toResourceEntry(resource),
        suggestions: Object.fromEntries([...suggestions].map(([name, values]) => [name, [...values]])),
      },
    ]),
    ...server.prompts.map((prompt): [string, Record<string, Json>] => [
      `prompt ${of} ${prompt.name}`,
      {
        title: prompt.title ?? null,
        description: prompt.description ?? null,
        arguments: prompt.arguments.map(({ name, description = null, required, ask = null, suggestions }) => ({
          name,
          description,
          required,
          ask,
          suggestions: [...suggestions],
        })),
        messages: prompt.messages.map((message) => ({
          role: message.role,
          type: "content" in message ? message.content.type : "text",
          content: digest("content" in message ? message.content : message.provider),
        })),
      },
    ]),
  ];
}

function toResourceEntry(resource: Omit<Resource, "uri">): Record<string, Json> {
  const { name, title = null, description = null, mimeType = null, source } = resource;
  return { name, title, description, mimeType, kind: source.kind, content: digest(source) };
}

function toToolEntry(tool: Tool): Record<string, Json> {
  return {
    version: tool.version,
    server: tool.server,
    title: tool.title ?? null,
    description: tool.description,
    input: tool.input as Json,
    output: tool.output as Json,
    deterministic: tool.deterministic,
    sideEffect: tool.sideEffect,
    idempotent: tool.idempotent,
    cost: { ...tool.cost },
    requiredCapabilities: [...tool.requiredCapabilities].sort(),
    // Tools without keep the fingerprint that they had before there were approvals.
    ...toApprovals(tool),
    tenantScoped: tool.tenantScoped,
    session: tool.session,
    interactive: tool.interactive,
    limits: { ...tool.limits },
    openWorld: isOpenWorld(tool),
    examples: tool.examples as unknown as Json,
    // Tools without it keep the fingerprint that they had before there was such.
    ...(tool.deprecated === undefined ? {} : { deprecated: { ...tool.deprecated } }),
  };
}

/** Writes an approval as a tool's manifest does, and several, which policies added, in an order of their own. */
function toApprovals({ approvals }: Tool): Record<string, Json> {
  const entries = [...new Set(approvals.map((approval) => canonicalJson(toApprovalEntry(approval))))].toSorted();
  const [approval, ...others] = entries.map((entry) => JSON.parse(entry) as Json);
  if (approval === undefined) return {};
  return others.length === 0 ? { approval } : { approvals: [approval, ...others] };
}

function toApprovalEntry({ when, by, expiresSeconds }: Approval): Json {
  return { when: when as Json, by, expiresSeconds };
}

/** Says whether a tool reaches things outside the service, which others may have written. */
export function isOpenWorld({ uses }: Pick<Tool, "uses">): boolean {
  return uses.has("fetch") || uses.has("mcp") || uses.has("model.generate");
}

function toWorkflowEntry(workflow: Workflow): Record<string, Json> {
  return {
    title: workflow.title ?? null,
    description: workflow.description,
    writes: workflow.writes,
    default: workflow.isDefault,
    maxAttempts: workflow.maxAttempts,
    leaseSeconds: workflow.leaseSeconds,
    requires: workflow.requires.toSorted(),
    steps: workflow.steps.map(({ name, produces }) => ({ name, produces: produces.toSorted() })),
    approvals: workflow.approvals.toSorted(),
  };
}

/** Of what may be large, and is for reading. */
function digest(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

function text(value: Json | undefined): string {
  return value === undefined ? "" : canonicalJson(value);
}
