import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { CairnError } from "../../errors.ts";
import { loadLock } from "../import-lock.ts";
import type { ImportName } from "./drift.ts";
import { isObject } from "../../json/is-object.ts";
import type { UpstreamContent } from "../../versions/manifests/kinds/read-upstream.ts";

/** An import of the checkout, and where it came from. */
export interface KnownImport extends ImportName {
  /** File, address, or command in words of a shell. */
  readonly from: string;
  readonly isCommand: boolean;
}

const UPSTREAMS = "manifests/upstreams";

/** Lists the imports of a checkout, by name. @throws BAD_REQUEST for a file that cannot be read */
export async function listImports(folder: string): Promise<readonly KnownImport[]> {
  const locks = (await list(join(folder, "imports"), ".lock.json")).map(async (name): Promise<KnownImport> => {
    const lock = await loadLock(folder, name);
    return { kind: "openapi", name, from: lock?.source ?? "", isCommand: false };
  });
  const upstreams = (await list(join(folder, UPSTREAMS), ".yaml")).map(async (name): Promise<KnownImport> => {
    const { url, command = [] } = await loadUpstream(folder, name);
    return { kind: "mcp", name, from: url ?? command.map(quote).join(" "), isCommand: url === undefined };
  });
  return (await Promise.all([...locks, ...upstreams])).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Loads the manifest of an upstream. @throws BAD_REQUEST */
export async function loadUpstream(folder: string, name: string): Promise<UpstreamContent> {
  const path = `${UPSTREAMS}/${name}.yaml`;
  const content = await readFile(join(folder, path), "utf8").then(
    (text): unknown => parse(text, { logLevel: "error" }),
    () => undefined,
  );
  const isRead = isObject(content) && isObject(content["tools"]);
  if (isRead) return content as unknown as UpstreamContent;
  throw new CairnError("BAD_REQUEST", `\`${path}\` cannot be read; \`cairn validate\` says why.`);
}

async function list(folder: string, ending: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
}

/** Quotes a word of a command, as a shell takes it. */
function quote(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
