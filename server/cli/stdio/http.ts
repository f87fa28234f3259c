import { Agent, fetch, type Response } from "undici";
import { CairnError } from "../../errors.ts";
import { toAuthorization } from "../client/service-token.ts";
import { toRefusal } from "../client/service-url.ts";
import { readText } from "./answer.ts";
import type { BridgeHeaders } from "./headers.ts";
import { findServerMessage } from "./message.ts";
import { defined } from "../../json/defined.ts";

interface McpRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers: BridgeHeaders;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** One HTTP request to the endpoint; rejects with UNAVAILABLE when no answer comes. */
export type Send = (request: McpRequest) => Promise<Response>;

/** Errors of connections that no server accepted, so that nothing was sent. */
const NOT_REACHED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
const ACCEPT = "application/json, text/event-stream";

/**
 * Requests to one MCP endpoint, and `close` for their connections. Where nobody listens, `findOther` may know where the
 * endpoint is now.
 */
export function openMcpHttp(
  first: string,
  token?: string,
  findOther?: (gone: string) => Promise<string>,
): { readonly send: Send; readonly close: () => Promise<void> } {
  const authorization = toAuthorization(token);
  let endpoint = first;
  // How long a tool may take is for the server to say, and a stream may be silent for hours.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  function request({ method, headers, body, signal }: McpRequest): Promise<Response> {
    const accept = method === "GET" ? "text/event-stream" : ACCEPT;
    const type = body === undefined ? {} : { "content-type": "application/json" };
    return fetch(endpoint, {
      method,
      headers: { accept, ...type, ...headers, ...authorization },
      ...defined({ body }),
      signal,
      dispatcher,
    });
  }

  /** Nothing was sent where nobody listened, so the request can go to where the service is now. */
  async function requestElsewhere(message: McpRequest, error: unknown): Promise<Response> {
    if (findOther === undefined || !isNotReached(error)) throw error;
    endpoint = await findOther(endpoint);
    return request(message);
  }

  return {
    async send(message) {
      try {
        const response = await request(message).catch((error: unknown) => requestElsewhere(message, error));
        // Other refusals say themselves what to do; this one does not know how we are given a token.
        const access = { url: new URL(endpoint).origin, token };
        const refusal = response.status === 401 ? toRefusal(401, access, await readMessage(response)) : undefined;
        if (refusal === undefined) return response;
        throw refusal;
      } catch (error) {
        if (error instanceof CairnError) throw error;
        throw toUnavailable(endpoint, error);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** Reads the message of a refusal, where it is one of the protocol. */
async function readMessage(response: Response): Promise<unknown> {
  const { error } = (findServerMessage(await readText(response))?.body ?? {}) as { error?: { message?: unknown } };
  return error?.message;
}

function toUnavailable(endpoint: string, error: unknown): CairnError {
  const { origin } = new URL(endpoint);
  return isNotReached(error)
    ? new CairnError("UNAVAILABLE", `No service answers at ${origin}; start one with \`cairn serve\`.`, {
        cause: error,
      })
    : new CairnError(
        "UNAVAILABLE",
        `The connection to ${origin} broke before the answer came; whether the request had an effect is unknown.`,
        { cause: error },
      );
}

function isNotReached(error: unknown): boolean {
  const reason = ((error as Error).cause as { code?: unknown } | undefined)?.code;
  return NOT_REACHED.has(String(reason));
}
