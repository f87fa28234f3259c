import { createHash } from "node:crypto";
import type { Problem } from "../problem.ts";
import type { Agent, ParameterSet } from "../version.ts";
import { createProblem } from "./create-problem.ts";
import { createModuleReader } from "./handlers/module-reader.ts";
import { MAX_MODULE_BYTES, type Module } from "./handlers/read-module.ts";
import type { FileKind } from "./to-kind.ts";
import type { FileRead } from "./kinds/file-read.ts";
import { type AgentContent, readAgent } from "./kinds/read-agent.ts";
import { type HistoryContent, type HistoryFile, readHistory } from "./kinds/read-history.ts";
import { type PackagesContent, type PackagesFile, readPackages } from "./kinds/read-packages.ts";
import { type ParametersContent, readParameters } from "./kinds/read-parameters.ts";
import { type PolicyContent, type PolicyFile, readPolicy } from "./kinds/read-policy.ts";
import { readServer, type ServerFile } from "./kinds/read-server.ts";
import { readTool, type ToolFile } from "./kinds/read-tool.ts";
import { readUpstream, type UpstreamContent, type UpstreamFile } from "./kinds/read-upstream.ts";
import { readWorkflow, type WorkflowContent, type WorkflowFile } from "./kinds/read-workflow.ts";
import type { ServerContent } from "./kinds/server-content.ts";
import type { ToolContent } from "./kinds/tool-content.ts";
import { findHiddenSource, findHiddenTexts } from "./find-hidden-text.ts";
import { limitProblems } from "./limit-problems.ts";
import type { Manifest } from "./manifest.ts";
import { type CheckForm, createFormCheck } from "./manifest-schemas.ts";
import { START } from "./position.ts";
import { readText } from "./read-text.ts";
import { createSchemaCompiler } from "./schema/schema-compiler.ts";
import { MAX_YAML_BYTES } from "./yaml/parse-to-events.ts";
import { readYaml } from "./yaml/read-yaml.ts";

/** Part of a version in one file; absent from a file that could not be read. */
type FileContent =
  | { readonly kind: "agent"; readonly value: Agent }
  | { readonly kind: "versions"; readonly value: HistoryFile }
  | { readonly kind: "server"; readonly value: ServerFile }
  | { readonly kind: "tool"; readonly value: ToolFile }
  | { readonly kind: "parameters"; readonly value: ParameterSet }
  | { readonly kind: "policy"; readonly value: PolicyFile }
  | { readonly kind: "upstream"; readonly value: UpstreamFile }
  | { readonly kind: "workflow"; readonly value: WorkflowFile }
  | { readonly kind: "packages"; readonly value: PackagesFile }
  | { readonly kind: "module"; readonly value: Module };

export interface FileResult {
  readonly content?: FileContent;
  /** Of a manifest: digest of what it says with its order, but not of comments and layout. */
  readonly digest?: string;
  readonly problems: readonly Problem[];
  /** Problems that versions are served with all the same. */
  readonly notices?: readonly Problem[];
  /** Reading again may come to something else. */
  readonly isUncertain?: boolean;
}

/** A file that is part of a version and is read. */
export type ReadKind = Exclude<FileKind, { kind: "other" | "unknown" }>;

export interface FileReader {
  /** Reads and checks one file by itself; `bytes` is undefined when it is larger than `maxBytes`. */
  read(path: string, kind: ReadKind, bytes: Uint8Array | undefined): Promise<FileResult>;
}

export function isCode({ kind }: ReadKind): boolean {
  return kind === "handler" || kind === "library" || kind === "package";
}

export function maxBytes(kind: ReadKind): number {
  return isCode(kind) ? MAX_MODULE_BYTES : MAX_YAML_BYTES;
}

