import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { askModern, type ModernRequest, REVISION, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createRepository } from "../helpers/repository.ts";
import type { Rpc } from "../helpers/sent.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel";
const SERVER_INFO = {
  "io.modelcontextprotocol/serverInfo": { name: "test-agent/runner", title: "test-agent", version: "1.0.0" },
};
const REVISIONS = [REVISION, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const WEEK_MS = 604_800_000;

const TOOLS = {
  add: {
    handler: "export default ({ a, b }) => ({ sum: a + b });\n",
    manifest: `deterministic: true
input: { type: object, required: [a, b], properties: { a: { type: number }, b: { type: number } } }
output: { type: object, required: [sum], properties: { sum: { type: number } } }`,
  },
  work: {
    handler: `export default async (input, ctx) => {
      ctx.log.debug("plan", { steps: 2 });
      ctx.progress(1, 2, "half");
      ctx.log.warning("slow");
      ctx.progress(1, 2);
      ctx.progress(0.5, 2);
      ctx.progress(2, 2, "all");
      ctx.log.error("done");
      return { done: true };
    };\n`,
  },
  fail: { handler: "export default (input, ctx) => { throw ctx.fail('NOT_FOUND', 'No such thing.'); };\n" },
  show: {
    handler: `export default (input, ctx) => ctx.reply({ n: 1 }, [
      { type: "text", text: "one" }, { type: "image", data: "R0lGOA==", mimeType: "image/gif" },
    ]);\n`,
    manifest: "deterministic: true",
  },
  route: {
    handler: "export default (input) => ({ input });\n",
    manifest: `deterministic: true
input:
  type: object
  properties:
    region: { type: string, x-mcp-header: Region }
    retries: { type: integer, x-mcp-header: Retries }
    deep: { type: object, properties: { dry: { type: boolean, x-mcp-header: Dry-Run } } }
    other: { type: string }`,
  },
};

const FILES = {
  "manifests/docs/server.yaml": `name: docs
description: Texts.
resources: [{ uri: "docs://howto", name: howto, text: Read the sky. }]
`,
  "manifests/guarded/server.yaml": "name: guarded\ndescription: Not for everyone.\n",
  "manifests/guarded/open.yaml":
    "name: guarded.open\nversion: 1.0.0\ndescription: Opens.\nrequiredCapabilities: [tool:open]\ninput: { type: object }\noutput: { type: object }\n",
  "tools/guarded/open.ts": "export default () => ({});\n",
};

const shared = createShared();
let cairn: RunningCairn;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const files = agentFiles({ version: "1.0.0", tools: TOOLS, labels: { stable: "1.0.0" }, files: FILES });
  await repository.release("1.0.0", files);
  cairn = await startCairn(["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)], {}, shared.atEnd);
});
afterAll(shared.undoAll);

const url = (version = "1.0.0", server = "runner") => `${cairn.url}/agent/${version}/${server}`;
const ask = (request: ModernRequest) => askModern(url(), request);
const rest = async (request: ModernRequest): Promise<readonly Rpc[]> => (await sendModern(url(), request)).rest();

/** Status and error of a request that is refused. */
async function refusal(request: ModernRequest, at = url()) {
  const sent = await sendModern(at, request);
  const [message] = await sent.rest();
  return { status: sent.status, id: message?.["id"], error: message?.["error"] };
}

describe("[C1] server/discover", () => {
  test("tells revisions, capabilities and instructions, without any handshake before", async () => {
    expect(await ask({ method: "server/discover" })).toEqual({
      resultType: "complete",
      supportedVersions: REVISIONS,
      capabilities: { logging: {}, tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
      instructions: "Use them.",
      ttlMs: WEEK_MS,
      cacheScope: "public",
      _meta: SERVER_INFO,
    });
  });

  test("promises to tell of changes only where there can be some", async () => {
    expect(await askModern(url("stable"), { method: "server/discover" })).toMatchObject({
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
      },
      ttlMs: 0,
    });
  });
});

describe("[C1] what a request has to say", () => {
  const list = { method: "tools/list" };

  test.each([
    ["its revision", { [VERSION_KEY]: undefined }, `\`params._meta\` must have \`${VERSION_KEY}\`, a string.`],
    ["its revision as a text", { [VERSION_KEY]: 20260728 }, `\`params._meta\` must have \`${VERSION_KEY}\`, a string.`],
    [
      "its capabilities",
      { [CAPABILITIES_KEY]: undefined },
      `\`params._meta\` must have \`${CAPABILITIES_KEY}\`, an object.`,
    ],
    [
      "its capabilities as an object",
      { [CAPABILITIES_KEY]: [] },
      `\`params._meta\` must have \`${CAPABILITIES_KEY}\`, an object.`,
    ],
    [
      "a log level that there is",
      { [LOG_LEVEL_KEY]: "loud" },
      "The log level `loud` must be one of debug, info, notice, warning, error, critical, alert, emergency.",
    ],
  ])("is %s: 400 and -32602", async (_, meta, message) => {
    expect(await refusal({ ...list, meta })).toMatchObject({ status: 400, id: 1, error: { code: -32602, message } });
  });

  test("is a revision that is spoken here: 400, -32022 and those that are", async () => {
    const request = {
      ...list,
      meta: { [VERSION_KEY]: "2099-01-01" },
      headers: { "mcp-protocol-version": "2099-01-01" },
    };
    expect(await refusal(request)).toMatchObject({
      status: 400,
      id: 1,
      error: { code: -32022, data: { supported: REVISIONS, requested: "2099-01-01" } },
    });
  });

  test.each([
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "tools/destroy",
  ])("is a method that there is, and %s is none: 404 and -32601", async (method) => {
    expect(await refusal({ method })).toMatchObject({ status: 404, id: 1, error: { code: -32601 } });
  });

  test("needs no session, and a session's id means nothing", async () => {
    const sent = await sendModern(url(), { ...list, headers: { "mcp-session-id": "anything" } });
    expect([sent.status, sent.headers.get("mcp-session-id")]).toEqual([200, null]);
  });
});

describe("[C1] headers that repeat the body", () => {
  const encode = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;
  const add = toToolCall("runner.add", { a: 1, b: 2 });

  test.each([
    [
      "no revision",
      { "mcp-protocol-version": undefined },
      `The header \`MCP-Protocol-Version\` is missing; the body says \`${REVISION}\`.`,
    ],
    [
      "another revision",
      { "mcp-protocol-version": "2025-11-25" },
      `The header \`MCP-Protocol-Version\` is \`2025-11-25\`; the body says \`${REVISION}\`.`,
    ],
    ["no method", { "mcp-method": undefined }, "The header `Mcp-Method` is missing; the body says `tools/call`."],
    [
      "another method",
      { "mcp-method": "tools/list" },
      "The header `Mcp-Method` is `tools/list`; the body says `tools/call`.",
    ],
    ["no name", { "mcp-name": undefined }, "The header `Mcp-Name` is missing; the body says `runner.add`."],
    [
      "another name",
      { "mcp-name": "runner.fail" },
      "The header `Mcp-Name` is `runner.fail`; the body says `runner.add`.",
    ],
    [
      "a name in other letters",
      { "mcp-name": "RUNNER.ADD" },
      "The header `Mcp-Name` is `RUNNER.ADD`; the body says `runner.add`.",
    ],
    [
      "an encoded other name",
      { "mcp-name": encode("runner.fail") },
      `The header \`Mcp-Name\` is \`${encode("runner.fail")}\`; the body says \`runner.add\`.`,
    ],
    [
      "a name in broken base64",
      { "mcp-name": "=?base64?cnVubmVyLmFkZA?=" },
      "The header `Mcp-Name` is `=?base64?cnVubmVyLmFkZA?=`; the body says `runner.add`.",
    ],
  ])("are refused with %s: 400 and -32020", async (_, headers, message) => {
    expect(await refusal({ ...add, headers })).toMatchObject({ status: 400, id: 1, error: { code: -32020, message } });
  });

  test("may be encoded", async () => {
    expect(await ask({ ...add, headers: { "mcp-name": encode("runner.add") } })).toMatchObject({
      structuredContent: { sum: 3 },
    });
    const read = {
      method: "resources/read",
      params: { uri: "docs://héllo" },
      headers: { "mcp-name": encode("docs://héllo") },
    };
    expect(await refusal(read)).toMatchObject({ status: 200, error: { code: -32602, data: { uri: "docs://héllo" } } });
  });

  test("must not be bytes that readers of headers take differently", async () => {
    const read = { method: "resources/read", params: { uri: "docs://é" }, headers: { "mcp-name": "docs://é" } };
    expect(await refusal(read)).toMatchObject({ status: 400, error: { code: -32020 } });
  });

  const route = toToolCall("runner.route", { region: "us-west1", retries: 42, deep: { dry: true }, other: "x" });
  const repeated = { "Mcp-Param-Region": "us-west1", "mcp-param-retries": "42.0", "MCP-PARAM-DRY-RUN": "true" };

  test("repeat the arguments that a tool's schema marks", async () => {
    expect(await ask({ ...route, headers: repeated })).toMatchObject({
      structuredContent: { input: { region: "us-west1", retries: 42, deep: { dry: true }, other: "x" } },
    });
    const none = toToolCall("runner.route", { region: null, other: "x" });
    expect(await refusal(none)).toMatchObject({ status: 200, error: undefined });
  });

  test.each([
    [
      "a missing argument",
      { "mcp-param-retries": undefined },
      "The header `Mcp-Param-Retries` is missing; the body says `42`.",
    ],
    ["another argument", { "mcp-param-retries": "43" }, "The header `Mcp-Param-Retries` is `43`; the body says `42`."],
    [
      "another flag",
      { "mcp-param-dry-run": "True" },
      "The header `Mcp-Param-Dry-Run` is `True`; the body says `true`.",
    ],
    [
      "broken base64",
      { "mcp-param-region": "=?base64?dXM!?=" },
      "The header `Mcp-Param-Region` is `=?base64?dXM!?=`; the body says `us-west1`.",
    ],
  ])("are refused with %s", async (_, changed, message) => {
    const lower = Object.fromEntries(Object.entries(repeated).map(([name, value]) => [name.toLowerCase(), value]));
    expect(await refusal({ ...route, headers: { ...lower, ...changed } })).toMatchObject({
      status: 400,
      error: { code: -32020, message },
    });
  });

  test("are refused with an argument that the body does not have", async () => {
    const headers = { "mcp-param-region": "us-west1" };
    expect(await refusal({ ...toToolCall("runner.route"), headers })).toMatchObject({
      status: 400,
      error: {
        code: -32020,
        message: "The header `Mcp-Param-Region` is `us-west1`; the body says nothing to repeat.",
      },
    });
  });
});

describe("[C1] every result", () => {
  test.each<[string, ModernRequest]>([
    ["of a list of tools", { method: "tools/list" }],
    ["of a list of resources", { method: "resources/list" }],
    ["of a list of templates", { method: "resources/templates/list" }],
    ["of a list of prompts", { method: "prompts/list" }],
    ["of a prompt", { method: "prompts/get", params: { name: "greet", arguments: { who: "Ada" } } }],
    [
      "of a completion",
      {
        method: "completion/complete",
        params: { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "A" } },
        headers: {},
      },
    ],
    ["of a resource", { method: "resources/read", params: { uri: "state://active" } }],
    ["of a call", toToolCall("runner.add", { a: 1, b: 2 })],
    ["of a call with content of its own", toToolCall("runner.show")],
    ["of a call that failed", toToolCall("runner.fail")],
  ])("%s says that it is complete, and whose it is", async (_, request) => {
    expect(await ask(request)).toMatchObject({ resultType: "complete", _meta: SERVER_INFO });
  });

  test("of a call carries its output, its content and its handle", async () => {
    const result = await ask(toToolCall("runner.show"));
    expect(result).toMatchObject({
      content: [
        { type: "text", text: "one" },
        { type: "image", data: "R0lGOA==", mimeType: "image/gif" },
      ],
      structuredContent: { n: 1 },
      _meta: { "cairn/conversation_id": expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });

  test("of a call that failed says so in the result, with the dual code", async () => {
    expect(await ask(toToolCall("runner.fail"))).toMatchObject({
      isError: true,
      _meta: { "cairn/error": { code: 4000, name: "NOT_FOUND", message: "No such thing." } },
    });
  });
});

describe("[C1] a resource that is not there", () => {
  test.each(["state://nothing", "logs://01a2007d-c9b8-7000-9feb-10d0af55476d", "session://nobody"])(
    "is refused with its address: %s",
    async (uri) => {
      expect(await refusal({ method: "resources/read", params: { uri } })).toMatchObject({
        status: 200,
        error: { code: -32602, data: { code: 4000, name: "NOT_FOUND", uri } },
      });
    },
  );
});

describe("[C1] how long an answer may be kept", () => {
  const hints = async (at: string, request: ModernRequest) => {
    const { ttlMs, cacheScope } = await askModern(at, request);
    return { ttlMs, cacheScope };
  };
  const FOREVER = { ttlMs: WEEK_MS, cacheScope: "public" };
  const LISTS = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];

  test.each(LISTS)("[V1] %s of a version is for ever and for everyone", async (method) => {
    expect(await hints(url("1.0.0"), { method })).toEqual(FOREVER);
  });

  test.each(["stable", "latest", "^1.0", "1.x"])(
    "nothing at %s, which may come to mean another version",
    async (version) => {
      for (const method of [...LISTS, "server/discover"]) {
        expect(await hints(url(version), { method })).toEqual({ ttlMs: 0, cacheScope: "public" });
      }
    },
  );

  test("a list of tools that not everyone may see is for the one who asked", async () => {
    expect(await hints(url("1.0.0", "guarded"), { method: "tools/list" })).toEqual({
      ttlMs: WEEK_MS,
      cacheScope: "private",
    });
    expect(await hints(url("stable", "guarded"), { method: "tools/list" })).toEqual({
      ttlMs: 0,
      cacheScope: "private",
    });
  });

  test("a text of the version is for ever, a view of the service for now and for the one who asked", async () => {
    const read = (uri: string) => ({ method: "resources/read", params: { uri } });
    expect(await hints(url("1.0.0", "docs"), read("docs://howto"))).toEqual(FOREVER);
    expect(await hints(url("stable", "docs"), read("docs://howto"))).toEqual({ ttlMs: 0, cacheScope: "public" });
    expect(await hints(url("1.0.0"), read("logs://recent"))).toEqual({ ttlMs: 0, cacheScope: "private" });
  });
});

describe("[C1] what is sent before the answer", () => {
  const notifications = (messages: readonly Rpc[], method: string) =>
    messages.filter((message) => message["method"] === method).map(({ params }) => params);

  test("is nothing where nothing was asked for, and the answer is JSON", async () => {
    const sent = await sendModern(url(), toToolCall("runner.work"));
    expect([sent.status, sent.headers.get("content-type"), sent.headers.get("x-accel-buffering")]).toEqual([
      200,
      "application/json",
      null,
    ]);
    expect(await sent.rest()).toMatchObject([{ id: 1, result: { structuredContent: { done: true } } }]);
  });

  test.each([
    [
      "debug",
      [
        ["debug", { message: "plan", data: { steps: 2 } }],
        ["warning", "slow"],
        ["error", "done"],
      ],
    ],
    [
      "notice",
      [
        ["warning", "slow"],
        ["error", "done"],
      ],
    ],
    ["error", [["error", "done"]]],
    ["emergency", []],
  ])("is what was logged at %s and above, by whom asks for it", async (logLevel, lines) => {
    const messages = await rest({ ...toToolCall("runner.work"), meta: { [LOG_LEVEL_KEY]: logLevel } });
    expect(notifications(messages, "notifications/message")).toEqual(
      lines.map(([level, data]) => ({ level, logger: "runner.work", data })),
    );
    expect(notifications(messages, "notifications/progress")).toEqual([]);
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { done: true } } });
  });

  test.each(["p", 0])("is progress, always further, for the token %j", async (progressToken) => {
    const sent = await sendModern(url(), { ...toToolCall("runner.work"), meta: { progressToken } });
    expect([sent.headers.get("content-type"), sent.headers.get("x-accel-buffering")]).toEqual([
      "text/event-stream",
      "no",
    ]);
    const messages = await sent.rest();
    expect(notifications(messages, "notifications/progress")).toEqual([
      { progressToken, progress: 1, total: 2, message: "half" },
      { progressToken, progress: 2, total: 2, message: "all" },
    ]);
    expect(notifications(messages, "notifications/message")).toEqual([]);
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { done: true } } });
  });
});
