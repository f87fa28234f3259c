import { CairnError } from "../../errors.ts";
import { isModern } from "../../protocol/revisions.ts";
import { readEvents } from "../stdio/events.ts";
import {
  type Answer,
  createMeter,
  findAnswer,
  findMessage,
  type McpConnection,
  type Message,
  toReply,
} from "./connection.ts";

export type Headers = Readonly<Record<string, string>>;

/** Characters of a refusal that are repeated. */
const REFUSAL_LENGTH = 200;

/** Speaks with a server over Streamable HTTP. `headers` go to that server and to no other: redirections are refused. */
export function connectUrl(
  url: URL,
  {
    headers,
    signal,
    fetch,
  }: { readonly headers: Headers; readonly signal: AbortSignal; readonly fetch: typeof globalThis.fetch },
): McpConnection {
  // Neither a password nor a token in an address may show in errors.
  const label = `${url.origin}${url.pathname}`;
  const meter = createMeter(label);
  let session: string | undefined;
  let agreed: string | undefined;
  let count = 0;

  async function send(method: "POST" | "DELETE", message?: Message): Promise<Response> {
    const own: Headers = {
      ...(message === undefined ? {} : { "content-type": "application/json" }),
      accept: "application/json, text/event-stream",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...(agreed === undefined ? {} : { "mcp-protocol-version": agreed }),
      // Since 2026-07-28 a header repeats the method; lists have no name to repeat.
      ...(agreed !== undefined && isModern(agreed) ? { "mcp-method": String(message?.["method"]) } : {}),
    };
    const body = message === undefined ? null : JSON.stringify(message);
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...own },
      body,
      signal,
      redirect: "manual",
    }).catch((cause: unknown) => {
      throw toUnavailable(cause);
    });
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    return response;
  }

  async function readAnswer(response: Response, id: number): Promise<Answer> {
    refuseAway(label, response);
    let refusal = "";
    for await (const text of readTexts(response, meter, toUnavailable)) {
      refusal += text.slice(0, REFUSAL_LENGTH - refusal.length);
      const message = findMessage(text);
      if (message === undefined) continue;
      const reply = toReply(message);
      if (reply !== undefined) await discard(await send("POST", reply));
      // A refusal that could not read the request has no id.
      const answer = findAnswer({ ...message, id: message["id"] ?? id }, id);
      if (answer !== undefined) {
        await discard(response);
        return answer;
      }
    }
    const said = refusal.trim() === "" ? "" : `: ${refusal.trim()}`;
    throw new CairnError("UPSTREAM_ERROR", `${label} gave no answer of MCP (HTTP ${response.status}${said}).`);
  }

  function toUnavailable(cause: unknown): CairnError {
    const reason = signal.aborted ? "did not answer in time" : `cannot be reached: ${explain(cause)}`;
    return new CairnError("UNAVAILABLE", `${label} ${reason}.`, { cause });
  }

  return {
    label,
    async request(method, params) {
      const id = ++count;
      return readAnswer(await send("POST", { jsonrpc: "2.0", id, method, params }), id);
    },
    notify: async (method) => discard(await send("POST", { jsonrpc: "2.0", method })),
    agree(protocol) {
      agreed = protocol;
    },
    async close() {
      if (session === undefined || signal.aborted) return;
      // A session that the server forgets by itself is no failure.
      await send("DELETE").then(discard, () => undefined);
    },
  };
}

/** Refuses answers that lead elsewhere or want to know who we are. @throws UPSTREAM_ERROR */
function refuseAway(label: string, { status, headers }: Response): void {
  if (status >= 300 && status < 400) {
    const to = headers.get("location") ?? "nowhere";
    throw new CairnError("UPSTREAM_ERROR", `${label} redirects to ${to.slice(0, 200)}; name that address yourself.`);
  }
  if (status !== 401 && status !== 403) return;
  const hint = "name the variable that holds a token with `--token-env`, or another header's with `--header`";
  throw new CairnError("UPSTREAM_ERROR", `${label} refuses us (${status}): ${hint}.`);
}

/** Reads the texts that may be messages: the whole body, or the data of each event of a stream. */
async function* readTexts(
  { body, headers }: Response,
  meter: ReturnType<typeof createMeter>,
  toUnavailable: (cause: unknown) => CairnError,
): AsyncGenerator<string> {
  if (body === null) return;
  const chunks = meter(body);
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
    throw cause instanceof CairnError ? cause : toUnavailable(cause);
  }
}

function explain(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { code?: unknown; message?: unknown } };
  return String(cause?.code ?? cause?.message ?? message);
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}
