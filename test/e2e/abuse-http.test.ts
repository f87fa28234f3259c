import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { residentMegabytes } from "../helpers/memory.ts";
import { connectRaw, type RawRequest, sendRaw, toBytes } from "../helpers/raw-http.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const REST = "/agent/1.0.0/api/tools/runner.echo";
const MCP = "/agent/1.0.0/runner";
const JSON_HEADERS: [string, string][] = [
  ["Content-Type", "application/json"],
  ["Accept", "application/json, text/event-stream"],
];
const BODY_LIMIT = 1024 * 1024;
/** Megabytes that all of this together may leave behind in the service's main process. */
const GROWTH_LIMIT = 50;
const IDLE_CONNECTIONS = 5000;

const shared = createShared();
let cairn: RunningCairn;
let before: number;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const handler = "export default (input) => input;\n";
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { echo: { handler } } }));
  cairn = await startCairn(["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)], {}, shared.atEnd);
  // What a service needs for its first calls is no growth.
  for (let i = 0; i < 50; i++) await send(REST, { body: JSON.stringify({ text: "x".repeat(100 * 1024) }) });
  before = await residentMegabytes(cairn.pid);
});
afterAll(shared.undoAll);

async function send(path: string, { headers = [], ...request }: Omit<RawRequest, "path"> = {}) {
  const answer = await sendRaw(cairn.url, { path, headers: [...JSON_HEADERS, ...headers], ...request });
  return { ...answer, json: answer.body === "" ? undefined : (JSON.parse(answer.body) as Record<string, unknown>) };
}

/** A call of the echo tool, with arguments as they are. */
const callWith = (input: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"runner.echo","arguments":${input}}}`;

const problem = (status: number, name: string) => ({ status, json: { status, name } });
const rpcError = (status: number, code: number) => ({ status, json: { jsonrpc: "2.0", error: { code } } });

describe("a body", () => {
  const lone = Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]);
  test.each([
    ["that ends too early", "{"],
    ["that is empty", ""],
    ["with a lone surrogate as bytes", Buffer.concat([Buffer.from('{"a":'), lone, Buffer.from("}")])],
    ["in UTF-16", Buffer.from('\uFEFF{"a":1}', "utf16le")],
  ])("[abuse 1, 2, 9] %s is not well-formed JSON: 400", async (_, body) => {
    expect(await send(REST, { body })).toMatchObject(problem(400, "PARSE_ERROR"));
    expect(await send(MCP, { body })).toMatchObject(rpcError(400, -32700));
  });

  test.each([
    ["that nests 10,000 levels", "[".repeat(10_000) + "]".repeat(10_000)],
    ["that nests 100,000 levels", '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)],
    ["with a name that stands twice", '{"tenant":"a","tenant":"b"}'],
    ["with `__proto__`", '{"__proto__":{"admin":true}}'],
    ["with `__proto__` as escapes", '{"\\u005f\\u005fproto__":{"admin":true}}'],
    ["with a lone surrogate as an escape", '{"text":"\\ud800"}'],
    ["with a number that overflows", '{"n":1e400}'],
    ["with an integer that is not exact", '{"n":9007199254740993}'],
  ])("[abuse 3, 7, 8, 9, 10] %s is refused: 400", async (_, input) => {
    expect(await send(REST, { body: input })).toMatchObject(problem(400, "INVALID_REQUEST"));
    expect(await send(MCP, { body: callWith(input) })).toMatchObject(rpcError(400, -32600));
  });

  test("[abuse 11] with a batch of 10,000 is refused as a whole: 400", async () => {
    const body = `[${Array.from({ length: 10_000 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`)}]`;
    expect(await send(MCP, { body })).toMatchObject(rpcError(400, -32600));
    expect(await send(MCP, { body: "[]" })).toMatchObject(rpcError(400, -32600));
  });

  test("[abuse 8] with `constructor` and `prototype` is data, and changes no object but its own", async () => {
    const input = { constructor: { prototype: { admin: true } }, prototype: 1 };
    expect(await send(REST, { body: JSON.stringify(input) })).toMatchObject({ status: 200, json: input });
    expect((await send(REST, { body: "{}" })).json).toEqual({});
  });

  test("[abuse 9] comes back byte for byte, NUL, DEL and astral characters included", async () => {
    const input = { "a\0b": "\0\u007f\ufffd\u{10ffff}é\u2028" };
    expect(await send(REST, { body: JSON.stringify(input) })).toMatchObject({ status: 200, json: input });
    expect(await send(MCP, { body: callWith(JSON.stringify(input)) })).toMatchObject({
      status: 200,
      json: { result: { structuredContent: input } },
    });
  });

  test.each([REST, MCP])(
    "[abuse 4] that says it is too large is refused before any of it arrives: 413 at %s",
    async (path) => {
      const headers: [string, string][] = [...JSON_HEADERS, ["Content-Length", String(BODY_LIMIT + 1)]];
      expect(await sendRaw(cairn.url, { path, headers })).toMatchObject({ status: 413 });
    },
  );

  test.each([REST, MCP])(
    "[abuse 4] in chunks without an end is refused once it is too large: 413 at %s",
    async (path) => {
      const connection = await connectRaw(cairn.url);
      const headers: [string, string][] = [...JSON_HEADERS, ["Transfer-Encoding", "chunked"]];
      connection.write(toBytes(cairn.url, { path, headers }));
      const chunk = Buffer.from(`10000\r\n${" ".repeat(0x10000)}\r\n`);
      for (let sent = 0; sent <= BODY_LIMIT; sent += 0x10000) connection.write(chunk);
      expect(await connection.read()).toMatchObject({ status: 413 });
    },
  );

  test.each([REST, MCP])(
    "[abuse 5] that would unpack to a hundred megabytes is not unpacked: 415 at %s",
    async (path) => {
      const body = gzipSync(Buffer.alloc(100 * 1024 * 1024, " "));
      expect(await send(path, { headers: [["Content-Encoding", "gzip"]], body })).toMatchObject({ status: 415 });
    },
  );

  test.each([
    ["another type", [["Content-Type", "text/plain"]]],
    ["a form", [["Content-Type", "application/x-www-form-urlencoded"]]],
    ["a type that only begins like JSON", [["Content-Type", "application/json-patch+json"]]],
    ["no type", []],
  ] as const)("[abuse 6] of %s is not read: 415", async (_, type) => {
    const headers = [...type, ["Accept", "application/json, text/event-stream"]] as const;
    const answers = await Promise.all(
      [REST, MCP].map((path) => sendRaw(cairn.url, { path, headers, body: callWith("{}") })),
    );
    expect(answers.map(({ status }) => status)).toEqual([415, 415]);
  });
});

