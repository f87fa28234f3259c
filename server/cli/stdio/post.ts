import { Response } from "undici";
import { ERRORS } from "../../errors.ts";
import { readText } from "./answer.ts";
import { type BridgeHeaders, toModernHeaders } from "./headers.ts";
import type { Send } from "./http.ts";
import { type ClientMessage, findServerMessage } from "./message.ts";
import { createParameters } from "./parameters.ts";
import type { Session } from "./session.ts";

/** Posts a message of the client with the headers that it needs. */
export type Post = (message: ClientMessage, signal: AbortSignal) => Promise<Response>;

/** Two refusals say that nothing was done and what to do about it; then the message is posted once more. */
export function createPost(send: Send, session: Session): Post {
  const parameters = createParameters(send);

  return async (message, signal) => {
    const once = () => send({ method: "POST", headers: headersOf(message), body: message.text, signal });
    const { id } = session;
    const response = await once();
    if (response.status !== 400 && response.status !== 404) return response;
    const refusal = await readText(response);
    if (await mend(message, { id, status: response.status, code: codeOf(refusal) }, signal)) return once();
    return new Response(refusal, { status: response.status, headers: response.headers });
  };

  function headersOf(message: ClientMessage): BridgeHeaders {
    if (message.revision === undefined) return message.method === "initialize" ? {} : session.headers();
    return { ...toModernHeaders(message), ...(isCall(message) ? parameters.headers(message) : {}) };
  }

  /** Handles a refusal; returns whether another attempt is worth it. */
  async function mend(
    message: ClientMessage,
    refusal: { readonly id: string | undefined; readonly status: number; readonly code: unknown },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { id, status, code } = refusal;
    if (message.revision !== undefined) {
      return isCall(message) && code === ERRORS.HEADER_MISMATCH.jsonRpc && parameters.learn(message, signal);
    }
    const isForgotten = status === 404 && code !== ERRORS.METHOD_NOT_FOUND.jsonRpc;
    return isForgotten && id !== undefined && message.method !== "initialize" && session.renew(id);
  }
}

function isCall({ method }: ClientMessage): boolean {
  return method === "tools/call";
}

function codeOf(refusal: string): unknown {
  const { error } = (findServerMessage(refusal)?.body ?? {}) as { error?: { code?: unknown } };
  return error?.code;
}
