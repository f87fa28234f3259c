import { START, type Position } from "../versions/manifests/position.ts";
import { readYaml } from "../versions/manifests/yaml/read-yaml.ts";
import type { Tree } from "../versions/tree.ts";
import type { Tool } from "../versions/version.ts";

const MAX_BYTES = 256 * 1024;

/** Where each example of a tool stands in its manifest, for whoever is to change it. */
export async function locateExamples(tree: Tree, tool: Tool): Promise<readonly Position[]> {
  const entry = tree.entries.get(tool.file);
  const bytes = entry === undefined ? undefined : await tree.read(entry, MAX_BYTES);
  const read = bytes === undefined ? undefined : readYaml(tool.file, Buffer.from(bytes).toString("utf8"));
  return tool.examples.map((_example, index) => (read?.ok === true ? read.position(["examples", index]) : START));
}
