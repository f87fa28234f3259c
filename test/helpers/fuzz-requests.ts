import * as fc from "fast-check";
import { REVISION } from "./modern-mcp.ts";
import type { RawRequest } from "./raw-http.ts";

/** One request of the fuzzer, and whether it goes to a tool that may fail as its upstream does. */
export interface FuzzRequest extends RawRequest {
  readonly mayFail: boolean;
}

export interface FuzzTargets {
  readonly version: string;
  readonly tokens: readonly string[];
  /** Of a session with the server `talker`, begun with the first token. */
  readonly session: string;
  /** What tools that redact `/patient` are sent there. */
  readonly redacted: string;
}

type Json = fc.JsonValue;
type Headers = Readonly<Record<string, string>>;

const METHODS = [
  ..."initialize ping tools/list tools/call tools/call tools/call tools/call resources/list resources/read resources/templates/list prompts/list".split(
    " ",
  ),
  ..."prompts/get completion/complete logging/setLevel server/discover notifications/initialized".split(" "),
  ..."notifications/cancelled resources/unsubscribe tasks/get nothing/here".split(" "),
];
const URIS = [
  ..."state://active state://assets session://index session://index?limit=1 logs://recent logs://recent?limit=0".split(
    " ",
  ),
  ..."logs://recent?limit=200&before=x compat://manifest s3://bucket/model.bin logs:// file:///etc/passwd".split(" "),
  "logs://00000000-0000-4000-8000-000000000000",
];
/** Pieces that parsers are known to stumble over. */
const PIECES = [
  ...'{ } [ ] " , : \\ \\u0000 \\ud800 \\u005f\\u005fproto__ -0 1e400 9007199254740993 NaN null true /* [[[[[['.split(
    " ",
  ),
  ...'"__proto__":{} "constructor":1, {"jsonrpc":"2.0"} "id":{} "id":1.5 "method":null \u2028 \ufeff'.split(" "),
];

