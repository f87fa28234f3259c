import { IncomingMessage } from "node:http";
import { readFileSync } from "node:fs";
import type { ServerRequest } from "srvx";
import type { Caller } from "../../auth/caller.ts";
import { hasScope, requireScopeOf } from "../../auth/scopes.ts";
import type { ToPrincipal } from "../../auth/to-principal.ts";
import { CairnError } from "../../errors.ts";
import { readIdempotencyKey } from "../../idempotency-key.ts";
import { showDeprecation } from "../../versions/retirement/deprecation.ts";
import { holdsAll } from "../../principal.ts";
import { compileSchema } from "../../versions/manifests/schema/compile-schema.ts";
import type { ToolDirectory } from "../../versions/registry/tools/tool-directory.ts";
import { readJson } from "../body.ts";
import { toJsonDocument } from "../document.ts";
import { RETRY_AFTER, toProblem } from "../problem.ts";
import type { Reply } from "../reply.ts";
import { toToolNotice, versionHeaders } from "../version-headers.ts";
import { toOrigin } from "../../kernel/origin.ts";
import type { Invoke } from "../../kernel/call.ts";
import { listServedTools } from "../../kernel/tools/served-tools.ts";
import type { MayUse } from "../../kernel/tools/served-tools.ts";
import { toSentence } from "../../kernel/stages/check-input.ts";
import type { ServedTool } from "../../kernel/tools/served-tools.ts";
import { toToolDefinition } from "../../kernel/tools/tool-definition.ts";
import { findServedTool } from "../../kernel/tools/served-tools.ts";
import { defined } from "../../json/defined.ts";

/** The tool registry's addresses, across versions: `/api/mcp/...`. */
export interface Facade {
  /** `GET health`: 200 while calls are taken, else 503. */
  health(): Reply;
  /** `GET tools`: the highest version of every tool that the caller may use. */
  tools(search: URLSearchParams, caller: Caller): Promise<Reply>;
  /** `POST tool/call`: calls one of them. */
  call(request: ServerRequest, caller: Caller): Promise<Reply>;
}

interface ToolCall {
  readonly toolName: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly version?: string;
  readonly idempotencyKey?: string;
}

export function createFacade(given: {
  readonly directory: ToolDirectory;
  readonly invoke: Invoke;
  readonly toPrincipal: ToPrincipal;
  readonly isReady: () => boolean;
  readonly createId: () => string;
  readonly now: () => number;
}): Facade {
  const { directory, invoke, toPrincipal, isReady, createId, now } = given;
  const readToolCall = createToolCallReader();
  const toMayUse =
    (caller: Caller): MayUse =>
    ({ version, tool }) =>
      hasScope(caller, tool.server) && holdsAll(toPrincipal(version, caller), tool.requiredCapabilities);

  return Object.freeze({
    health() {
      const timestamp = new Date(now()).toISOString();
      if (isReady()) return { document: toJsonDocument({ status: "ok", timestamp }) };
      const headers = { "retry-after": String(RETRY_AFTER) };
      return { document: toJsonDocument({ status: "error", timestamp }), status: 503, headers };
    },
    async tools(search: URLSearchParams, caller: Caller) {
      const { tools, unverified } = await listServedTools(directory, toMayUse(caller), readUnstable(search));
      const document = toJsonDocument({ tools: tools.map(toListed) });
      return { document, headers: { "cairn-unverified": String(unverified) }, keep: "checked-by-caller" as const };
    },
    async call(request: ServerRequest, caller: Caller) {
      const sent = request.runtime?.node?.req;
      if (!(sent instanceof IncomingMessage)) {
        throw new TypeError("Bodies are read from requests of Node's HTTP/1.1 only.");
      }
      const { toolName, input = {}, version: wanted, idempotencyKey } = readToolCall(await readJson(sent));
      // Here an address is of a tool's version, not the agent's.
      const origin = toOrigin(sent.headers, createId, undefined, `tool ${wanted ?? "latest"}`);
      const key = readIdempotencyKey(sent.headers["idempotency-key"], idempotencyKey);
      const served = await findServedTool(directory, toolName, wanted, toMayUse(caller)).catch((error: unknown) => {
        requireScopeOf(caller, toolName);
        throw error;
      });
      const { version, tool } = served;
      requireScopeOf(caller, toolName, tool.server);
      const { signal } = request;
      const result = await invoke({
        version,
        tool,
        input,
        principal: toPrincipal(version, caller),
        signal,
        origin,
        ...defined({ idempotencyKey: key }),
      });
      const headers = {
        ...versionHeaders(served, `/api/tools/${encodeURIComponent(tool.name)}`),
        ...toToolNotice(tool, served),
        "cairn-tool-version": tool.version,
        "cairn-conversation-id": result.conversationId,
        "cairn-logs": result.logsUri,
        "x-request-id": origin.requestId,
      };
      if (result.ok) return { document: toJsonDocument({ result: result.output }), headers };
      return toProblem(result.error, { conversation_id: result.conversationId }, headers);
    },
  });
}

/** The contract's fields, those that `GET /agent/{version}/api/tools` has besides, and where the tool can be pinned. */
function toListed({ tool, version, record }: ServedTool) {
  const name = record.tag?.slice(1) ?? version.commit;
  const servedBy = {
    version: name,
    commit: version.commit,
    endpoint: `/agent/${encodeURI(name)}/${tool.server}`,
    ...(record.deprecated === undefined ? {} : { deprecated: showDeprecation(record.deprecated) }),
  };
  return { ...toToolDefinition(tool), servedBy };
}

function createToolCallReader(): (body: unknown) => ToolCall {
  const schema: unknown = JSON.parse(
    readFileSync(new URL("../../../schemas/tool-call.schema.json", import.meta.url), "utf8"),
  );
  const check = compileSchema(schema as Readonly<Record<string, unknown>>);
  return (body) => {
    const violations = check(body);
    if (violations.length === 0) return body as ToolCall;
    throw new CairnError("BAD_REQUEST", `The body is wrong: ${toSentence(violations)}`, { details: violations });
  };
}

function readUnstable(search: URLSearchParams): boolean {
  const name = [...search.keys()].find((key) => key !== "include_unstable");
  const values = search.getAll("include_unstable");
  const [value = "false"] = values;
  if (name === undefined && values.length < 2 && (value === "true" || value === "false")) return value === "true";
  const parameter = name ?? "include_unstable";
  const how = name === undefined ? "must be true or false, once" : "is not known; there is include_unstable";
  throw new CairnError("BAD_REQUEST", `The query parameter \`${parameter}\` ${how}.`, { details: { parameter } });
}