describe("a request", () => {
  test.each([
    "/agent/%2e%2e/api/tools",
    "/agent/../api/tools",
    "/agent/..%2f..%2f..%2fetc%2fpasswd/api/tools",
    "/agent/....//....//etc/passwd",
    "/agent//api/tools",
    "//agent/1.0.0/api/tools",
    "/agent/1.0.0%00/api/tools",
    "/agent/1.0.0%0d%0aX:y/api/tools",
    "/agent/%zz/api/tools",
    "/versions/..%5c..%5cetc",
    "/agent/1.0.0/api/tools/..%2f..%2fagent",
    "/../../../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/healthz/%2e%2e/versions",
    "/healthz/../versions",
    "/agent/9.9.9/%2e%2e/latest/api/tools",
    "/agent/9.9.9/.%2E/latest/api/tools",
    "/agent/./latest/api/tools",
    "/agent/9.9.9\\..\\latest/api/tools",
    "/versions/%2e",
  ])("[abuse 15] for %s finds nothing: 404", async (path) => {
    const { status, body, json } = await send(path, { method: "GET" });
    expect([status, json?.["status"]]).toEqual([404, 404]);
    expect(body).not.toContain("root:");
  });

  test.each([
    "/agent/%2e%2e/runner",
    "/agent/..%2f..%2fetc/passwd",
    "/agent/1.0.0%00/runner",
    "/agent/1.0.0/runner%00",
    "/agent/1.0.0/__proto__",
  ])("[abuse 15] to an MCP server at %s finds nothing: 404", async (path) => {
    expect(await send(path, { body: callWith("{}") })).toMatchObject({ status: 404, json: { jsonrpc: "2.0" } });
  });

  test("[abuse 14] with two Host headers is refused, whichever comes first: 400", async () => {
    const { host } = new URL(cairn.url);
    for (const hosts of [
      [host, "evil.example"],
      ["evil.example", host],
      [host, host],
    ]) {
      const headers = hosts.map((name): [string, string] => ["Host", name]);
      for (const path of [REST, MCP]) expect(await send(path, { headers, body: "{}" })).toMatchObject({ status: 400 });
    }
  });
});

test(`[abuse 13] ${IDLE_CONNECTIONS} idle connections keep nobody else from an answer within a second`, async () => {
  const connections = [];
  while (connections.length < IDLE_CONNECTIONS) {
    connections.push(...(await Promise.all(Array.from({ length: 200 }, () => connectRaw(cairn.url)))));
  }
  // Those that waited longest may have been given up by now, as they should be.
  for (const [path, body] of [
    [REST, "{}"],
    [MCP, callWith("{}")],
  ] as const) {
    const idle = connections.pop();
    idle?.write(toBytes(cairn.url, { path, headers: JSON_HEADERS, body }));
    expect(await idle?.read()).toMatchObject({ status: 200 });
  }
  const times = [];
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    const answers = await Promise.all(
      [REST, MCP].map((path) => send(path, { body: path === REST ? "{}" : callWith("{}") })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    times.push(performance.now() - start);
  }
  // Half of them: the machine may be busy with something else for a moment.
  expect(times.toSorted((a, b) => a - b)[10]).toBeLessThan(1000);
});

test(`after all of this the service still answers, and has not grown by ${GROWTH_LIMIT} MB`, async () => {
  expect(await send(REST, { body: '{"text":"hi"}' })).toMatchObject({ status: 200, json: { text: "hi" } });
  expect((await residentMegabytes(cairn.pid)) - before).toBeLessThan(GROWTH_LIMIT);
  expect(cairn.output()).not.toMatch(/"level":"error"|unhandled/i);
});
