import { type Authenticate, type Caller, createAuthenticateWithin, type Credentials } from "../../auth/caller.ts";
import { requireScope } from "../../auth/scopes.ts";
import type { ToPrincipal } from "../../auth/to-principal.ts";
import type { Audit } from "../../kernel/audit/audit.ts";
import { createCancellation } from "../../cancellation.ts";
import { CairnError } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Exchange } from "../../protocol/exchange.ts";
import { type Message, readMessage, type RequestId } from "../../protocol/json-rpc.ts";
import { toAbilities } from "../../protocol/client-questions.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";
import { readJson } from "../body.ts";
import type { Challenge } from "../challenge.ts";
import type { FindDestination } from "../destination.ts";
import { type FindClient, toCredentials } from "../find-client.ts";
import type { HttpListener, HttpRequest, HttpResponse } from "../front/exchange.ts";
import type { createGuard } from "../guards.ts";
import { createFindAddress, type McpAddress, readMcpPath } from "./address.ts";
import { fail } from "./fail.ts";
import { createParameterCheck } from "./parameters.ts";
import { findPassedClient, isPassedOn, type PassOn } from "./pass-on.ts";
import { type Principal, SERVICE_TENANT } from "../../principal.ts";
import { createMcpReply } from "./reply.ts";
import { readRevision, type Revision } from "./revision.ts";
import { toCorsHeaders } from "../cors.ts";
import type { Streamed } from "./stream-guard.ts";
import { sendResponse, toWebRequest } from "./web-exchange.ts";
import { toOwner } from "../../kernel/audit/denials.ts";
import { type Origin, toOrigin, withClient } from "../../kernel/origin.ts";

export interface McpOptions {
  readonly registry: Registry;
  readonly findDestination: FindDestination;
  readonly guard: ReturnType<typeof createGuard>;
  readonly authenticate: Authenticate;
  readonly findClient: FindClient;
  readonly challenge: Challenge;
  readonly toPrincipal: ToPrincipal;
  readonly audit: Pick<Audit, "denied">;
  readonly createId: () => string;
  readonly log: Log;
  /** Absent where all sessions are in this process. */
  readonly passOn?: PassOn;
  /** Told of each answer that becomes a stream. */
  readonly onStream: (response: HttpResponse, streamed: Streamed) => void;
}

const NOBODY = { elicit: false, sample: false, roots: false };
/** Member of `_meta` under which revisions without a handshake name the client. */
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
/** Log level of clients that cannot set one. */
const DEFAULT_LOG_LEVEL = "info";

/** A request of somebody who may use the address that it came to. */
interface Arrival {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly address: McpAddress;
  readonly principal: Principal;
  readonly credentials: Credentials;
}

type Context = Pick<McpOptions, "toPrincipal" | "createId" | "log" | "onStream">;

/**
 * MCP's Streamable HTTP at `/agent/{version}/{server}`, for revisions with and without a handshake. It listens to Node
 * itself: this is the way that nearly all calls take, and every layer in between would cost each of them.
 */
export function createMcpListener(options: McpOptions): HttpListener {
  const { registry, guard, findClient, challenge, toPrincipal, audit, createId, passOn } = options;
  const authenticate = createAuthenticateWithin(options.authenticate);
  const findAddress = createFindAddress(registry, options.findDestination);
  const checkParameters = createParameterCheck();

  return (request, response) => {
    const path = readMcpPath(request);
    if (path === undefined || request.method === "OPTIONS") return false;
    let id: RequestId | null = null;
    let modern = false;
    let dual = false;
    let origin: Origin | undefined;
    let isGuarded = false;
    let credentials: Credentials | undefined;
    let caller: Caller | undefined;
    let isPreview = false;
    const answer = async () => {
      guard(request.headers.host, request.headers.origin);
      isGuarded = true;
      // Whoever may not use an address is not told what is there.
      const isPassed = passOn !== undefined && isPassedOn(request);
      if (isPassed) await passOn.take(request);
      credentials = toCredentials(request, path.path, isPassed ? findPassedClient : findClient);
      const who = authenticate(credentials, path.role);
      caller = who instanceof Promise ? await who : who;
      requireScope(caller, path.server);
      const node = passOn?.findNode(request);
      if (node !== undefined) return passOn?.pass(node, { request, response, caller, client: credentials.address });
      const found = findAddress(path, caller);
      const address = found instanceof Promise ? await found : found;
      isPreview = address.version.preview !== undefined;
      dual = address.server.errors === "protocol";
      const principal = toPrincipal(address.version, caller);
      const arrival: Arrival = { request, response, address, principal, credentials };
      if (request.method !== "POST") return answerStream(options, arrival, caller);
      checkAccept(request.headers.accept ?? "");
      const body = await readJson(request);
      const message = readMessage(body);
      if (message.kind !== "notification") id = message.id;
      // It may begin a session, whose answers need node:http.
      if (message.kind === "request" && message.method === "initialize" && request.handOver) return request.handOver();
      const revision = readRevision(message, request.headers);
      modern = revision.modern;
      origin = toMessageOrigin(request, createId, message, path.segment);
      if (modern) checkParameters(message, address.server, request.headers, principal);
      const session = revision.modern ? undefined : await findSession(message, request, address, caller);
      if (session !== undefined) {
        const answered = await session.handle(toWebRequest(request, address), body, address.endpoint, principal);
        return sendResponse(request, response, answered, address, () => stream(options, arrival));
      }
      return answerAlone(options, arrival, message, revision, origin);
    };
    answer().catch((error: unknown) => {
      // Previews leave nothing in the logs of tenants.
      const tenant = isPreview ? { tenant: SERVICE_TENANT } : {};
      const from = credentials?.address ?? findClient(request.socket.remoteAddress, request.headers["x-forwarded-for"]);
      audit.denied(error, { ...toOwner(caller), ...tenant, address: from });
      const cors = isGuarded ? toCorsHeaders(request.headers.origin) : [];
      fail(options, error, response, [...cors, ...challenge(error, path)], id, { modern, dual }, origin);
    });
    return true;
  };
}

