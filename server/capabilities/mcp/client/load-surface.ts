import { CairnError } from "../../../errors.ts";
import { defined } from "../../../json/defined.ts";
import { isObject } from "../../../json/is-object.ts";
import { type Definition, type ListName, type McpSurface, toDefinitions } from "../../../semver/surfaces/surface.ts";
import type { McpConnection } from "./connection.ts";
import { type Ask, greet } from "./greet.ts";

/** Pages of one list, and entries in it, beyond which a server counts as endless. */
const PAGE_LIMIT = 1_000;
const ENTRY_LIMIT = 20_000;
/** Characters of JSON of one list, so that no server fills the memory with pages. */
const LIST_LENGTH = 64 * 2 ** 20;
const METHOD_NOT_FOUND = -32_601;

/** Asks a server for everything that its clients can see. */
export async function loadSurface(connection: McpConnection, version: string): Promise<McpSurface> {
  const { protocol, about, serverInfo, ask } = await greet(connection, { name: "cairn-surface", version });
  const capabilities = isObject(about["capabilities"]) ? (about["capabilities"] as Definition) : {};
  const { instructions } = about;
  const list = async (method: string, name: ListName, isOffered: boolean) =>
    toDefinitions(name, isOffered ? await listAll(connection.label, ask, method, name) : []);
  const { resources: hasResources, prompts: hasPrompts } = capabilities;
  return {
    server: toServer(connection.label, serverInfo),
    protocol,
    capabilities,
    ...defined({ instructions: typeof instructions === "string" ? instructions : undefined }),
    tools: await loadTools(connection.label, ask),
    prompts: await list("prompts/list", "prompts", hasPrompts !== undefined),
    resources: await list("resources/list", "resources", hasResources !== undefined),
    resourceTemplates: await list("resources/templates/list", "resourceTemplates", hasResources !== undefined),
  };
}

/** Asks for all tools; also a server that forgets to say that it has tools has them. */
export async function loadTools(label: string, ask: Ask): Promise<McpSurface["tools"]> {
  return toDefinitions("tools", await listAll(label, ask, "tools/list", "tools"));
}

function toServer(label: string, info: unknown): McpSurface["server"] {
  if (isObject(info) && typeof info["name"] === "string" && typeof info["version"] === "string") {
    return { ...(info as Definition), name: info["name"], version: info["version"] };
  }
  throw new CairnError("UPSTREAM_ERROR", `\`${label}\` does not say its name and version (\`serverInfo\`).`);
}

async function listAll(label: string, ask: Ask, method: string, name: ListName): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let length = 0;
  const fail = (what: string) => new CairnError("UPSTREAM_ERROR", `\`${method}\` of \`${label}\` ${what}.`);
  do {
    const { result, error } = await ask(method, defined({ cursor }));
    if (error?.code === METHOD_NOT_FOUND && cursor === undefined) return [];
    if (result === undefined) throw fail(`fails: ${error?.message ?? "it does not say why"}`);
    const { [name]: page, nextCursor } = result;
    if (!Array.isArray(page)) throw fail(`answers without a list \`${name}\``);
    for (const entry of page) entries.push(entry);
    length += JSON.stringify(page).length;
    if (length > LIST_LENGTH) throw fail(`has more than ${LIST_LENGTH} characters`);
    if (entries.length > ENTRY_LIMIT) throw fail(`has more than ${ENTRY_LIMIT} entries`);
    cursor = typeof nextCursor === "string" ? nextCursor : undefined;
    if (cursor !== undefined && seen.has(cursor))
      throw fail(`never ends: it gives the cursor \`${cursor.slice(0, 100)}\` again`);
    if (seen.size >= PAGE_LIMIT) throw fail(`has more than ${PAGE_LIMIT} pages`);
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return entries;
}
