import { hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { CairnError } from "../../errors.ts";
import { loadLock } from "../../imports/import-lock.ts";
import { importTools } from "../../imports/mcp/import-tools.ts";
import type { LoadedDocument } from "../../imports/openapi/load-document.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { defined } from "../../json/defined.ts";
import { isObject } from "../../json/is-object.ts";
import type { McpSurface } from "../../semver/surfaces/surface.ts";
import { digestDefinition, type UpstreamContent } from "../../versions/manifests/kinds/read-upstream.ts";
import type { CliContext } from "../command.ts";
import { createTextReader, hasRoles, putFiles } from "../import/put-files.ts";
import { startImport, writeImport } from "../import/write-import.ts";
import { loadUpstream } from "../../imports/drift/list-imports.ts";
import type { LoadedSource } from "./load-source.ts";

/** Outcome of renewing an import in a folder. */
export interface Renewed {
  /** False: nothing that was imported is another. */
  readonly isChanged: boolean;
  /** SHA-256 of what the source has of the import. */
  readonly fingerprint: string;
  readonly notes: readonly string[];
  /** Files in which edits and the source touch the same lines, marked as git marks them. */
  readonly conflicts: readonly string[];
  /** Reasons why the folder makes no version, or examples that the import wrote do not hold. */
  readonly problems: readonly string[];
  /** Tools or operations that the source has, and the import has not. */
  readonly unimported: readonly string[];
}

/** Operations that are named beside each other. */
const SHOWN = 20;

/** Renews an import in a folder as importing again does: edits of people stay. `takesNew`: also what was not imported. */
export async function renewImport(
  context: CliContext,
  name: string,
  source: LoadedSource,
  { takesNew }: { readonly takesNew: boolean },
): Promise<Renewed> {
  return source.kind === "openapi"
    ? renewOpenApi(context, name, source.loaded, takesNew)
    : renewMcp(context.folder, name, source.surface, takesNew);
}

async function renewOpenApi(
  context: CliContext,
  name: string,
  loaded: LoadedDocument,
  takesNew: boolean,
): Promise<Renewed> {
  const { folder } = context;
  const started = await startImport(context, { name }, loaded);
  const { names, lock } = started;
  const known = new Map([...names].filter(([{ key }]) => lock?.tools.has(key)));
  const unimported = [...names.keys()].filter(({ key }) => !lock?.tools.has(key)).map(({ key }) => key);
  if (known.size === 0) throw gone(`the document has none of the ${lock?.tools.size ?? 0} operations`);
  const fingerprintOf = async () => digest([...((await loadLock(folder, name))?.files ?? [])].toSorted());
  const same = { notes: [], conflicts: [], problems: [], unimported: takesNew ? [] : unimported };
  if (loaded.digest === lock?.digest && !takesNew)
    return { ...same, isChanged: false, fingerprint: await fingerprintOf() };
  const { outcomes, refused, problems, broken = [] } = await writeImport(context, started, takesNew ? names : known);
  const conflicts = [...outcomes].filter(([, outcome]) => outcome === "conflict").map(([path]) => path);
  const kept = [...outcomes].filter(([path, outcome]) => outcome === "kept" && lock?.files.has(path));
  return {
    ...same,
    isChanged: [...outcomes.values()].some((outcome) => !["same", "kept", "deleted"].includes(outcome)),
    fingerprint: await fingerprintOf(),
    notes: [
      ...refused.slice(0, SHOWN).map(({ operation, reason }) => `${operation.key} is not imported: it has ${reason}`),
      ...[...outcomes].flatMap(([path, outcome]) => (outcome === "merged" ? [`${path} has your edits, too`] : [])),
      ...kept.map(([path]) => `${path} stays as you have it`),
    ],
    conflicts,
    problems: [
      ...(problems === undefined ? [] : [problems]),
      ...broken.map(({ tool, reasons }) => `${tool}: its example does not hold: ${reasons.join("; ")}`),
    ],
  };
}

async function renewMcp(folder: string, name: string, surface: McpSurface, takesNew: boolean): Promise<Renewed> {
  const before = await loadUpstream(folder, name);
  const known = Object.keys(before.tools);
  const listed = Object.keys(surface.tools);
  if (!known.some((tool) => listed.includes(tool))) throw gone(`the server lists none of the ${known.length} tools`);
  const readText = createTextReader(folder);
  const {
    files,
    added,
    changed,
    gone: lost,
    others,
    notes,
  } = await importTools({
    surface,
    name,
    server: await findServer(folder, name),
    reach: toReach(before),
    ...(takesNew ? { wanted: listed.filter((tool) => !known.includes(tool)) } : {}),
    isPrefixed: false,
    isGuarded: await hasRoles(folder),
    readText,
  });
  const digests = Object.entries(surface.tools)
    .filter(([tool]) => takesNew || known.includes(tool))
    .map(([tool, definition]) => [tool, digestDefinition(definition)]);
  const isChanged = added.length + changed.length + lost.length > 0;
  if (isChanged) await putFiles(folder, files);
  const fingerprint = digest(digests.toSorted());
  return { isChanged, fingerprint, notes, conflicts: [], problems: [], unimported: others };
}

function toReach({ url, command, mounts }: UpstreamContent) {
  return defined({ url, command, mounts });
}

/** Finds the folder of an upstream's tools: where its tools' manifests are. */
async function findServer(folder: string, name: string): Promise<string> {
  const readText = createTextReader(folder);
  for (const entry of await readdir(join(folder, "manifests"), { recursive: true })) {
    const [server = "", file = "", ...more] = entry.split(/[\\/]/);
    if (!file.endsWith(".yaml") || more.length > 0 || file === "server.yaml") continue;
    const text = (await readText(`manifests/${server}/${file}`)) ?? "";
    const content: unknown = text.includes("upstreams") ? parse(text, { logLevel: "silent" }) : undefined;
    const upstreams = isObject(content) ? content["upstreams"] : undefined;
    if (Array.isArray(upstreams) && upstreams.includes(name)) return server;
  }
  return name.replaceAll("_", "-");
}

/** A source that has lost everything is taken for one that is broken: no scheduled job may remove all tools. */
function gone(what: string): CairnError {
  const advice = "If that is meant, remove the import by hand";
  return new CairnError("UPSTREAM_ERROR", `Nothing of the import is left: ${what} that were imported. ${advice}.`);
}

function digest(value: unknown): string {
  return hash("sha256", canonicalJson(value as Parameters<typeof canonicalJson>[0]));
}