async function answerAlone(
  context: Context,
  arrival: Arrival,
  message: Message,
  revision: Revision,
  origin: Origin,
): Promise<void> {
  const { request, response, address, principal } = arrival;
  const headers = [...address.headers, "x-request-id", origin.requestId, ...toCorsHeaders(request.headers.origin)];
  const reply = createMcpReply(response, headers, () => stream(context, arrival));
  // Notifications need no answer, and responses would answer a question that nobody asks here.
  if (message.kind !== "request") return reply.finish(undefined);
  const gone = createCancellation();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const exchange: Exchange = {
    principal,
    origin,
    modern: revision.modern,
    signal: gone,
    client: revision.modern ? toAbilities(revision.capabilities) : NOBODY,
    idempotencyKey: request.headers["idempotency-key"],
    ...toLogLevel(revision),
    ...toWatch(address, principal.tenant),
    ...(address.deprecated === undefined ? {} : { deprecated: address.deprecated }),
    send: reply.notify,
  };
  reply.finish(await address.endpoint(message, exchange));
}

/** Finds the session that a request belongs to, or begins one; `undefined` where there need be none. */
function findSession(message: Message, request: HttpRequest, address: McpAddress, caller: Caller) {
  const id = request.headers["mcp-session-id"];
  const { sessions } = address.kernel;
  if (typeof id === "string") return sessions.find(id, address.path, caller).session;
  const { interactive, liveTools } = address.server;
  // Without a session nobody could be told that live tools have come or gone.
  const isLive = liveTools !== undefined && !address.immutable;
  if (message.kind === "request" && message.method === "initialize" && (interactive || isLive)) {
    return sessions.open(address.path, caller, toWatch(address, caller.tenant).watch);
  }
  if (!interactive) return undefined;
  throw new CairnError(
    "INVALID_REQUEST",
    "This server keeps sessions: begin with `initialize`, then send the `Mcp-Session-Id` that it answers with.",
  );
}

/** Answers GET, the stream of a session, and DELETE, its end. */
async function answerStream(context: Context, arrival: Arrival, caller: Caller): Promise<void> {
  const { request, response, address, principal } = arrival;
  const id = request.headers["mcp-session-id"];
  const isStream = request.method === "GET" || request.method === "DELETE";
  if (typeof id !== "string" || !isStream) {
    throw new CairnError("METHOD_NOT_ALLOWED", "This MCP server takes POST only.");
  }
  const { session, events } = address.kernel.sessions.find(id, address.path, caller);
  const lastEvent = request.headers["last-event-id"];
  if (typeof lastEvent === "string" && !(await events.has(lastEvent))) {
    throw new CairnError("NOT_FOUND", "`Last-Event-ID` names no event of this session.");
  }
  const answered = await session.handle(toWebRequest(request, address), undefined, address.endpoint, principal);
  return sendResponse(request, response, answered, address, () => stream(context, arrival));
}

function stream(context: Context, { response, address, principal, credentials }: Arrival): void {
  context.onStream(response, { version: address.version, principal, credentials });
}

function toWatch({ immutable, segment, version, server, kernel }: McpAddress, tenant: string) {
  return immutable ? {} : { watch: kernel.watchAddress(segment, version, server, tenant) };
}

/** The origin of a message, with the client that it names: one without a handshake does so in every message. */
function toMessageOrigin(request: HttpRequest, createId: () => string, message: Message, segment: string): Origin {
  if (message.kind === "response") return toOrigin(request.headers, createId, undefined, segment);
  const { method, params } = message;
  const meta = params["_meta"] as { readonly [CLIENT_INFO]?: unknown } | undefined;
  const info = method === "initialize" ? params["clientInfo"] : meta?.[CLIENT_INFO];
  return withClient(toOrigin(request.headers, createId, method, segment), info);
}

function toLogLevel(revision: Revision) {
  if (!revision.modern) return { logLevel: DEFAULT_LOG_LEVEL } as const;
  return revision.logLevel === undefined ? {} : { logLevel: revision.logLevel };
}

function checkAccept(accept: string): void {
  const takes = (type: string) =>
    accept.includes(type) || accept.includes("*/*") || accept.includes(`${type.split("/")[0]}/*`);
  if (takes("application/json") && takes("text/event-stream")) return;
  throw new CairnError("NOT_ACCEPTABLE", "`Accept` must list both application/json and text/event-stream.");
}
