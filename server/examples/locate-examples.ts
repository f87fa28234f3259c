import { type Position, START } from "../versions/manifests/position.ts";
import { readYaml } from "../versions/manifests/yaml/read-yaml.ts";
import type { Tool } from "../versions/version.ts";

/** The text of a file of the version; undefined where it has none of that name. */
export type ReadText = (file: string) => Promise<string | undefined>;

/** Locates each example of a tool in its manifest. */
export async function locateExamples(readText: ReadText, tool: Tool): Promise<readonly Position[]> {
  const text = await readText(tool.file);
  const read = text === undefined ? undefined : readYaml(tool.file, text);
  return tool.examples.map((_example, index) => (read?.ok === true ? read.position(["examples", index]) : START));
}
