import { type IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Caller } from "../../auth/caller.ts";
import { CairnError, ERRORS } from "../../errors.ts";
import { NODE_HEADER } from "../../instance/node-token.ts";
import type { Nodes } from "../../instance/nodes.ts";
import { findSessionNode } from "../../protocol/session-id.ts";
import { readBytes } from "../body.ts";
import type { HttpRequest, HttpResponse } from "../front/exchange.ts";
import { readSentBytes } from "../nodes.ts";

/** Passes requests on to the node that has their session, so that a balancer need know nothing of sessions. */
export interface PassOn {
  /** Takes a request that says another node has passed it on, with all of its body. @throws UNAUTHENTICATED where none has */
  take(request: HttpRequest): Promise<void>;
  /** Finds the other node whose session a request is in; none for one that was passed on, so that no request goes round. */
  findNode(request: HttpRequest): string | undefined;
  /**
   * Has the node answer, for a caller whom it asks for credentials itself. `client` is the IP address of the caller.
   *
   * @throws SESSION_NOT_FOUND once the node has ended, with its sessions; UNAVAILABLE where it does not answer, or another answers in its place
   */
  pass(
    node: string,
    passed: { request: HttpRequest; response: HttpResponse; caller: Caller; client: string | undefined },
  ): Promise<void>;
  /** Ends what is passed on. */
  close(): void;
}

/** Requests that one process passes on at once: each holds two connections. */
const PASSED_LIMIT = 4_000;
/** Those of one tenant, so that no one tenant keeps all others from their sessions. */
const TENANT_LIMIT = 2_000;
/** Milliseconds of silence after which a node is taken to be gone: it gives a sign of life every 15 seconds. */
const SILENCE_MS = 60_000;
/** Milliseconds between looks whether the nodes that requests were passed on to are still nodes. */
const LOOK_MS = 1_000;
/**
 * Answers of those who are not the node that was meant: another node of the service says 421, another service 401. They are not
 * for the client, who would sign in again: its credentials were good here a moment ago.
 */
const REFUSALS: ReadonlySet<number> = new Set([ERRORS.MISDIRECTED.status, ERRORS.UNAUTHENTICATED.status]);
/** Header with the IP address of the client, from a node. */
const CLIENT_HEADER = "x-forwarded-for";

/** Headers of one connection (RFC 9110, section 7.6.1), and those that are made anew. */
const OWN_HEADERS = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  CLIENT_HEADER,
  NODE_HEADER,
]);

/** Checks that a request says another node has passed it on. */
export function isPassedOn({ headers }: HttpRequest): boolean {
  return headers[NODE_HEADER] !== undefined;
}

/** Finds the IP address of a client in a request that a node has passed on. */
export function findPassedClient(_connection: string | undefined, forwardedFor: unknown): string | undefined {
  return typeof forwardedFor === "string" ? forwardedFor : undefined;
}

export function createPassOn(nodes: Nodes): PassOn {
  /** Requests under way, and which node each waits for. */
  const open = new Map<AbortController, string>();
  const ofTenants = new Map<string, number>();
  let looking: NodeJS.Timeout | undefined;

  /** Ends what waits for nodes that have ended: one that hangs closes no connection. */
  async function look(): Promise<void> {
    for (const node of new Set(open.values())) {
      // Without the database nobody knows, and nobody is struck off.
      if (await nodes.isAlive(node).catch(() => true)) continue;
      for (const [ending, waited] of open) if (waited === node) ending.abort();
    }
    looking = open.size === 0 ? undefined : setTimeout(() => void look(), LOOK_MS);
  }

  return Object.freeze<PassOn>({
    async take(request) {
      const { method = "", url: path = "", headers } = request;
      const sender = nodes.findSender({ method, path, token: String(headers[NODE_HEADER]) });
      Object.assign(request, { body: await readSentBytes(request, sender) });
    },
    findNode(request) {
      const node = findSessionNode(request.headers["mcp-session-id"]);
      return node === nodes.self.id || isPassedOn(request) ? undefined : node;
    },
    async pass(node, { request, response, caller: { tenant }, client }) {
      if (!(response instanceof ServerResponse)) throw new TypeError("Sessions are answered through node:http only.");
      const own = ofTenants.get(tenant) ?? 0;
      if (open.size >= PASSED_LIMIT) throw new CairnError("UNAVAILABLE", "Too many requests in sessions wait here.");
      if (own >= TENANT_LIMIT) {
        throw new CairnError("RATE_LIMITED", `Your tenant has ${own} requests in sessions open here; end one first.`);
      }
      const ending = new AbortController();
      open.set(ending, node);
      looking ??= setTimeout(() => void look(), LOOK_MS);
      ofTenants.set(tenant, own + 1);
      try {
        await exchange(nodes, node, { request: request as IncomingMessage, response, ending, client });
      } finally {
        open.delete(ending);
        const left = (ofTenants.get(tenant) ?? 0) - 1;
        if (left > 0) ofTenants.set(tenant, left);
        else ofTenants.delete(tenant);
      }
    },
    close() {
      clearTimeout(looking);
      for (const ending of open.keys()) ending.abort();
    },
  });
}

interface Passed {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly ending: AbortController;
  readonly client: string | undefined;
}

async function exchange(nodes: Nodes, node: string, { request, response, ending, client }: Passed): Promise<void> {
  const { method = "GET", url: path = "/", headers } = request;
  response.once("close", () => ending.abort());
  const body = method === "POST" ? new Uint8Array(await readBytes(request)) : undefined;
  const quiet = setTimeout(() => ending.abort(), SILENCE_MS);
  try {
    const answered = await nodes.request(node, {
      method,
      path,
      headers: { ...toPassed(headers), ...(client === undefined ? {} : { [CLIENT_HEADER]: client }) },
      signal: ending.signal,
      ...(body === undefined ? {} : { body }),
    });
    if (REFUSALS.has(answered.status)) {
      await answered.body?.cancel();
      throw new CairnError("UNAVAILABLE", "The node that has this session is not reached at its address.");
    }
    response.writeHead(answered.status, [...answered.headers].filter(([name]) => !OWN_HEADERS.has(name)).flat());
    // A stream may be silent for long, and its client waits for the headers.
    response.flushHeaders();
    if (answered.body === null) return void response.end();
    const pieces = Readable.fromWeb(answered.body as Parameters<typeof Readable.fromWeb>[0]);
    pieces.on("data", () => quiet.refresh());
    await pipeline(pieces, response);
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else throw await toGone(nodes, node, error);
  } finally {
    clearTimeout(quiet);
  }
}

/** A node where nobody listens has ended, and its sessions with it, even while it is still counted among the nodes. */
async function toGone(nodes: Nodes, node: string, error: unknown): Promise<unknown> {
  if (isRefused(error) || !(await nodes.isAlive(node))) {
    return new CairnError("SESSION_NOT_FOUND", "There is no such session any more; begin a new one with `initialize`.");
  }
  if (error instanceof CairnError) return error;
  return new CairnError("UNAVAILABLE", "The node that has this session does not answer.", { cause: error });
}

function isRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "ECONNREFUSED") return true;
  }
  return false;
}

function toPassed(headers: IncomingMessage["headers"]): Record<string, string> {
  const dropped = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || OWN_HEADERS.has(name) || dropped.has(name) ? [] : [[name, String(value)]],
  );
  return Object.fromEntries(kept);
}
