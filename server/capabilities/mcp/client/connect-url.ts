import { CairnError } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import { createValueMask, type MaskSecrets } from "../../secrets/mask-secrets.ts";
import { isModern } from "./revisions.ts";
import { readEvents } from "../../../text/events.ts";
import {
  type Answer,
  findAnswer,
  findMessage,
  findNotification,
  type McpConnection,
  MESSAGE_LIMIT,
  type Message,
  meter,
  type RequestOptions,
  toReply,
} from "./connection.ts";

export type Headers = Readonly<Record<string, string>>;

export interface FetchInit {
  readonly method: "POST" | "DELETE";
  readonly headers: Headers;
  readonly body: string | null;
  readonly signal: AbortSignal;
  readonly redirect: "manual";
}

/** Part of the platform's `fetch` that is used. */
export type Fetch = (url: URL, init: FetchInit) => Promise<Response>;

/** Characters of a refusal that are repeated. */
const REFUSAL_LENGTH = 200;
/** Milliseconds that a stream may take to end after its answer. One that is broken off takes its connection with it. */
const END_MS = 1_000;

export interface UrlOptions {
  /** Go to that server and to no other: redirections are refused. */
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  /** Advice where the server wants other credentials, or some. */
  readonly hint: string;
  /** Takes credentials out of what the server says, before anyone sees it. Absent: none were sent. */
  readonly mask?: MaskSecrets;
  /** Bytes of one answer, with what comes before it. */
  readonly limit?: number;
}

interface State extends UrlOptions {
  /** Of whole messages. */
  readonly maskValue: <Value>(value: Value) => Value;
  readonly url: URL;
  readonly label: string;
  session?: string;
  /** Revision that was agreed on. */
  agreed?: string;
}

/** Speaks with a server over Streamable HTTP. */
export function connectUrl(url: URL, options: UrlOptions): McpConnection {
  // Neither a password nor a token in an address may show in errors.
  const label = `${url.origin}${url.pathname}`;
  const state: State = { ...options, url, label, maskValue: createValueMask(options.mask) };
  let count = 0;
  const notify: McpConnection["notify"] = async (method, params) =>
    send(state, "POST", { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) }).then(
      discard,
      (error: unknown) => Promise.reject(withoutSecrets(state, error)),
    );
  return {
    label,
    maskValue: state.maskValue,
    async request(method, params, given = {}) {
      const id = ++count;
      const end = new AbortController();
      const signal = given.signal === undefined ? end.signal : AbortSignal.any([given.signal, end.signal]);
      try {
        const response = await send(state, "POST", { jsonrpc: "2.0", id, method, params }, signal);
        return await readAnswer(state, response, id, given, end);
      } catch (error) {
        end.abort();
        // Since 2026-07-28 the end of the stream says it; a server that is gone has nothing to give up.
        if (given.signal?.aborted === true && !isModern(state.agreed ?? ""))
          void notify("notifications/cancelled", { requestId: id }).catch(() => undefined);
        throw withoutSecrets(state, error);
      }
    },
    notify,
    agree(protocol) {
      state.agreed = protocol;
    },
    isOpen: () => !options.signal.aborted,
    async close() {
      if (state.session === undefined || options.signal.aborted) return;
      // A session that the server forgets by itself is no failure.
      await send(state, "DELETE").then(discard, () => undefined);
    },
  };
}

async function send(
  state: State,
  method: "POST" | "DELETE",
  message?: Message,
  given?: AbortSignal,
): Promise<Response> {
  const { url, headers, signal, fetch, session, agreed } = state;
  const own: Headers = {
    ...(message === undefined ? {} : { "content-type": "application/json" }),
    accept: "application/json, text/event-stream",
    ...(session === undefined ? {} : { "mcp-session-id": session }),
    ...(agreed === undefined ? {} : { "mcp-protocol-version": agreed }),
    ...(agreed !== undefined && isModern(agreed) ? repeatInHeaders(message) : {}),
  };
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...own },
    body: message === undefined ? null : JSON.stringify(message),
    signal: given === undefined ? signal : AbortSignal.any([signal, given]),
    redirect: "manual",
  }).catch((cause: unknown) => {
    throw toUnavailable(state, cause, given);
  });
  const granted = response.headers.get("mcp-session-id");
  if (granted !== null) state.session ??= granted;
  return response;
}

