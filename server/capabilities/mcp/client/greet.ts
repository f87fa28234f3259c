import { CairnError } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import { nestsDeeper } from "../../../json/nests-deeper.ts";
import type { Answer, McpConnection, RequestOptions } from "./connection.ts";
import { isModern, LEGACY_REVISIONS, PROTOCOL_VERSION, REVISIONS, SERVER_INFO_KEY } from "./revisions.ts";

/** Containers in one another in an answer: what can be written as canonical JSON, with room around it. */
const NESTING_LIMIT = 200;

type Params = Readonly<Record<string, unknown>>;
export type Ask = (method: string, params?: Params, options?: RequestOptions) => Promise<Answer>;

/** Server after the greeting of its era, ready for requests. */
export interface Greeted {
  readonly protocol: string;
  /** Result of the greeting: capabilities and instructions. */
  readonly about: Params;
  readonly serverInfo: unknown;
  readonly ask: Ask;
}

/**
 * Greets a server. The handshake of revisions up to 2025-11-25 is tried first, as most servers speak it, and
 * `server/discover` of 2026-07-28 after it, so that one server always answers in one way.
 */
export async function greet(
  from: McpConnection,
  client: { readonly name: string; readonly version: string },
): Promise<Greeted> {
  const connection: McpConnection = {
    ...from,
    request: async (...call) => refuseDeep(from, await from.request(...call)),
  };
  const first = await connection
    .request("initialize", { protocolVersion: LEGACY_REVISIONS[0], capabilities: {}, clientInfo: client })
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
      ask: (method, params = {}, options) => connection.request(method, params, options),
    };
  }
  const protocol = REVISIONS.find(isModern) ?? "";
  connection.agree(protocol);
  const _meta = {
    [PROTOCOL_VERSION]: protocol,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": client,
  };
  const ask: Ask = (method, params = {}, options) =>
    connection.request(
      method,
      { ...params, _meta: { ...(isObject(params["_meta"]) ? params["_meta"] : {}), ..._meta } },
      options,
    );
  const second = await ask("server/discover");
  if (second.result === undefined) {
    const said = `\`initialize\`: ${first.error?.message}; \`server/discover\`: ${second.error?.message}`;
    throw new CairnError("UPSTREAM_ERROR", `\`${connection.label}\` greets no client (${said}).`);
  }
  const { _meta: meta, serverInfo = isObject(meta) ? meta[SERVER_INFO_KEY] : undefined } = second.result;
  return { protocol, about: second.result, serverInfo, ask };
}

/** Returns the answer. @throws UPSTREAM_ERROR for one that nests too deeply to be written. */
function refuseDeep({ label }: McpConnection, answer: Answer): Answer {
  if (!nestsDeeper(answer, NESTING_LIMIT)) return answer;
  throw new CairnError(
    "UPSTREAM_ERROR",
    `\`${label}\` answers with more than ${NESTING_LIMIT} containers in one another.`,
  );
}