/** By kind of manifest; they keep nothing but their compiled schema. */
const FORMS = Object.freeze({
  agent: createFormCheck<AgentContent>("agent"),
  versions: createFormCheck<HistoryContent>("versions"),
  server: createFormCheck<ServerContent>("server"),
  tool: createFormCheck<ToolContent>("tool"),
  parameters: createFormCheck<ParametersContent>("parameters"),
  policy: createFormCheck<PolicyContent>("policy"),
  packages: createFormCheck<PackagesContent>("packages"),
  upstream: createFormCheck<UpstreamContent>("upstream"),
  workflow: createFormCheck<WorkflowContent>("workflow"),
});

export function createFileReader(maxSchemaTextKept: number, moduleTimeLimit?: number): FileReader {
  const compile = createSchemaCompiler(maxSchemaTextKept);
  const readModule = createModuleReader(moduleTimeLimit);
  return { read };

  async function read(path: string, kind: ReadKind, bytes: Uint8Array | undefined): Promise<FileResult> {
    if (!bytes) return tooLarge(path, maxBytes(kind));
    const decoded = readText(path, bytes);
    if (!decoded.ok) return { problems: [decoded.problem] };
    const { text } = decoded;
    const result = await readKind(path, kind, text);
    const hidden = findHiddenSource(path, text);
    if (hidden.length === 0) return result;
    const others = result.notices?.filter(({ rule }) => rule !== "hidden-text") ?? [];
    return { ...result, notices: [...hidden, ...others] };
  }

  async function readKind(path: string, kind: ReadKind, text: string): Promise<FileResult> {
    switch (kind.kind) {
      case "agent":
        return readManifest(path, text, FORMS.agent, "agent", readAgent);
      case "versions":
        return readManifest(path, text, FORMS.versions, "versions", readHistory);
      case "server":
        return readManifest(path, text, FORMS.server, "server", (manifest) =>
          readServer(kind.server, manifest, compile),
        );
      case "tool":
        return readManifest(path, text, FORMS.tool, "tool", (manifest) =>
          readTool(kind.server, kind.stem, manifest, compile),
        );
      case "parameters":
        return readManifest(path, text, FORMS.parameters, "parameters", (manifest) =>
          readParameters(kind.name, manifest),
        );
      case "policy":
        return readManifest(path, text, FORMS.policy, "policy", (manifest) => readPolicy(kind.name, manifest, compile));
      case "upstream":
        return readManifest(path, text, FORMS.upstream, "upstream", (manifest) => readUpstream(kind.name, manifest));
      case "workflow":
        return readManifest(path, text, FORMS.workflow, "workflow", (manifest) => readWorkflow(kind.name, manifest));
      case "packages":
        return readManifest(path, text, FORMS.packages, "packages", readPackages);
      case "handler":
      case "library":
      case "package": {
        const { module, ...rest } = await readModule(path, text);
        return module ? { content: { kind: "module", value: module }, ...rest } : rest;
      }
    }
  }
}

function readManifest<Content, Kind extends FileContent["kind"], Value>(
  path: string,
  text: string,
  checkForm: CheckForm<Content>,
  kind: Kind,
  toValue: (manifest: Manifest<Content>) => FileRead<Value>,
): { content?: { kind: Kind; value: Value } } & Omit<FileResult, "content"> {
  const yaml = readYaml(path, text);
  if (!yaml.ok) return yaml;
  const form = checkForm(path, yaml.value, yaml.position);
  if (!form.ok) return form;
  const { value, problems, notices: own = [] } = toValue(form.manifest);
  const notices = [...findHiddenTexts(path, yaml.value, yaml.position), ...limitProblems(own, (notice) => notice)];
  const digest = createHash("sha256").update(JSON.stringify(yaml.value)).digest("base64url");
  return { content: { kind, value }, digest, problems: limitProblems(problems, (problem) => problem), notices };
}

function tooLarge(path: string, limit: number): FileResult {
  const message = `The file is larger than ${limit} bytes.`;
  return { problems: [createProblem(path, START, "file-too-large", message, "Split it.")] };
}