/** Requests of every kind that the service takes, mostly with something wrong in them. */
export function createFuzzRequests(targets: FuzzTargets): fc.Arbitrary<FuzzRequest> {
  const { version, redacted, session } = targets;
  const tool = fc.constantFrom(
    "runner.echo",
    "runner.strict",
    "runner.count",
    "runner.upstream",
    "runner.",
    "x".repeat(200),
  );
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.constantFrom("__proto__", "constructor", "1.0.0", "^1"),
  );
  const anything: fc.Arbitrary<Json> = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    text,
    fc.double(),
    fc.constant<Json>({ a: [{}] }),
  );
  const input: fc.Arbitrary<Json> = fc.oneof(
    fc.record(
      {
        patient: fc.constant(redacted),
        kind: fc.oneof(fc.constantFrom("a", "b"), anything),
        code: fc.oneof(fc.constantFrom("A1", "A".repeat(5000)), anything),
        list: fc.array(anything, { maxLength: 4 }),
        conversation_id: fc.oneof(fc.uuid(), text),
      },
      { requiredKeys: ["patient"] },
    ),
    fc.dictionary(text, anything, { maxKeys: 5 }),
    anything,
  );
  const params: fc.Arbitrary<Json> = fc.oneof(
    fc.record({ name: tool, arguments: input }),
    fc.record({ uri: fc.oneof(fc.constantFrom(...URIS), text) }),
    fc.record({ name: fc.constantFrom("greet", "other"), arguments: fc.dictionary(text, anything, { maxKeys: 2 }) }),
    fc.record({
      protocolVersion: fc.oneof(fc.constant("2025-06-18"), text),
      capabilities: anything,
      clientInfo: anything,
    }),
    fc.record({ ref: anything, argument: anything, cursor: anything, level: anything, requestId: anything }),
    anything,
  );
  const id = fc.oneof({ weight: 4, arbitrary: fc.nat(9) }, { weight: 1, arbitrary: anything });
  const rpc = (meta: object | undefined) =>
    fc
      .record({
        jsonrpc: fc.oneof({ weight: 20, arbitrary: fc.constant("2.0") }, { weight: 1, arbitrary: anything }),
        id,
        method: fc.constantFrom(...METHODS),
        params,
      })
      .map((message) => {
        const { params: own } = message;
        if (meta === undefined || typeof own !== "object" || own === null || Array.isArray(own)) return message;
        return { ...message, params: { ...own, _meta: meta } };
      });
  const modernMeta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/logLevel": "debug",
    progressToken: 1,
  };
  const modern = rpc(modernMeta).map((message) => {
    const own = message.params as { readonly name?: unknown; readonly uri?: unknown } | null;
    const named = own?.name ?? own?.uri;
    const headers: Headers = {
      "mcp-protocol-version": REVISION,
      "mcp-method": message.method,
      ...(typeof named === "string" && /^[!-~]+$/.test(named) ? { "mcp-name": named } : {}),
    };
    return { path: `/agent/${version}/runner`, value: message as unknown as Json, headers };
  });
  const legacy = fc.tuple(rpc(undefined), fc.constantFrom("runner", "runner", "talker")).map(([message, server]) => ({
    path: `/agent/${version}/${server}`,
    value: message as unknown as Json,
    headers: (server === "talker"
      ? { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }
      : {}) as Headers,
  }));
  const rest = fc.tuple(tool, input).map(([name, value]) => ({
    path: `/agent/${version}/api/tools/${encodeURIComponent(name)}`,
    value,
    headers: {} as Headers,
  }));
  const facade = fc
    .record(
      { toolName: tool, input, version: fc.oneof(text, fc.constant("1.0.0")), idempotencyKey: text },
      { requiredKeys: ["toolName"] },
    )
    .map((value) => ({ path: "/api/mcp/tool/call", value: value as unknown as Json, headers: {} as Headers }));
  const body = fc.oneof(modern, modern, legacy, rest, facade);

  const edits = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 2,
      arbitrary: fc.array(fc.record({ at: fc.nat(2000), cut: fc.nat(3), piece: fc.constantFrom(...PIECES) }), {
        minLength: 1,
        maxLength: 3,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ at: fc.nat(2000), cut: fc.nat(40), piece: fc.uint8Array({ maxLength: 3 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
    },
  );
  const [best = ""] = targets.tokens;
  const token = fc.constantFrom(best, best, best, ...targets.tokens);
  const headerText = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 30 }),
    fc.constantFrom("", '"k"', "k1", "=?base64?AAA?=", "=?base64?YQ==?=", "0".repeat(4000), "../..", "null"),
  );
  const authorization = fc.oneof(
    { weight: 12, arbitrary: token.map((value) => `Bearer ${value}`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(token, fc.nat(60))
        .map(([value, at]) => `Bearer ${value.slice(0, at)}x${value.slice(at + 1)}`),
    },
    { weight: 1, arbitrary: token.map((value) => `Basic ${value} `) },
    { weight: 1, arbitrary: headerText },
  );
  const more = fc.dictionary(
    fc.constantFrom(
      ..."Idempotency-Key Mcp-Method Mcp-Name Mcp-Param-Kind Mcp-Session-Id MCP-Protocol-Version Last-Event-ID traceparent".split(
        " ",
      ),
      ..."tracestate x-request-id x-environment Origin Accept-Encoding Content-Encoding If-None-Match".split(" "),
    ),
    fc.oneof(headerText, fc.constantFrom("00-" + "a".repeat(32) + "-" + "b".repeat(16) + "-01", "gzip", "k2", session)),
    { maxKeys: 2 },
  );
  const post = fc
    .record({
      body,
      edits,
      authorization,
      more,
      type: fc.oneof(
        { weight: 20, arbitrary: fc.constant("application/json") },
        { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/json; charset=utf-8", "") },
      ),
    })
    .map(({ body: { path, value, headers }, edits: all, authorization: sent, more: others, type }): FuzzRequest => ({
      method: "POST",
      path,
      headers: [
        ...toPairs({ "content-type": type, accept: "application/json, text/event-stream", ...headers }, others),
        ["Authorization", sent],
      ],
      body: edit(Buffer.from(JSON.stringify(value) ?? ""), all),
      mayFail: true,
    }));
  const segment = fc.oneof(
    fc.constantFrom(
      version,
      "latest",
      "%2e%2e",
      "%00",
      "versions",
      "audit",
      "agent",
      "api",
      "tools",
      "acme",
      "log",
      "a".repeat(300),
    ),
    fc.webPath(),
  );
  const get = fc
    .record({
      segments: fc.array(segment, { maxLength: 5 }),
      query: fc.oneof(fc.constant(""), fc.webQueryParameters()),
      authorization,
      more,
      method: fc.constantFrom("GET", "GET", "HEAD", "DELETE", "PUT", "OPTIONS"),
    })
    .map(({ segments, query, authorization: sent, more: others, method }): FuzzRequest => ({
      method,
      path: `/${segments.join("/").replace(/^\/+/, "")}${query === "" ? "" : `?${query}`}`,
      headers: [...toPairs({ accept: "application/json" }, others), ["Authorization", sent]],
      mayFail: false,
    }));
  return fc.oneof({ weight: 9, arbitrary: post }, { weight: 1, arbitrary: get });
}

/** Headers, with others in place of those of the same name. */
function toPairs(headers: Headers, others: Headers): [string, string][] {
  const replaced = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  return [...Object.entries(headers).filter(([name]) => !replaced.has(name)), ...Object.entries(others)];
}

function edit(bytes: Buffer, edits: readonly { at: number; cut: number; piece: string | Uint8Array }[]): Buffer {
  return edits.reduce((before, { at, cut, piece }) => {
    const start = before.length === 0 ? 0 : at % before.length;
    return Buffer.concat([before.subarray(0, start), Buffer.from(piece as string), before.subarray(start + cut)]);
  }, bytes);
}
