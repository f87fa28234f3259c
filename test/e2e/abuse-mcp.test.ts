import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { residentMegabytes } from "../helpers/memory.ts";
import { sendRaw } from "../helpers/raw-http.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const RUNNER = "/agent/1.0.0/runner";
/** Megabytes that all of this together may leave behind in the service's main process. */
const GROWTH_LIMIT = 50;

const TOOLS = {
  echo: { handler: "export default (input) => input;\n" },
  count: {
    handler: `export default async (input, ctx) => {
      const n = ((await ctx.state.get(["n"])) ?? 0) + input.by;
      await ctx.state.set(["n"], n);
      return { n };
    };\n`,
    manifest: `sideEffect: true
uses: [state.read, state.write]
input: { type: object, required: [by], properties: { by: { type: integer, minimum: 0 } }, additionalProperties: false }
output: { type: object, required: [n], properties: { n: { type: integer } } }`,
  },
  wrong: {
    handler: "export default () => ({ n: 'hunter2' });\n",
    manifest: "output: { type: object, properties: { n: { type: integer } } }",
  },
};

const shared = createShared();
let cairn: RunningCairn;
let before: number;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS }));
  await repository.git("branch", "feature");
  cairn = await startCairn(["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)], {}, shared.atEnd);
  // What a service needs for its first calls is no growth.
  for (let i = 0; i < 50; i++) await post(RUNNER, call("runner.echo", { text: "x".repeat(1000) }));
  before = await residentMegabytes(cairn.pid);
});
afterAll(shared.undoAll);

const request = (method: string, params: object = {}, id: unknown = 7) => ({ jsonrpc: "2.0", id, method, params });
const call = (name: string, args: object = {}, id: unknown = 7) => request("tools/call", { name, arguments: args }, id);

/** Sends a message, with further headers or others instead, `undefined` for none. */
async function post(path: string, message: unknown, changed: Readonly<Record<string, string | undefined>> = {}) {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...changed };
  const { status, body } = await sendRaw(cairn.url, {
    path,
    headers: Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
    body: JSON.stringify(message),
  });
  return { status, body: body === "" ? undefined : (JSON.parse(body) as Record<string, unknown>) };
}

const refusal = (status: number, code: number) => ({ status, body: { jsonrpc: "2.0", error: { code } } });