async function readAnswer(
  state: State,
  response: Response,
  id: number,
  options: RequestOptions,
  end: AbortController,
): Promise<Answer> {
  const { label, session, mask, maskValue } = state;
  refuseAway(state, response);
  if (response.status === 404 && session !== undefined) {
    await discard(response);
    throw new CairnError("SESSION_NOT_FOUND", `${label} has ended the session.`);
  }
  let refusal = "";
  const texts = readTexts(state, response, options.signal);
  for (let next = await texts.next(); next.done !== true; next = await texts.next()) {
    const text = next.value;
    const read = findMessage(text);
    // Masked as a whole: half a secret is found by no mask.
    if (read === undefined) refusal += (mask?.(text) ?? text).slice(0, REFUSAL_LENGTH - refusal.length);
    if (read === undefined) continue;
    const message = maskValue(read);
    const reply = toReply(message);
    if (reply !== undefined) await discard(await send(state, "POST", reply));
    const notification = findNotification(message);
    if (notification !== undefined) options.onNotification?.(...notification);
    // A refusal that could not read the request has no id.
    const answer = findAnswer({ ...message, id: message["id"] ?? id }, id);
    if (answer === undefined) continue;
    void finish(texts, end);
    return answer;
  }
  const said = refusal.trim() === "" ? "" : `: ${refusal.trim()}`;
  throw new CairnError("UPSTREAM_ERROR", `${label} gave no answer of MCP (HTTP ${response.status}${said}).`);
}

/** A message may quote what the server said, and a cause may have the whole request. */
function withoutSecrets({ mask }: State, error: unknown): unknown {
  if (mask === undefined || !(error instanceof CairnError)) return error;
  const { name, message, details } = error;
  return new CairnError(name, mask(message), details === undefined ? {} : { details });
}

/** Reads a stream to its end after its answer, so that its connection can carry the next request. */
async function finish(texts: AsyncGenerator<string>, end: AbortController): Promise<void> {
  const timer = setTimeout(() => end.abort(), END_MS).unref();
  try {
    while ((await texts.next()).done !== true);
  } catch {
    // Whatever comes after the answer was asked by nobody.
  } finally {
    clearTimeout(timer);
  }
}

function toUnavailable({ label, signal }: State, cause: unknown, given?: AbortSignal): CairnError {
  if (cause instanceof CairnError) return cause;
  if (given?.aborted === true) return new CairnError("CANCELLED", `The request to ${label} was given up.`, { cause });
  const reason = signal.aborted ? "did not answer in time" : `cannot be reached: ${explain(cause)}`;
  return new CairnError("UNAVAILABLE", `${label} ${reason}.`, { cause });
}

/** Refuses answers that lead elsewhere or want to know who we are. @throws UPSTREAM_ERROR */
function refuseAway({ label, hint, mask }: State, { status, headers }: Response): void {
  if (status >= 300 && status < 400) {
    const location = headers.get("location") ?? "nowhere";
    const to = mask?.(location) ?? location;
    throw new CairnError("UPSTREAM_ERROR", `${label} redirects to ${to.slice(0, 200)}; name that address yourself.`);
  }
  if (status !== 401 && status !== 403) return;
  throw new CairnError("UPSTREAM_ERROR", `${label} refuses us (${status}): ${hint}.`);
}

/** Writes the headers that repeat, since 2026-07-28, the method of a request and the name that it is about. */
function repeatInHeaders(message: Message | undefined): Headers {
  const { method, params } = message ?? {};
  const name = isObject(params) ? params["name"] : undefined;
  return { "mcp-method": String(method), ...(typeof name === "string" ? { "mcp-name": name } : {}) };
}

/** Reads the texts that may be messages: the whole body, or the data of each event of a stream. */
async function* readTexts(
  state: State,
  { body, headers }: Response,
  given: AbortSignal | undefined,
): AsyncGenerator<string> {
  if (body === null) return;
  const { label, limit = MESSAGE_LIMIT } = state;
  const chunks = meter(label, body, { limit, isWhole: true });
  try {
    if (headers.get("content-type")?.startsWith("text/event-stream") === true) {
      for await (const { data } of readEvents(chunks)) if (data !== "") yield data;
      return;
    }
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
    yield text + decoder.decode();
  } catch (cause) {
    throw toUnavailable(state, cause, given);
  }
}

function explain(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { code?: unknown; message?: unknown } };
  return String(cause?.code ?? cause?.message ?? message);
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}
