import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { residentMegabytes } from "../helpers/memory.ts";
import { askModern, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const REST = "/agent/1.0.0/api/tools";
const MCP = "/agent/1.0.0/runner";
/** Megabytes that all of this together may leave behind in the service's main process. */
const GROWTH_LIMIT = 50;

const COUNT = {
  handler: `export default async (input, ctx) => {
    const n = ((await ctx.state.get(["n", input.of ?? ""])) ?? 0) + 1;
    await ctx.state.set(["n", input.of ?? ""], n);
    return { n };
  };\n`,
  manifest: `sideEffect: true
idempotent: false
uses: [state.read, state.write]
cost: { units: 5 }
input: { type: object, properties: { of: { type: string } }, additionalProperties: false }
output: { type: object, required: [n], properties: { n: { type: integer } } }`,
};
const TOOLS = {
  count: COUNT,
  rare: { handler: "export default () => ({});\n" },
  reward: {
    handler: "export default (input) => input;\n",
    manifest: `input: { type: object, required: [reward], properties: { reward: { type: number } }, additionalProperties: false }`,
  },
};
const LIMITS = "limits:\n  tools:\n    runner.rare: { rate: 2 }\n";

const shared = createShared();
let cairn: RunningCairn;
let before: number;
let repositoryPath: string;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  repositoryPath = repository.path;
  const files = { "manifests/policies/default.yaml": LIMITS };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS, files }));
  cairn = await startCairn(["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)], {}, shared.atEnd);
  for (let i = 0; i < 50; i++) await post("reward", '{"reward":1}');
  before = await residentMegabytes(cairn.pid);
});
afterAll(shared.undoAll);

