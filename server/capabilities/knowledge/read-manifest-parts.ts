import { posix } from "node:path";
import type { FileKind } from "../../versions/manifests/to-kind.ts";
import { createPart, type Part, toId } from "./graph.ts";
import type { ModuleRead } from "./read-module-part.ts";
import { follow, listTexts, type Outline } from "./read-outline.ts";
import {
  readAgentPart,
  readExperimentPart,
  readHistoryPart,
  readPolicyPart,
  readUpstreamPart,
  readWorkflowPart,
} from "./read-settings-part.ts";

export interface Manifest {
  readonly file: string;
  readonly kind: Exclude<FileKind, { kind: "other" | "unknown" | "library" | "handler" | "package" | "packages" }>;
  readonly outline: Outline;
  readonly text: string;
}

/** Reads the declarations of manifests and the dependencies between them. */
export function readManifestParts(
  manifests: readonly Manifest[],
  modules: ReadonlyMap<string, ModuleRead>,
): readonly Part[] {
  const tools = manifests.flatMap(toNamedTool);
  const names = new Set(tools.map(({ name }) => name));
  const valuesOf = (key: string) => tools.flatMap(({ name, outline }) => valuesUnder(outline, key, name));
  const readers = Map.groupBy(valuesOf("parameters"), ({ text }) => text);
  const asked = {
    capabilities: [...new Set(valuesOf("requiredCapabilities").map(({ text }) => text))],
    egress: [...new Set(valuesOf("egress").map(({ tool }) => tool))],
  };
  const parts = manifests.map(readPart);
  return [...parts, ...manifests.flatMap(readForm), ...tools.flatMap(readHiddenCalls)];

  function readPart({ file, kind, outline }: Manifest): Part {
    switch (kind.kind) {
      case "tool":
        return readToolPart(file, kind.server, kind.stem, outline);
      case "server":
        return readServerPart(file, kind.server, outline, (word) => names.has(word));
      case "parameters":
        return readExperimentPart(file, kind.name, outline, readers.get(kind.name)?.map(({ tool }) => tool) ?? []);
      case "policy":
        return readPolicyPart(file, kind.name, outline, asked);
      case "upstream":
        return readUpstreamPart(file, kind.name, outline);
      case "workflow":
        return readWorkflowPart(file, kind.name, outline);
      case "agent":
        return readAgentPart(file, outline);
      case "versions":
        return readHistoryPart(file, outline);
    }
  }

  function readForm({ file, text }: Manifest, index: number): readonly Part[] {
    const form = findFormOf(file, text);
    const from = parts[index]?.nodes[0];
    if (form === undefined || from === undefined) return [];
    const { part, edge } = createPart(file);
    edge(from.id, "has the form of", toId("schema", form.schema), form.line);
    return [part];
  }

  /** A tool that may call others, though nothing in its code looks like a call, may call any; whoever lists them sees all. */
  function readHiddenCalls({ file, name, handler, outline }: NamedTool): readonly Part[] {
    const uses = listTexts(follow(outline, "uses"));
    const use = uses.find(({ text }) => text === "tools.list") ?? uses.find(({ text }) => text === "tools.call");
    if (use === undefined || (use.text === "tools.call" && hasCall(handler))) return [];
    const { part, edge } = createPart(file);
    edge(toId("tool", name), use.text === "tools.list" ? "reads" : "may call", toId("any-tool"), use.line);
    return [part];
  }

  function hasCall(handler: string): boolean {
    const run = new Set([handler]);
    // A set that grows while it is walked is walked to its new end.
    for (const path of run) {
      if (modules.get(path)?.calls === true) return true;
      for (const target of modules.get(path)?.targets ?? []) run.add(target);
    }
    return false;
  }
}

interface NamedTool {
  readonly file: string;
  readonly name: string;
  readonly handler: string;
  readonly outline: Outline;
}

function toNamedTool({ file, kind, outline }: Manifest): readonly NamedTool[] {
  if (kind.kind !== "tool") return [];
  const { server, stem } = kind;
  const name = follow(outline, "name")?.text ?? `${server}.${stem}`;
  return [{ file, name, handler: `tools/${server}/${stem}.ts`, outline }];
}

function valuesUnder(outline: Outline, key: string, tool: string) {
  return listTexts(follow(outline, key)).map(({ text }) => ({ text, tool }));
}

/** A tool, its examples, and all that its manifest says it depends on. */
function readToolPart(file: string, server: string, stem: string, outline: Outline): Part {
  const { part, node, edge } = createPart(file);
  const key = (name: string) => follow(outline, name);
  const name = key("name")?.text ?? `${server}.${stem}`;
  const tool = node("tool", name, key("name")?.line);
  edge(tool, "is handled by", toId("handler", `tools/${server}/${stem}.ts`), key("name")?.line);
  edge(tool, "is served by", toId("server", server), key("name")?.line);
  edge(tool, "takes defaults from", "agent", key("limits")?.line);
  for (const { text, line } of listTexts(key("parameters"))) edge(tool, "reads", toId("experiment", text), line);
  for (const { text, line } of listTexts(key("upstreams"))) edge(tool, "calls", toId("upstream", text), line);
  for (const { text, line } of listTexts(key("requiredCapabilities"))) {
    edge(tool, "requires", toId("capability", text), line);
  }
  for (const [index, { line }] of (key("examples")?.items ?? []).entries()) {
    edge(node("example", `${name}#${index + 1}`, line), "is an example of", tool, line);
  }
  return part;
}

/** A server, its resources and its prompts. Words that are the name of a tool are looked up with `isTool`. */
function readServerPart(file: string, folder: string, outline: Outline, isTool: (word: string) => boolean): Part {
  const { part, node, edge } = createPart(file);
  const server = node("server", folder, follow(outline, "name")?.line);
  mention(server, follow(outline, "instructions"));
  for (const item of follow(outline, "resources")?.items ?? []) {
    const uri = follow(item, "uri") ?? follow(item, "uriTemplate");
    if (uri?.text === undefined) continue;
    const resource = node("resource", `${folder}/${uri.text}`, item.line);
    edge(resource, "is declared in", server, item.line);
    mention(resource, follow(item, "text"));
  }
  for (const item of follow(outline, "prompts")?.items ?? []) {
    const name = follow(item, "name");
    if (name?.text === undefined) continue;
    const prompt = node("prompt", `${folder}/${name.text}`, item.line);
    edge(prompt, "is declared in", server, item.line);
    for (const message of follow(item, "messages")?.items ?? []) mention(prompt, follow(message, "text"));
  }
  return part;

  function mention(from: string, said: Outline | undefined): void {
    const words = new Set((said?.text ?? "").split(/[^\w.-]+/).map((word) => word.replace(/[.-]+$/, "")));
    for (const word of words) if (isTool(word)) edge(from, "names", toId("tool", word), said?.line);
  }
}

/** The path of the schema that the first lines of a manifest name for editors. */
function findFormOf(file: string, text: string): { readonly schema: string; readonly line: number } | undefined {
  const lines = text.split("\n", FIRST_LINES);
  for (const [index, line] of lines.entries()) {
    const [, target] = /^#\s*yaml-language-server:\s*\$schema=(\S+)/.exec(line) ?? [];
    if (target !== undefined) return { schema: posix.join(posix.dirname(file), target), line: index + 1 };
  }
  return undefined;
}

const FIRST_LINES = 5;
