import { CairnError } from "../../errors.ts";
import { toRecordingPath } from "../../examples/recording.ts";
import { defined } from "../../json/defined.ts";
import { isObject } from "../../json/is-object.ts";
import { createForeignReader, type ReadForeignSchema } from "../../semver/surfaces/foreign-schema.ts";
import type { Definition, McpSurface } from "../../semver/surfaces/surface.ts";
import { digestDefinition, type UpstreamContent } from "../../versions/manifests/kinds/read-upstream.ts";
import { mergeValues } from "./merge-values.ts";
import { planTool } from "./plan-tool.ts";
import { rewriteManifest, writeHandler, writeManifest } from "./write-files.ts";
import { parse, parseDocument } from "yaml";

export interface ImportOptions {
  readonly surface: McpSurface;
  /** Name of the upstream. */
  readonly name: string;
  /** Folder of the tools. */
  readonly server: string;
  readonly reach: Pick<UpstreamContent, "url" | "command" | "mounts">;
  /** Secret that the upstream is to be sent, besides those that it has; absent: no other. */
  readonly secret?: NonNullable<UpstreamContent["secrets"]>[number];
  /** Tools to bring in besides those of an earlier import; absent: all where there was none, and no more where there was. */
  readonly wanted?: readonly string[];
  /** True if names begin with the name of the server and a dot. */
  readonly isPrefixed: boolean;
  /** True if policies name roles, so that callers need a capability. */
  readonly isGuarded: boolean;
  /** Text of a file of the tree, by its path; undefined where there is none. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/** Files that an import writes, and what people should know of them. */
export interface Imported {
  /** By path; undefined: the file goes away. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Tools by what becomes of them. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** Tools of an earlier import whose manifest somebody has deleted: it is not written again. */
  readonly deleted: readonly string[];
  /** Tools that the server has and nobody asked for. */
  readonly others: readonly string[];
  readonly notes: readonly string[];
}

type Files = Map<string, string | undefined>;

/** As the schemas of manifests have them: both become part of paths. */
const UPSTREAM_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const SERVER_NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** Plans the files of an import. An earlier import of the upstream is renewed: edits of people stay. @throws BAD_REQUEST */
export async function importTools(options: ImportOptions): Promise<Imported> {
  const { surface, name, server, readText, wanted } = options;
  refuseName("upstream", name, UPSTREAM_NAME);
  refuseName("server", server, SERVER_NAME);
  const path = `manifests/upstreams/${name}.yaml`;
  const text = await readText(path);
  const before = text === undefined ? undefined : (readMapping(path, text) as unknown as UpstreamContent);
  const known = Object.keys(before?.tools ?? {});
  const tasks = Object.keys(surface.tools).filter((tool) => isTask(surface.tools[tool]));
  const listed = Object.keys(surface.tools).filter((tool) => !tasks.includes(tool));
  refuseTasks(wanted ?? [], tasks);
  refuseUnknown(wanted ?? [], listed);
  const chosen = new Set(before === undefined ? (wanted ?? listed) : [...known, ...(wanted ?? [])]);
  const tools = listed.filter((tool) => chosen.has(tool));
  refuseTwins(tools);
  const files: Files = new Map();
  const notes = tasks.map((tool) => `${tool}: left out, because it can only be called as a task`);
  const readForeign = createForeignReader();
  const changed: string[] = [];
  const deleted: string[] = [];
  for (const tool of tools) {
    const definition = surface.tools[tool];
    const frozen = before?.tools[tool];
    if (definition === undefined) continue;
    const isSame = frozen?.digest === digestDefinition(definition);
    if (frozen !== undefined && !isSame) changed.push(tool);
    const isThere = (await readText(toPaths(options, tool).manifest)) !== undefined;
    // Handlers of people may still call it, so the upstream keeps its definition.
    if (frozen !== undefined && !isThere && wanted?.includes(tool) !== true) deleted.push(tool);
    else await planFiles({ ...options, readForeign }, tool, frozen?.definition, files, notes);
  }
  const gone = known.filter((tool) => !listed.includes(tool));
  for (const tool of gone) await removeFiles(options, tool, before, files, notes);
  const content = toContent(options, before, tools);
  files.set(path, text === undefined ? writeManifest("upstream", content) : rewriteManifest(text, content));
  if ((await readText(`manifests/${server}/server.yaml`)) === undefined) {
    const { description = `Tools of ${surface.server.name}.`, title } = surface.server;
    const own = {
      name: server,
      ...defined({ title }),
      description,
      ...defined({ instructions: surface.instructions }),
    };
    files.set(`manifests/${server}/server.yaml`, writeManifest("server", own));
  }
  const others = listed.filter((tool) => !chosen.has(tool));
  return { files, added: tools.filter((tool) => !known.includes(tool)), changed, gone, deleted, others, notes };
}

function refuseName(kind: string, name: string, pattern: RegExp): void {
  if (pattern.test(name)) return;
  const rule = "begin with a lower-case letter, and go on with lower-case letters, digits and `-`, 64 in all at most";
  throw new CairnError("BAD_REQUEST", `\`${name.slice(0, 100)}\` cannot name the ${kind}: names ${rule}.`);
}

/** Reads a manifest that is there already. @throws BAD_REQUEST for a file that holds no mapping */
function readMapping(path: string, text: string): Readonly<Record<string, unknown>> {
  const [line] = parseDocument(text).errors.map(({ message }) => message.split("\n", 1)[0]);
  const content: unknown = line === undefined ? parse(text) : undefined;
  if (isObject(content)) return content;
  throw new CairnError("BAD_REQUEST", `\`${path}\` cannot be read: ${line ?? "it is no mapping"}.`);
}

/** Refuses tools whose files would be each other's, also where a disk takes capitals for small letters. @throws BAD_REQUEST */
function refuseTwins(tools: readonly string[]): void {
  const taken = new Map<string, string>();
  for (const tool of tools) {
    const stem = toStem(tool).toLowerCase();
    const twin = taken.get(stem);
    taken.set(stem, tool);
    if (twin === undefined) continue;
    const advice = "Bring in one of them: name the tools that you want with `--tool`.";
    throw new CairnError("BAD_REQUEST", `\`${twin}\` and \`${tool}\` would be in the same file. ${advice}`);
  }
}

function refuseUnknown(wanted: readonly string[], listed: readonly string[]): void {
  const unknown = wanted.find((tool) => !listed.includes(tool));
  if (unknown === undefined) return;
  throw new CairnError("BAD_REQUEST", `The server has no tool \`${unknown}\`; it has ${listed.join(", ") || "none"}.`);
}

/** Says whether a tool refuses calls that wait for its answer. */
function isTask(definition: Definition = {}): boolean {
  const { execution } = definition;
  return isObject(execution) && execution["taskSupport"] === "required";
}

function refuseTasks(wanted: readonly string[], tasks: readonly string[]): void {
  const task = wanted.find((tool) => tasks.includes(tool));
  if (task === undefined) return;
  throw new CairnError("BAD_REQUEST", `\`${task}\` can only be called as a task of MCP, and Cairn begins none.`);
}

function toContent(
  { surface, name, reach, secret }: ImportOptions,
  before: UpstreamContent | undefined,
  tools: readonly string[],
) {
  const { server, protocol } = surface;
  const { url: _url, command: _command, mounts: _mounts, tools: _tools, ...kept } = before ?? {};
  const known = before?.secrets ?? [];
  const secrets = secret === undefined ? known : [...known.filter((one) => one.name !== secret.name), secret];
  return {
    ...kept,
    name,
    ...defined({ ...reach }),
    ...(secrets.length === 0 ? {} : { secrets }),
    protocol,
    server: `${server.name} ${server.version}`,
    tools: Object.fromEntries(
      tools.map((tool) => {
        const definition = surface.tools[tool] ?? {};
        return [tool, { digest: digestDefinition(definition), definition }];
      }),
    ),
  };
}

/** Makes the stem of a tool's file: its name, with `_` for what file names should not have. `server` is the server's own file. */
function toStem(tool: string): string {
  const stem = tool.replaceAll(/[^A-Za-z0-9_.-]/g, "_").slice(0, 60);
  return stem.toLowerCase() === "server" ? `${stem}_` : stem;
}

function toPaths({ server }: Pick<ImportOptions, "server">, tool: string) {
  const stem = toStem(tool);
  const handler = `tools/${server}/${stem}.ts`;
  return { stem, manifest: `manifests/${server}/${stem}.yaml`, handler, recording: toRecordingPath({ handler }) };
}

async function planFiles(
  options: ImportOptions & { readonly readForeign: ReadForeignSchema },
  tool: string,
  frozen: McpSurface["tools"][string] | undefined,
  files: Files,
  notes: string[],
): Promise<void> {
  const { surface, name, server, isPrefixed, isGuarded, readText, readForeign } = options;
  const paths = toPaths(options, tool);
  const text = await readText(paths.manifest);
  const ours = text === undefined ? undefined : readMapping(paths.manifest, text);
  const called =
    typeof ours?.["name"] === "string" ? ours["name"] : isPrefixed ? `${server}.${paths.stem}` : paths.stem;
  const plan = { upstream: name, tool, name: called, isGuarded, readForeign };
  const theirs = planTool(surface.tools[tool] ?? {}, plan);
  for (const note of theirs.notes) notes.push(`${tool}: ${note}`);
  if (text === undefined || ours === undefined) files.set(paths.manifest, writeManifest("tool", theirs.manifest));
  else {
    const { version, upstreams } = ours;
    if (!Array.isArray(upstreams) || !upstreams.includes(name)) {
      const advice = "Give this upstream's tools another folder with `--server`, or rename that tool.";
      throw new CairnError("BAD_REQUEST", `\`${paths.manifest}\` is a tool that does not call \`${name}\`. ${advice}`);
    }
    const base = frozen === undefined ? {} : planTool(frozen, plan).manifest;
    // A number that people raised is theirs.
    const merged = mergeValues(base, ours, theirs.manifest, (path, isOurs) => {
      notes.push(
        `${tool}: \`${path.join(".")}\` changed on both sides; ${isOurs ? "yours stays" : "the server's counts"}`,
      );
    });
    files.set(
      paths.manifest,
      rewriteManifest(text, { ...(merged as Readonly<Record<string, unknown>>), ...defined({ version }) }),
    );
  }
  if ((await readText(paths.handler)) === undefined) files.set(paths.handler, writeHandler(name, tool));
}

/** Removes the files of a tool that its server has no more, unless people changed the handler. */
async function removeFiles(
  options: ImportOptions,
  tool: string,
  before: UpstreamContent | undefined,
  files: Files,
  notes: string[],
): Promise<void> {
  const { manifest, handler, recording } = toPaths(options, tool);
  const text = await options.readText(handler);
  if (text === undefined || before === undefined) return;
  if (text === writeHandler(options.name, tool)) {
    files.set(manifest, undefined);
    files.set(handler, undefined);
    if ((await options.readText(recording)) !== undefined) files.set(recording, undefined);
  } else notes.push(`${tool}: the server has it no more, and \`${handler}\` is your own; its calls of it will fail`);
}
