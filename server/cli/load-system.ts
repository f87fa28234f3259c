import type { Json } from "../json/types.ts";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { initSync } from "es-module-lexer";
import { parse } from "yaml";
import type { Path } from "../architect/edit/edit-json.ts";
import { editYaml } from "../architect/edit/edit-yaml.ts";
import { readImports } from "../capabilities/knowledge/read-imports.ts";
import { saveText } from "../imports/save-text.ts";
import { isObject } from "../json/is-object.ts";
import { toPackageImports } from "../text/to-package-imports.ts";

/** Servers that ship with Cairn, each with the folders of manifests that go with it beside its own. */
const SYSTEMS = {
  tuner: [],
  work: ["manifests/workflows"],
  artifacts: [],
  beliefs: [],
  decisions: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type System = keyof typeof SYSTEMS;

export const SYSTEM_NAMES = Object.keys(SYSTEMS) as readonly System[];

const HOST_API = "server/host-api.ts";

/** Copies a server of Cairn's own into a repository that has none of it. */
export async function copySystem(root: string, name: System, target: string): Promise<void> {
  for (const [path, text] of await loadSystem(root, name)) await saveText(join(target, path), text);
}

/**
 * Loads the files of one of Cairn's own servers, which are like those of any other, as another repository has them: its manifests, the
 * parameter sets that these name, and the handlers with all that they import. They are copied rather than kept twice, so that they
 * cannot differ; what knows the experiments of Cairn's example agent is left out.
 */
export async function loadSystem(root: string, name: System): Promise<ReadonlyMap<string, string>> {
  const folders = [`manifests/${name}`, ...SYSTEMS[name]];
  const manifests = new Map((await Promise.all(folders.map((folder) => readFolder(root, folder)))).flat());
  const change = name === "tuner" ? withoutExperiments : (text: string) => text;
  const changed = [...manifests].map(([path, text]) => [path, change(text)] as const);
  const sets = await Promise.all(listSets(changed).map(async (path) => [path, await load(root, path)] as const));
  const code = name === "tuner" ? [`tools/${name}`] : [`tools/${name}`, `tools/_lib/${name}`];
  const handlers = await loadHandlers(root, code);
  return new Map([...changed, ...sets, ...handlers]);
}

const load = (root: string, path: string) => readFile(join(root, path), "utf8");

async function readFolder(root: string, folder: string): Promise<readonly (readonly [path: string, text: string])[]> {
  const names = (await readdir(join(root, folder))).map((name) => `${folder}/${name}`);
  return Promise.all(names.map(async (path) => [path, await load(root, path)] as const));
}

/** Lists the manifests of the parameter sets that tools read. */
function listSets(manifests: readonly (readonly [path: string, text: string])[]): readonly string[] {
  const named = manifests.flatMap(([, text]) => {
    const content: unknown = parse(text);
    const parameters = isObject(content) ? content["parameters"] : undefined;
    return Array.isArray(parameters) ? parameters.map(String) : [];
  });
  return [...new Set(named)].map((set) => `manifests/parameters/${set}.yaml`);
}

/** Loads the modules of folders, and those that they import, directly or not. */
async function loadHandlers(root: string, folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  initSync();
  const found = new Map((await Promise.all(folders.map((folder) => readFolder(root, folder)))).flat());
  for (const [path, code] of found) {
    const read = readImports(code, undefined);
    if (read === undefined) throw new Error(`The imports of ${path} cannot be read.`);
    for (const { specifier } of read.imports) {
      const imported = posix.join(posix.dirname(path), specifier);
      if (imported !== HOST_API && !found.has(imported)) found.set(imported, await load(root, imported));
    }
    found.set(path, toPackageImports(code));
  }
  return found;
}

/** A manifest without suggestions, and with those examples alone that hold whatever experiments there are. */
function withoutExperiments(text: string): string {
  const paths = findAway(parse(text) as Json, []);
  // From the end, so that the places of the others stay what they are.
  return paths.reverse().reduce((left, path) => editYaml(left, { kind: "remove", path }), text);
}

function findAway(value: Json, path: Path): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return (Array.isArray(value) ? [...value.entries()] : Object.entries(value)).flatMap(([step, item]) => {
    const at = [...path, step];
    const isAway = step === "suggestions" || (path.length === 1 && path[0] === "examples" && !holdsAnywhere(item));
    return isAway ? [at] : findAway(item, at);
  });
}

function holdsAnywhere(example: unknown): boolean {
  if (!isObject(example)) return false;
  return example["error"] === "NOT_FOUND" || !(isObject(example["input"]) && "experiment" in example["input"]);
}
