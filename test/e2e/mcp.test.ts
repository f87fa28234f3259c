import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const shared = createShared();
let url = "";

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.commit(
    agentFiles({
      version: "1.0.0",
      tools: {
        add: {
          handler: "export default ({ a, b }, ctx) => { ctx.log.info('adding', { a, b }); return { sum: a + b }; };\n",
          manifest: `deterministic: true
input: { type: object, required: [a, b], properties: { a: { type: number }, b: { type: number } }, additionalProperties: false }
output: { type: object, required: [sum], properties: { sum: { type: number }, conversation_id: { type: string }, logs_uri: { type: string, format: uri } }, additionalProperties: false }`,
        },
        fail: { handler: "export default (input, ctx) => { throw ctx.fail('NOT_FOUND', 'No such thing.'); };\n" },
        leak: { handler: "export default () => { throw new Error('password hunter2'); };\n" },
        wrong: {
          handler: "export default () => ({ sum: 'much' });\n",
          manifest: "output: { type: object, properties: { sum: { type: number } } }",
        },
      },
      files: {
        "manifests/strict/server.yaml": "name: strict\ndescription: Errors as JSON-RPC.\nerrors: protocol\n",
        "manifests/strict/node.query.yaml":
          "name: node.query\nversion: 1.0.0\ndescription: Finds nothing.\ninput: { type: object }\noutput: { type: object }\n",
        "tools/strict/node.query.ts":
          "export default (input, ctx) => { throw ctx.fail('NODE_NOT_FOUND', 'Node not found: 999'); };\n",
      },
    }),
  );
  await repository.tag("v1.0.0");
  const cairn = await startCairn(
    ["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)],
    {},
    shared.atEnd,
  );
  url = `${cairn.url}/agent/1.0.0`;
});
afterAll(shared.undoAll);

async function send(message: unknown, headers: Record<string, string> = {}, server = "runner") {
  const response = await fetch(`${url}/${server}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>),
  };
}

const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 7, method, params });
const call = (name: string, args: object = {}) => request("tools/call", { name, arguments: args });

describe("the handshake", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "[C1] speaks %s when asked to",
    async (protocolVersion) => {
      const { status, body } = await send(
        request("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } }),
      );
      expect([status, body]).toEqual([
        200,
        {
          jsonrpc: "2.0",
          id: 7,
          result: {
            protocolVersion,
            capabilities: { logging: {}, tools: {}, resources: {}, prompts: {}, completions: {} },
            serverInfo: { name: "test-agent/runner", title: "test-agent", version: "1.0.0" },
            instructions: "Use them.",
          },
        },
      ]);
      expect((await send({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
      const { body: list } = await send(request("tools/list"), { "mcp-protocol-version": protocolVersion });
      expect(list).toMatchObject({
        result: {
          tools: [{ name: "runner.add" }, { name: "runner.fail" }, { name: "runner.leak" }, { name: "runner.wrong" }],
        },
      });
    },
  );

  test("answers a revision that it does not know with the newest it does", async () => {
    const { body } = await send(
      request("initialize", {
        protocolVersion: "1999-01-01",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      }),
    );
    expect(body).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  });
});

describe("the official client", () => {
  test("[R1] discovers and uses tools, resources, templates and prompts", async () => {
    const client = await connectMcp(`${url}/runner`);
    expect(client.getInstructions()).toBe("Use them.");
    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({
      name: "runner.add",
      annotations: { readOnlyHint: true, idempotentHint: true },
      _meta: { "cairn/version": "1.0.0" },
    });
    const result = await client.callTool({ name: "runner.add", arguments: { a: 2, b: 3 } });
    const { conversation_id } = result.structuredContent as { conversation_id: string };
    expect(result.structuredContent).toEqual({ sum: 5, conversation_id, logs_uri: `logs://${conversation_id}` });
    expect(result._meta).toMatchObject({ "cairn/conversation_id": conversation_id });
    expect(conversation_id).toMatch(/^[0-9a-f-]{36}$/);

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "state://active",
      "state://assets",
      "session://index",
      "logs://recent",
      "compat://manifest",
      "s3://bucket/model.bin",
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("session://{conversation_id}");
    expect((await client.readResource({ uri: "s3://bucket/model.bin" })).contents).toEqual([
      { uri: "s3://bucket/model.bin", mimeType: "text/uri-list", text: "s3://bucket/model.bin" },
    ]);
    const logs = await client.readResource({ uri: `logs://${conversation_id}` });
    expect(JSON.parse((logs.contents[0] as { text: string }).text)).toMatchObject({
      calls: [
        { tool: "runner.add", outcome: "ok", logs: [{ level: "info", message: "adding", data: { a: 2, b: 3 } }] },
      ],
    });

    expect((await client.listPrompts()).prompts).toEqual([
      {
        name: "greet",
        description: "Greets someone.",
        arguments: [{ name: "who", description: "Whom", required: true }],
      },
    ]);
    expect((await client.getPrompt({ name: "greet", arguments: { who: "Ada" } })).messages).toEqual([
      { role: "user", content: { type: "text", text: "Say hello to Ada." } },
    ]);
    expect(await client.ping()).toEqual({});
  });
});

