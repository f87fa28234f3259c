import { posix } from "node:path";
import type { Tool, Version } from "../../../versions/version.ts";
import type { Reading } from "./open-reading.ts";

/** The parts of a version that a message is most likely about. */
export interface Focus {
  /** Tools, the most likely first. */
  readonly tools: readonly Tool[];
  /** Paths of manifests, of these tools and of others, the most likely first. */
  readonly manifests: readonly string[];
}

/** Tools and manifests that the prompt shows. */
const TOOLS = 2;
const MANIFESTS = 4;
const HITS = 12;

/** Finds what a message is about: the tools and experiments that it names, and then the manifests with its words. */
export async function findFocus(message: string, reading: Reading, version: Version): Promise<Focus> {
  const tools = [...version.tools.values()];
  const said = ` ${toPlain(message)} `;
  const isSaid = (name: string) => said.includes(` ${toPlain(name)} `);
  const named = tools.filter(({ name }) => isSaid(name) || isSaid(name.slice(name.indexOf(".") + 1)));
  const experiments = [...version.parameters.values()]
    .filter(({ name, parameters }) => isSaid(name) || [...parameters.keys()].some(isSaid))
    .map(({ file }) => file);
  const hits = (await reading.index())
    .search(message, { limit: HITS })
    .map(({ path }) => path)
    .filter((path) => path.startsWith("manifests/"));
  const manifests = [...new Set([...named.map(({ file }) => file), ...experiments, ...hits])].slice(0, MANIFESTS);
  const byFile = new Map(tools.map((tool) => [tool.file, tool]));
  return { tools: manifests.flatMap((path) => byFile.get(path) ?? []).slice(0, TOOLS), manifests };
}

/** Finds the files of `tools/` that a handler imports by itself, in their order. */
export function findImports(handler: string, text: string): readonly string[] {
  const found = [...text.matchAll(/\bfrom\s*["'](\.{1,2}\/[^"']+)["']/g)];
  const paths = found.map(([, path = ""]) => posix.join(posix.dirname(handler), path));
  return [...new Set(paths)].filter((path) => path.startsWith("tools/"));
}

/** Words in small letters with single spaces between them; signs of names part words. */
function toPlain(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}
