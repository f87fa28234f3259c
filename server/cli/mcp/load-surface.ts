import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { isObject } from "../../json/is-object.ts";
import { nestsDeeper } from "../../json/nests-deeper.ts";
import { SERVER_INFO_KEY } from "../../protocol/identity.ts";
import { isModern, LEGACY_REVISIONS, PROTOCOL_VERSION, REVISIONS } from "../../protocol/revisions.ts";
import { type Definition, type ListName, type McpSurface, toDefinitions } from "../../semver/surfaces/surface.ts";
import type { Answer, McpConnection } from "./connection.ts";

/** Pages of one list, and entries in it, beyond which a server counts as endless. */
const PAGE_LIMIT = 1_000;
const ENTRY_LIMIT = 20_000;
/** Containers in one another in an answer: what can be written as canonical JSON, with room around it. */
const NESTING_LIMIT = 200;
const METHOD_NOT_FOUND = -32_601;

type Params = Readonly<Record<string, unknown>>;
type Ask = (method: string, params?: Params) => Promise<Answer>;

interface Greeting {
  readonly protocol: string;
  readonly about: Params;
  readonly serverInfo: unknown;
  readonly ask: Ask;
}

/**
 * Asks a server for everything that its clients can see. The handshake of revisions up to 2025-11-25 is tried first, as
 * most servers speak it, and `server/discover` of 2026-07-28 after it, so that one server always answers in one way.
 */
export async function loadSurface(from: McpConnection, version: string): Promise<McpSurface> {
  const connection: McpConnection = {
    ...from,
    request: async (...call) => refuseDeep(from, await from.request(...call)),
  };
  const { protocol, about, serverInfo, ask } = await greet(connection, version);
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
    // Servers that forget to say that they have tools have them nevertheless.
    tools: await list("tools/list", "tools", true),
    prompts: await list("prompts/list", "prompts", hasPrompts !== undefined),
    resources: await list("resources/list", "resources", hasResources !== undefined),
    resourceTemplates: await list("resources/templates/list", "resourceTemplates", hasResources !== undefined),
  };
}

/** Returns the answer. @throws UPSTREAM_ERROR for one that nests too deeply to be written. */
function refuseDeep({ label }: McpConnection, answer: Answer): Answer {
  if (!nestsDeeper(answer, NESTING_LIMIT)) return answer;
  throw new CairnError(
    "UPSTREAM_ERROR",
    `\`${label}\` answers with more than ${NESTING_LIMIT} containers in one another.`,
  );
}

async function greet(connection: McpConnection, version: string): Promise<Greeting> {
  const clientInfo = { name: "cairn-surface", version };
  const first = await connection
    .request("initialize", { protocolVersion: LEGACY_REVISIONS[0], capabilities: {}, clientInfo })
    .catch((error: unknown): Answer => {
      // A server without the handshake may refuse it without a word of JSON-RPC.
      if (
        !(error instanceof CairnError) ||
        error.name !== "UPSTREAM_ERROR" ||
        /refuses us|redirects/.test(error.message)
      )
        throw error;
      return { error: { code: 0, message: error.message } };
    });
  if (first.result !== undefined) {
    const { protocolVersion, serverInfo } = first.result;
    const protocol = String(protocolVersion);
    connection.agree(protocol);
    await connection.notify("notifications/initialized");
    return {
      protocol,
      about: first.result,
      serverInfo,
      ask: (method, params = {}) => connection.request(method, params),
    };
  }
  const protocol = REVISIONS.find(isModern) ?? "";
  connection.agree(protocol);
  const _meta = {
    [PROTOCOL_VERSION]: protocol,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": clientInfo,
  };
  const ask: Ask = (method, params = {}) => connection.request(method, { ...params, _meta });
  const second = await ask("server/discover");
  if (second.result === undefined) {
    const said = `\`initialize\`: ${first.error?.message}; \`server/discover\`: ${second.error?.message}`;
    throw new CairnError("UPSTREAM_ERROR", `\`${connection.label}\` greets no client (${said}).`);
  }
  const { _meta: meta, serverInfo = isObject(meta) ? meta[SERVER_INFO_KEY] : undefined } = second.result;
  return { protocol, about: second.result, serverInfo, ask };
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
  const fail = (what: string) => new CairnError("UPSTREAM_ERROR", `\`${method}\` of \`${label}\` ${what}.`);
  do {
    const { result, error } = await ask(method, defined({ cursor }));
    if (error?.code === METHOD_NOT_FOUND && cursor === undefined) return [];
    if (result === undefined) throw fail(`fails: ${error?.message ?? "it does not say why"}`);
    const { [name]: page, nextCursor } = result;
    if (!Array.isArray(page)) throw fail(`answers without a list \`${name}\``);
    for (const entry of page) entries.push(entry);
    if (entries.length > ENTRY_LIMIT) throw fail(`has more than ${ENTRY_LIMIT} entries`);
    cursor = typeof nextCursor === "string" ? nextCursor : undefined;
    if (cursor !== undefined && seen.has(cursor))
      throw fail(`never ends: it gives the cursor \`${cursor.slice(0, 100)}\` again`);
    if (seen.size >= PAGE_LIMIT) throw fail(`has more than ${PAGE_LIMIT} pages`);
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return entries;
}