async function post(tool: string, body: string, headers: Readonly<Record<string, string>> = {}, url = cairn.url) {
  const response = await fetch(`${url}${REST}/runner.${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const json = (await response.json()) as Record<string, unknown>;
  const id = response.headers.get("cairn-conversation-id");
  return { status: response.status, json, id, retryAfter: response.headers.get("retry-after") };
}

const keyed = (key: string) => ({ "idempotency-key": key });

describe("the same idempotency key", () => {
  test("[D7] [abuse 37] with the same body gets the same answer, with another 422, over REST", async () => {
    const first = await post("count", '{"of":"rest"}', keyed('"k-rest"'));
    expect(first).toMatchObject({ status: 200, json: { n: 1 } });
    expect(await post("count", '{ "of": "rest" }', keyed("k-rest"))).toEqual(first);
    expect(await post("count", '{"of":"other"}', keyed("k-rest"))).toMatchObject({
      status: 422,
      json: { name: "UNPROCESSABLE", code: 2009 },
    });
    expect(await post("count", '{"of":"rest"}')).toMatchObject({ json: { n: 2 } });
  });

  test("is the same over MCP, in header or body, in both revisions, and 400 where the two differ", async () => {
    const call = toToolCall("runner.count", { of: "mcp" });
    const meta = { "cairn/idempotency_key": "k-mcp" };
    const first = await askModern(cairn.url + MCP, { ...call, meta });
    expect(first).toMatchObject({ structuredContent: { n: 1 } });
    const again = await askModern(cairn.url + MCP, { ...call, headers: keyed("k-mcp") });
    expect(again).toEqual(first);
    expect(await askModern(cairn.url + MCP, { ...call, meta, headers: keyed('"k-mcp"') })).toEqual(first);
    const legacy = await fetch(cairn.url + MCP, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...keyed("k-mcp") },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }),
    });
    expect(await legacy.json()).toMatchObject({ result: { structuredContent: { n: 1 } } });
    expect(await post("count", '{"of":"mcp"}', keyed("k-mcp"))).toMatchObject({ status: 200, json: { n: 1 } });
    const other = toToolCall("runner.count", { of: "else" });
    expect(await askModern(cairn.url + MCP, { ...other, meta })).toMatchObject({
      isError: true,
      _meta: { "cairn/error": { name: "UNPROCESSABLE" } },
    });
    for (const wrong of [{ meta, headers: keyed("another") }, { meta: { "cairn/idempotency_key": 7 } }]) {
      const { message } = await (await sendModern(cairn.url + MCP, { ...call, ...wrong })).next();
      expect(message).toMatchObject({ error: { code: -32602, data: { name: "BAD_REQUEST" } } });
    }
  });

  test.each(["", '""', "a b", "a,b", "x".repeat(129)])("cannot be `%s`: 400", async (key) => {
    expect(await post("count", "{}", keyed(key))).toMatchObject({ status: 400, json: { name: "BAD_REQUEST" } });
  });

  test(
    "[D7] has one effect in a service that is killed in the middle of load, and asked again",
    { timeout: 60_000 },
    async () => {
      const data = await temporaryFolder();
      const keys = Array.from({ length: 400 }, (_, index) => `key-${index}`);
      const answers = new Map<string, unknown>();
      for (const isLast of [false, false, true]) {
        const service = await startCairn(["serve", repositoryPath, "--data", data]);
        let answered = 0;
        const waiting = keys.filter((key) => isLast || !answers.has(key));
        const workers = Array.from({ length: 8 }, async () => {
          for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
            const answer = await post("count", '{"of":"kill"}', keyed(key), service.url);
            expect(answer.status).toBe(200);
            if (answers.has(key)) expect(answer).toEqual(answers.get(key));
            answers.set(key, answer);
            if (++answered === 60 && !isLast) void service.stop("SIGKILL");
          }
        });
        await Promise.allSettled(workers).then((ends) => {
          if (isLast) expect(ends.map(({ status }) => status)).toEqual(ends.map(() => "fulfilled"));
        });
        if (!isLast) continue;
        expect(await post("count", '{"of":"kill"}', {}, service.url)).toMatchObject({ json: { n: keys.length + 1 } });
      }
      expect(new Set([...answers.values()].map((answer) => JSON.stringify(answer))).size).toBe(keys.length);
    },
  );
});

describe("a limit", () => {
  test("over REST is 429 with Retry-After, and says which it is", async () => {
    expect([await post("rare", "{}"), await post("rare", "{}")]).toMatchObject([{ status: 200 }, { status: 200 }]);
    const refused = await post("rare", "{}");
    expect(refused).toMatchObject({
      status: 429,
      json: {
        name: "RATE_LIMITED",
        code: 2201,
        details: { limit: "rate", of: "tool", name: "runner.rare", allowed: 2, retryAfter: Number(refused.retryAfter) },
      },
    });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect(Number(refused.retryAfter)).toBeLessThanOrEqual(30);
  });

  test("over MCP is a result with isError and the seconds, status 200", async () => {
    const sent = await sendModern(cairn.url + MCP, toToolCall("runner.rare"));
    expect(sent.status).toBe(200);
    expect(await sent.result()).toMatchObject({
      isError: true,
      _meta: { "cairn/error": { name: "RATE_LIMITED", details: { limit: "rate", retryAfter: expect.any(Number) } } },
    });
  });

  test("of the operator holds for a version that says nothing of it, and a day's cost survives a restart", async () => {
    const data = await temporaryFolder();
    const environment = { CAIRN_LIMITS: "actor.dailyCost=10" };
    const first = await startCairn(["serve", repositoryPath, "--data", data], environment);
    expect(await post("count", "{}", {}, first.url)).toMatchObject({ status: 200 });
    expect(await post("count", "{}", {}, first.url)).toMatchObject({ status: 200 });
    await first.stop("SIGKILL");
    const second = await startCairn(["serve", repositoryPath, "--data", data], environment);
    expect(await post("count", "{}", {}, second.url)).toMatchObject({
      status: 429,
      json: { details: { limit: "dailyCost", of: "actor", allowed: 10 } },
    });
    expect(await post("reward", '{"reward":1}', {}, second.url)).toMatchObject({ status: 200 });
  });
});

describe("[D8] a number", () => {
  const NOT_JSON = [400, "PARSE_ERROR"];
  const REFUSED = [400, "INVALID_REQUEST"];
  test.each<[string, unknown]>([
    ["NaN", NOT_JSON],
    ["Infinity", NOT_JSON],
    ["-Infinity", NOT_JSON],
    ["+1", NOT_JSON],
    ["01", NOT_JSON],
    [".5", NOT_JSON],
    ["0x10", NOT_JSON],
    ["1e400", REFUSED],
    ["-1e400", REFUSED],
    ["9007199254740992", REFUSED],
    ["9007199254740993", REFUSED],
    ["-9007199254740993", REFUSED],
    ["123456789012345678901234567890", REFUSED],
    ['"1"', [400, "BAD_REQUEST"]],
    ['"NaN"', [400, "BAD_REQUEST"]],
    ["null", [400, "BAD_REQUEST"]],
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["1.7976931348623157e308", Number.MAX_VALUE],
    ["5e-324", Number.MIN_VALUE],
    ["-0", 0],
    ["-0.0", 0],
    ["0.1", 0.1],
  ])("[abuse 38] %s as a reward is taken or refused alike over REST and MCP", async (literal, expected) => {
    const body = `{"reward":${literal}}`;
    const rest = await post("reward", body);
    const response = await fetch(cairn.url + MCP, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"runner.reward","arguments":${body}}}`,
    });
    const { result, error } = (await response.json()) as Record<string, Record<string, unknown> | undefined>;
    if (!Array.isArray(expected)) {
      expect([rest.status, rest.json]).toEqual([200, { reward: expected }]);
      expect(result?.["structuredContent"]).toEqual({ reward: expected });
    } else {
      expect([rest.status, rest.json["name"]]).toEqual(expected);
      const failed = result?.["_meta"] as Record<string, unknown> | undefined;
      expect(error?.["data"] ?? failed?.["cairn/error"]).toMatchObject({ name: expected[1] });
    }
  });
});

test("a body with more members than are taken is refused over REST and MCP: 400", async () => {
  const members = Array.from({ length: 100_001 }, (_, index) => `"${index.toString(36)}":0`).join(",");
  expect(await post("count", `{${members}}`)).toMatchObject({ status: 400, json: { name: "INVALID_REQUEST" } });
  const response = await fetch(cairn.url + MCP, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"runner.count","arguments":{${members}}}}`,
  });
  expect(response.status).toBe(400);
});

test(`after all of this the service still answers, and has not grown by ${GROWTH_LIMIT} MB`, async () => {
  expect(await post("reward", '{"reward":1}')).toMatchObject({ status: 200 });
  expect((await residentMegabytes(cairn.pid)) - before).toBeLessThan(GROWTH_LIMIT);
  expect(cairn.output()).not.toMatch(/"level":"error"|unhandled/i);
});
