import { encodeHeader } from "../../http/header-value.ts";
import { findArgument, listParameterHeaders, type ParameterHeader } from "../../versions/parameter-headers.ts";
import { readAnswer } from "./answer.ts";
import { type BridgeHeaders, toModernHeaders } from "./headers.ts";
import type { Send } from "./http.ts";
import { type ClientMessage, readClientMessages } from "./message.ts";
import { defined } from "../../json/defined.ts";

/** Arguments that tools want repeated as headers. Clients over stdio know nothing of it, so the bridge must. */
export interface Parameters {
  /** For a call, as far as its tool is known. */
  readonly headers: (call: ClientMessage) => BridgeHeaders;
  /** Asks the server, in the name of whoever calls, what its tools want; whether `call` has other headers now. */
  readonly learn: (call: ClientMessage, signal: AbortSignal) => Promise<boolean>;
}

interface ToolPage {
  readonly tools?: readonly { readonly name: string; readonly inputSchema: object }[];
  readonly nextCursor?: string;
}

/** More pages than any server has whose tools a model could choose from. */
const PAGE_LIMIT = 100;
const ID = "cairn-stdio";

export function createParameters(send: Send): Parameters {
  let known: ReadonlyMap<unknown, readonly ParameterHeader[]> = new Map();

  return {
    headers,
    async learn(call, signal) {
      const before = JSON.stringify(headers(call));
      const found = new Map<unknown, readonly ParameterHeader[]>();
      let cursor: string | undefined;
      for (let page = 0; page < PAGE_LIMIT; page += 1) {
        const { tools = [], nextCursor } = await ask(call, cursor, signal);
        for (const { name, inputSchema } of tools) found.set(name, listParameterHeaders({ ...inputSchema }));
        cursor = nextCursor;
        if (cursor === undefined) break;
      }
      known = found;
      return JSON.stringify(headers(call)) !== before;
    },
  };

  function headers({ params }: ClientMessage): BridgeHeaders {
    const wanted = known.get(params["name"]) ?? [];
    const values = wanted.flatMap(({ header, path }) => {
      const value = findArgument(params["arguments"], path);
      const isPrimitive = ["string", "number", "boolean"].includes(typeof value);
      return isPrimitive ? [[header, encodeHeader(String(value))]] : [];
    });
    return Object.fromEntries(values) as BridgeHeaders;
  }

  async function ask(call: ClientMessage, cursor: string | undefined, signal: AbortSignal): Promise<ToolPage> {
    // Who asks and what they understand is said with each request; progress of this one is nobody's business.
    const { progressToken: _, ...meta } = call.params["_meta"] as Record<string, unknown>;
    const params = { ...defined({ cursor }), _meta: meta };
    const body = JSON.stringify({ jsonrpc: "2.0", id: ID, method: "tools/list", params });
    const [message] = readClientMessages(body);
    const answered = await send({ method: "POST", headers: message ? toModernHeaders(message) : {}, body, signal });
    let page: ToolPage = {};
    await readAnswer(answered, {}, ({ answers, body: { result } }) => {
      if (answers === ID && typeof result === "object" && result !== null) page = result;
    });
    return page;
  }
}
