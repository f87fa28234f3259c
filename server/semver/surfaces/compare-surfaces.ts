import { valid } from "semver";
import { canonicalJson } from "../../json/canonical-json.ts";
import { defined } from "../../json/defined.ts";
import { isObject } from "../../json/is-object.ts";
import type { Resource, ResourceTemplate } from "../../versions/resource.ts";
import type { Server } from "../../versions/version.ts";
import { type Claim, createClaim } from "../claim.ts";
import type { Finding, Step } from "../finding.ts";
import { findPromptChanges } from "../find-prompt-changes.ts";
import { findResourceChanges } from "../find-resource-changes.ts";
import { type Level, LEVELS, largest } from "../level.ts";
import { findToolDefinitionChanges } from "./find-definition-changes.ts";
import { createForeignReader } from "./foreign-schema.ts";
import { createSurfaceFinding, type SurfaceFinding } from "./rules.ts";
import { type Definition, type McpSurface, surfaceDigest } from "./surface.ts";

/** Difference of two surfaces, with what the server's own version number claims about it. */
export interface SurfaceDifference {
  readonly before: ComparedSurface;
  readonly after: ComparedSurface;
  /** Findings, the largest bump first. */
  readonly findings: readonly SurfaceFinding[];
  readonly required: Level;
  /** Absent: one of the two versions is no semver number. */
  readonly claim?: Claim;
}

export interface ComparedSurface {
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
  readonly digest: string;
}

/** `declared`: clients know what schemas declare, and no more. `strict`: every value that schemas allow counts. */
export type SurfaceReading = "declared" | "strict";

/** Compares two surfaces: everything that a client of the earlier one could rely on must hold in the later one. */
export function compareSurfaces(before: McpSurface, after: McpSurface, reading: SurfaceReading): SurfaceDifference {
  const [old, young] = [toServer(before), toServer(after)];
  const findings = [
    ...findServerChanges(before, after),
    ...findToolDefinitionChanges(
      before.tools,
      after.tools,
      // JSON Schema alone: another server fills in and strips what it likes.
      reading === "strict" ? "plain" : "declared",
      createForeignReader(),
    ),
    ...[...findPromptChanges(old, young, reading), ...findResourceChanges(old, young, reading)].map(toSurfaceFinding),
  ];
  const required = largest(findings.map(({ level }) => level));
  const [from, to] = [before, after].map(({ server }) => valid(server.version));
  const claim = from && to ? createClaim(from, to, required) : undefined;
  return Object.freeze({
    before: toCompared(before),
    after: toCompared(after),
    findings: findings.toSorted((a, b) => LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level)),
    required,
    ...defined({ claim }),
  });
}

function toCompared(surface: McpSurface): ComparedSurface {
  const { server, protocol } = surface;
  return { name: server.name, version: server.version, protocol, digest: surfaceDigest(surface) };
}

/** Revisions without a handshake, which no client of the earlier ones can speak, and the other way round. */
const STATELESS_SINCE = "2026";

function* findServerChanges(before: McpSurface, after: McpSurface): Generator<SurfaceFinding> {
  const find = (...[rule, message, ...path]: [SurfaceFinding["rule"], string, ...string[]]) =>
    createSurfaceFinding(rule, message, "after", path);
  const { name, version: _version, ...texts } = after.server;
  const { name: oldName, version: _oldVersion, ...oldTexts } = before.server;
  if (name !== oldName)
    yield find("server-renamed", `The server is \`${name}\`, and was \`${oldName}\`.`, "server", "name");
  if (canonicalJson(texts) !== canonicalJson(oldTexts) || before.instructions !== after.instructions) {
    yield find("text-changed", "The server has another title, description or instructions.", "instructions");
  }
  if (before.protocol !== after.protocol) {
    const [old, young] = [before, after].map(({ protocol }) => protocol >= STATELESS_SINCE);
    const rule = old === young ? "revision-changed" : "protocol-changed";
    yield find(rule, `The server speaks MCP ${after.protocol}, and spoke ${before.protocol}.`, "protocol");
  }
  const [old, young] = [toFeatures(before.capabilities), toFeatures(after.capabilities)];
  for (const feature of old) {
    if (!young.has(feature)) {
      yield createSurfaceFinding("feature-removed", `The server has no \`${feature}\` any more.`, "before", [
        "capabilities",
      ]);
    }
  }
  for (const feature of young) {
    if (!old.has(feature)) yield find("feature-added", `The server has \`${feature}\`.`, "capabilities");
  }
}

/** Features of the protocol that a server offers: capabilities, and what each of them says it can do besides. */
function toFeatures(capabilities: Definition): ReadonlySet<string> {
  const names = Object.entries(capabilities).flatMap(([name, details]) => [
    name,
    ...(isObject(details) ? Object.entries(details) : [])
      .filter(([, value]) => value !== false && value !== null)
      .map(([detail]) => `${name}.${detail}`),
  ]);
  return new Set(names);
}

type ListServer = Pick<Server, "name" | "file" | "prompts" | "resources" | "resourceTemplates">;

/** Writes prompts and resources in the form in which versions have them. Contents are not listed, so they count as links. */
function toServer({ server, prompts, resources, resourceTemplates }: McpSurface): ListServer {
  const toBase = (definition: Definition) => ({
    ...definition,
    name: text(definition["name"]),
    source: { kind: "link" } as const,
  });
  return {
    name: server.name,
    file: "",
    prompts: Object.entries(prompts).map(([name, { arguments: list, ...rest }]) => ({
      ...rest,
      name,
      arguments: (Array.isArray(list) ? list : []).filter(isObject).map((argument) => ({
        ...argument,
        name: text(argument["name"]),
        required: argument["required"] === true,
        suggestions: [],
      })),
      messages: [],
    })),
    resources: Object.entries(resources).map(([uri, one]): Resource => ({ ...toBase(one), uri })),
    resourceTemplates: Object.entries(resourceTemplates).map(([uriTemplate, one]): ResourceTemplate => ({
      ...toBase(one),
      uriTemplate,
      suggestions: new Map(),
    })),
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Turns a place in manifests into one in a saved surface, where lists are maps from names or addresses. */
function toSurfaceFinding({ server: _server, of: _of, member: _member, ...finding }: Finding): SurfaceFinding {
  const [list, entry, ...rest] = finding.place.path;
  const [key, name] = typeof entry === "object" ? (Object.entries(entry)[0] ?? []) : [];
  const path: readonly Step[] = [key === "uriTemplate" ? "resourceTemplates" : (list ?? ""), name ?? "", ...rest];
  return { ...finding, place: { ...finding.place, path } };
}
