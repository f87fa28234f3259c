import type { Json } from "../json/types.ts";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import type { Path } from "../architect/edit/edit-json.ts";
import { editYaml } from "../architect/edit/edit-yaml.ts";
import { isObject } from "../json/is-object.ts";
import { toPackageImports } from "../text/to-package-imports.ts";

/**
 * Copies Cairn's own tuner, an MCP server like any other, into a repository: its manifests, and the handlers that go with them. They
 * are copied rather than kept twice, so that they cannot differ; all that knows the experiments of Cairn's example agent is
 * left out.
 */
export async function copyTuner(root: string, target: string): Promise<void> {
  await copy("manifests/tuner", withoutExperiments);
  await copy("tools/tuner", toPackageImports);

  async function copy(folder: string, change: (text: string) => string): Promise<void> {
    await mkdir(join(target, folder), { recursive: true });
    for (const name of await readdir(join(root, folder))) {
      await writeFile(join(target, folder, name), change(await readFile(join(root, folder, name), "utf8")));
    }
  }
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