describe("what goes wrong", () => {
  test.each([
    ["a wrong input", call("runner.add", { a: "two" }), { name: "BAD_REQUEST", code: 2000 }],
    [
      "an error that the handler raises",
      call("runner.fail"),
      { name: "NOT_FOUND", message: "No such thing.", code: 4000 },
    ],
    ["an output that breaks its schema", call("runner.wrong"), { name: "OUTPUT_INVALID", code: 1001 }],
  ])("tells %s in the tool's result, with its dual code", async (_, message, error) => {
    const { status, body } = await send(message);
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: { isError: true, _meta: { "cairn/error": error } } });
    const [{ text } = { text: "" }] = (body as { result: { content: { text: string }[] } }).result.content;
    expect(JSON.parse(text)).toMatchObject(error);
  });

  test("says what a handler threw, and where, while callers need no token", async () => {
    const { body } = await send(call("runner.leak"));
    const message = expect.stringMatching(/hunter2.* \(tools\/runner\/leak\.ts:\d+:\d+\)$/);
    const error = { name: "HANDLER_ERROR", code: 1012, message };
    expect(body).toMatchObject({ result: { isError: true, _meta: { "cairn/error": error } } });
  });

  test("[B3] is a JSON-RPC error with the dual number on a server whose manifest says so", async () => {
    const { body } = await send(call("node.query"), {}, "strict");
    expect(body).toEqual({
      jsonrpc: "2.0",
      id: 7,
      error: { code: 4004, message: "Node not found: 999", data: { code: 4004, name: "NODE_NOT_FOUND" } },
    });
    expect((await send(call("nothing"), {}, "strict")).body).toMatchObject({ error: { code: 3000 } });
  });

  test.each([
    ["an unknown tool", call("runner.nothing"), 200, -32602],
    ["an unknown method", request("tools/destroy"), 200, -32601],
    ["an unknown resource", request("resources/read", { uri: "state://nothing" }), 200, -32002],
    [
      "another conversation's logs",
      request("resources/read", { uri: "logs://01a2007d-c9b8-7000-9feb-10d0af55476d" }),
      200,
      -32002,
    ],
    ["a wrong limit", request("resources/read", { uri: "logs://recent?limit=0" }), 200, -32602],
    ["a missing prompt argument", request("prompts/get", { name: "greet" }), 200, -32602],
    ["a wrong cursor", request("tools/list", { cursor: "x" }), 200, -32602],
    ["no JSON", "{", 400, -32700],
    ["an empty body", "", 400, -32700],
    ["a batch", [request("ping")], 400, -32600],
    ["a request of no protocol", { hello: 1 }, 400, -32600],
  ])("answers %s", async (_, message, status, code) => {
    const answer = await send(message);
    expect([answer.status, (answer.body as { error: { code: number } }).error.code]).toEqual([status, code]);
  });

  test.each([
    ["a content type that is not JSON", { "content-type": "text/plain" }, 415],
    ["a client that takes no event stream", { accept: "application/json" }, 406],
    ["a page from elsewhere", { origin: "https://evil.example" }, 403],
  ])("refuses %s", async (_, headers, status) => {
    const answer = await send(request("ping"), headers);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ jsonrpc: "2.0", id: null });
  });

  test("tells which revisions are spoken to a client that speaks none of them", async () => {
    const supported = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
    expect(await send(request("ping"), { "mcp-protocol-version": "1.0" })).toMatchObject({
      status: 400,
      body: { id: 7, error: { code: -32022, data: { supported, requested: "1.0" } } },
    });
  });

  test("tells the address where nothing is", async () => {
    const { body } = await send(request("resources/read", { uri: "state://nothing" }));
    expect(body).toMatchObject({ error: { code: -32002, data: { name: "NOT_FOUND", uri: "state://nothing" } } });
  });

  test.each(["GET", "DELETE"])("takes no %s", async (method) => {
    const response = await fetch(`${url}/runner`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("names the servers that there are", async () => {
    const { status, body } = await send(request("ping"), {}, "nothing");
    expect(status).toBe(404);
    expect(body).toMatchObject({
      error: { message: "Version 1.0.0 has no MCP server `nothing`; it has: runner, strict." },
    });
  });
});
