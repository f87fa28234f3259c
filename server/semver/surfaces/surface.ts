import { createHash } from "node:crypto";
import { CairnError } from "../../errors.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import type { Json } from "../../json/types.ts";

/** Definition as a server lists it, without its name and `_meta`. */
export type Definition = Readonly<Record<string, Json>>;
/** Definitions by name, or by address. */
export type Definitions = Readonly<Record<string, Definition>>;

/** Everything of an MCP server that its clients can see, as it answered. */
export interface McpSurface {
  readonly server: Definition & { readonly name: string; readonly version: string };
  /** Revision of MCP that was spoken. */
  readonly protocol: string;
  readonly capabilities: Definition;
  readonly instructions?: string;
  readonly tools: Definitions;
  readonly prompts: Definitions;
  readonly resources: Definitions;
  readonly resourceTemplates: Definitions;
}

/** Kinds of lists, each with the member by which a client knows an entry. */
export const LISTS = { tools: "name", prompts: "name", resources: "uri", resourceTemplates: "uriTemplate" } as const;
export type ListName = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as readonly ListName[];

/** Form of saved surfaces (schemas/mcp-surface.schema.json); a reader of another form refuses it. */
const FORM = 1;

/**
 * Collects the entries of one list. An entry that is listed twice in identical words counts once. @throws UPSTREAM_ERROR
 * for an entry that is no object or has no name, and for two different entries of one name.
 */
export function toDefinitions(list: ListName, entries: readonly unknown[]): Definitions {
  const key = LISTS[list];
  const found = new Map<string, Definition>();
  for (const entry of entries) {
    if (!isObject(entry)) throw wrong(`\`${list}\` holds \`${show(entry)}\`, which is no JSON object`);
    const { [key]: name, _meta, ...rest } = entry;
    if (typeof name !== "string") throw wrong(`an entry of \`${list}\` has no \`${key}\`: \`${show(entry)}\``);
    const definition = rest as Definition;
    const known = found.get(name);
    if (known !== undefined && canonicalJson(known) !== canonicalJson(definition)) {
      throw wrong(`\`${list}\` has two different entries \`${name.slice(0, 100)}\`, and clients would find either`);
    }
    found.set(name, definition);
  }
  return Object.fromEntries(found);
}

/**
 * Digest of what clients see: SHA-256 of the canonical JSON. The server's version and the revision of MCP are no part of
 * it, so that two releases that differ in nothing else have one digest.
 */
export function surfaceDigest({
  server: { version: _version, ...server },
  protocol: _protocol,
  ...seen
}: McpSurface): string {
  return toDigest({ server, ...seen });
}

/** Digest of a JSON value: SHA-256 of its canonical JSON. */
function toDigest(value: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}

/**
 * Writes a surface as a file that people can compare line by line: all members sorted, two spaces, one final line break.
 * Its digest covers the whole file, version included: `--check` judges by that, and one edited line could pass it.
 */
export function writeSurface(surface: McpSurface): string {
  const saved = { schemaVersion: FORM, ...surface };
  return `${JSON.stringify(sort({ ...saved, digest: toDigest(saved) }), undefined, 2)}\n`;
}

/** Reads a saved surface. @throws BAD_REQUEST naming the file, for one that is broken, of another form, or was edited. */
export function readSurface(text: string, file: string): McpSurface {
  const saved = parse(text);
  if (!isObject(saved) || !("schemaVersion" in saved)) {
    throw unreadable(file, "is no saved surface; `cairn surface save` writes one");
  }
  const { digest, ...content } = saved;
  const { schemaVersion: form, ...surface } = content;
  if (form !== FORM) throw unreadable(file, `has the form \`${show(form)}\`, and this Cairn reads form ${FORM}`);
  if (!isSurface(surface)) throw unreadable(file, "lacks parts of a surface; save it again");
  if (digest === toDigest(content)) return surface;
  throw unreadable(file, "was changed by hand or in a merge: its digest belongs to another content; save it again");
}

function isSurface(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & McpSurface {
  const { server, protocol, capabilities, instructions = "" } = value;
  return (
    isObject(server) &&
    [server["name"], server["version"], protocol, instructions].every((text) => typeof text === "string") &&
    isObject(capabilities) &&
    LIST_NAMES.every((list) => isObject(value[list]) && Object.values(value[list]).every(isObject))
  );
}

/** Line of a saved surface at which a part begins, counted from 1; the line of its nearest ancestor that is there. */
export function findLine(file: string, path: readonly (string | number)[]): number {
  let node: unknown = JSON.parse(file);
  let line = 1;
  for (const step of path) {
    const entries: readonly (readonly [string, unknown])[] =
      typeof node === "object" && node !== null ? Object.entries(node) : [];
    const index = entries.findIndex(([name]) => name === String(step));
    if (index === -1) break;
    line += 1;
    for (const [, part] of entries.slice(0, index)) line += JSON.stringify(part, undefined, 2).split("\n").length;
    node = entries[index]?.[1];
  }
  return line;
}

/** Copies JSON with the members of objects sorted by name. */
function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sort(value[name])]));
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    // There is no `undefined` in JSON.
    return undefined;
  }
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 100);
}

function wrong(what: string): CairnError {
  return new CairnError("UPSTREAM_ERROR", `The MCP server is wrong: ${what}.`);
}

function unreadable(file: string, what: string): CairnError {
  return new CairnError("BAD_REQUEST", `\`${file}\` ${what}.`);
}
