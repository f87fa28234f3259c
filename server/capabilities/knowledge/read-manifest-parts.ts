import type { FileKind } from "../../versions/manifests/to-kind.ts";
import { createPart, type Part, toId } from "./graph.ts";
import type { ModuleRead } from "./read-module-part.ts";
import { follow, listTexts, type Outline } from "./read-outline.ts";
import { findFormOf } from "./read-schema-part.ts";
import { readServerPart } from "./read-server-part.ts";
import {
  readAgentPart,
  readExperimentPart,
  readHistoryPart,
  readPolicyPart,
  readWorkflowPart,
} from "./read-settings-part.ts";
import { readToolPart } from "./read-tool-part.ts";

export interface Manifest {
  readonly file: string;
  readonly kind: Exclude<FileKind, { kind: "other" | "unknown" | "library" | "handler" }>;
  readonly outline: Outline;
  readonly text: string;
}

/** What manifests declare, and what of each other they depend on. */
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