describe("a request", () => {
  test.each([
    ["of a page from elsewhere", { Origin: "http://evil" }, 403],
    ["of a page without an origin of its own", { Origin: "null" }, 403],
    ["of a page whose name only begins like this machine's", { Origin: "http://localhost.evil.example" }, 403],
    ["under a name that was rebound to this machine", { Host: "evil.com" }, 403],
    ["under such a name with our port", { Host: "evil.com:3000" }, 403],
    ["of a client that takes no event stream", { Accept: "application/json" }, 406],
    ["of a client that takes event streams only", { Accept: "text/event-stream" }, 406],
    ["of a client that does not say what it takes", { Accept: undefined }, 406],
    ["in a revision that nobody speaks", { "MCP-Protocol-Version": "1999-01-01" }, 400],
    ["in a revision that is no revision", { "MCP-Protocol-Version": "__proto__" }, 400],
  ])("[abuse 16, 17, 18, 22] %s is refused: %j", async (_, headers, status) => {
    expect(await post(RUNNER, request("ping"), headers)).toMatchObject({ status, body: { jsonrpc: "2.0", error: {} } });
  });

  test.each(["tools/destroy", "constructor", "__proto__", "toString", ""])(
    "[abuse 23] for the method %j that does not exist: -32601",
    async (method) => {
      expect(await post(RUNNER, request(method))).toMatchObject(refusal(200, -32601));
    },
  );

  test.each(["runner.nothing", "strict.echo", "constructor", "../runner/echo"])(
    "[abuse 24] for the tool %j that the server does not have: -32602",
    async (tool) => {
      expect(await post(RUNNER, call(tool))).toMatchObject(refusal(200, -32602));
    },
  );

  test.each([
    ["with an id that is null", request("ping", {}, null)],
    ["with an id that is an object", request("ping", {}, {})],
    ["with an id that is not whole", request("ping", {}, 1.5)],
    ["with parameters by position", { jsonrpc: "2.0", id: 1, method: "ping", params: [] }],
    ["of another JSON-RPC", { jsonrpc: "1.0", id: 1, method: "ping" }],
    ["in a batch", [request("ping")]],
    ["in an empty batch", []],
  ])("%s is refused: 400 and -32600", async (_, message) => {
    expect(await post(RUNNER, message)).toMatchObject(refusal(400, -32600));
  });

  test("[abuse 25] with arguments that break the schema names the place, and the handler does not run", async () => {
    await post(RUNNER, call("runner.count", { by: 1 }));
    for (const args of [{ by: -1 }, { by: "1" }, {}, { by: 1, tenant: "b" }, []]) {
      const { status, body } = await post(RUNNER, call("runner.count", args));
      expect(status).toBe(200);
      expect(body).toMatchObject({ result: { isError: true, _meta: { "cairn/error": { name: "BAD_REQUEST" } } } });
    }
    const { body } = await post(RUNNER, call("runner.count", { by: -1 }));
    expect(JSON.stringify(body)).toContain("`by`");
    expect(await post(RUNNER, call("runner.count", { by: 0 }))).toMatchObject({
      body: { result: { structuredContent: { n: 1 } } },
    });
  });

  test("[abuse 26] whose output breaks the schema gets an error, and nothing of the output", async () => {
    const { body } = await post(RUNNER, call("runner.wrong"));
    expect(body).toMatchObject({ result: { isError: true, _meta: { "cairn/error": { name: "OUTPUT_INVALID" } } } });
    expect(JSON.stringify(body)).not.toContain("hunter2");
  });

  test.each(["9.9.9", "feature", "main", "HEAD", "refs%2fheads%2ffeature", "refs%2ftags%2fv1.0.0", "v1.0.0^0"])(
    "[abuse 29] for the version %s finds nothing: 404",
    async (version) => {
      expect(await post(`/agent/${version}/runner`, request("ping"))).toMatchObject({ status: 404 });
      expect(await sendRaw(cairn.url, { method: "GET", path: `/agent/${version}/runner` })).toMatchObject({
        status: 404,
      });
    },
  );

  test("with the id of another client's that is under way gets its own answer", async () => {
    const texts = Array.from({ length: 50 }, (_, client) => `client ${client}`);
    const answers = await Promise.all(texts.map((text) => post(RUNNER, call("runner.echo", { text }))));
    expect(answers.map(({ body }) => body)).toEqual(
      texts.map((text) =>
        expect.objectContaining({ id: 7, result: expect.objectContaining({ structuredContent: { text } }) }),
      ),
    );
  });
});

describe("a server that keeps no sessions", () => {
  test("answers each request for itself, `initialize` or not, and gives out no session", async () => {
    expect(await post(RUNNER, call("runner.echo", { text: "hi" }))).toMatchObject({
      status: 200,
      body: { result: { structuredContent: { text: "hi" } } },
    });
    expect(await sendRaw(cairn.url, { method: "GET", path: RUNNER })).toMatchObject({ status: 405 });
    expect(await sendRaw(cairn.url, { method: "DELETE", path: RUNNER })).toMatchObject({ status: 405 });
  });

  test("[abuse 28] takes a cancellation of whatever request, and does nothing", async () => {
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    expect(await post(RUNNER, cancelled)).toEqual({ status: 202, body: undefined });
  });
});

test(`after all of this the service still answers, and has not grown by ${GROWTH_LIMIT} MB`, async () => {
  expect(await post(RUNNER, request("ping"))).toMatchObject({ status: 200, body: { id: 7, result: {} } });
  expect((await residentMegabytes(cairn.pid)) - before).toBeLessThan(GROWTH_LIMIT);
  expect(cairn.output()).not.toMatch(/"level":"error"|unhandled/i);
});
