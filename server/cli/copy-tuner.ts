import type { Json } from "../json/types.ts";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import type { Path } from "../architect/edit/edit-json.ts";
import { editYaml } from "../architect/edit/edit-yaml.ts";
import { isObject } from "../json/is-object.ts";
import { toPackageImports } from "../text/to-package-imports.ts";

/** Copies Cairn's own tuner into a repository that has none. */
export async function copyTuner(root: string, target: string): Promise<void> {
  for (const [path, text] of await loadTuner(root)) {
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), text);
  }
}

/**
 * Loads the files of Cairn's own tuner, an MCP server like any other, as another repository has them: its manifests, and the handlers
 * that go with them. They are copied rather than kept twice, so that they cannot differ; all that knows the experiments of
 * Cairn's example agent is left out.
 */
export async function loadTuner(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ...(await read("manifests/tuner", withoutExperiments)),
    ...(await read("tools/tuner", toPackageImports)),
  ]);

  async function read(
    folder: string,
    change: (text: string) => string,
  ): Promise<readonly (readonly [string, string])[]> {
    const names = await readdir(join(root, folder));
    return Promise.all(
      names.map(
        async (name) => [`${folder}/${name}`, change(await readFile(join(root, folder, name), "utf8"))] as const,
      ),
    );
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
