import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { type HeldServer, startHeldServer } from "../helpers/held-server.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { askModern, type ModernRequest, sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createRepository } from "../helpers/repository.ts";
import type { Rpc } from "../helpers/sent.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const NAME_FORM = `{ type: "object", properties: { name: { type: "string", minLength: 2 } }, required: ["name"] }`;

const TOOLS: Readonly<Record<string, AgentTool>> = {
  greet: {
    handler: `export default async ({ greeting = "Hello" }, ctx) => {
      const reply = await ctx.elicit("who", { message: greeting + " whom?", schema: ${NAME_FORM} });
      return { action: reply.action, said: greeting + " " + (reply.action === "accept" ? reply.content.name : "nobody") };
    };\n`,
    manifest: "interactive: true\nuses: [elicit]",
  },
  plan: {
    handler: `const form = { type: "object", properties: { days: { type: "integer", minimum: 1 } }, required: ["days"] };
    export default async (input, ctx) => {
      const dice = ctx.random();
      const { content } = await ctx.elicit("days", { message: "How many days? " + dice, schema: form });
      const messages = [{ role: "user", content: { type: "text", text: "Plan " + content.days + " days." } }];
      const { model, content: plan } = await ctx.sample("plan", { messages, maxTokens: 100 });
      const roots = await ctx.roots();
      return { days: content.days, model, plan: plan.text, roots: roots.map(({ uri }) => uri), dice };
    };\n`,
    manifest: "interactive: true\nuses: [elicit, sample, roots, random]",
  },
  both: {
    handler: `export default async (input, ctx) => {
      const schema = ${NAME_FORM};
      const replies = await Promise.all(["first", "second"].map((key) => ctx.elicit(key, { message: "The " + key + "?", schema })));
      return { names: replies.map(({ content }) => content.name) };
    };\n`,
    manifest: "interactive: true\nuses: [elicit]",
  },
  count: {
    handler: `export default async ({ ask }, ctx) => {
      const n = ((await ctx.state.get(["n"])) ?? 0) + (ask === undefined ? 0 : 1);
      if (ask === undefined) return { n };
      await ctx.state.set(["n"], n);
      const { action } = await ctx.elicit("sure", { message: "Sure?", schema: { type: "object", properties: {} } });
      return { n, action };
    };\n`,
    manifest: "interactive: true\nsideEffect: true\nuses: [elicit, state.read, state.write]",
  },
  send: {
    handler: `export default async ({ order }, ctx) => {
      const post = () => ctx.fetch("https://held.example/sent", { method: "POST", body: "1" });
      const ask = () => ctx.elicit("sure", { message: "Sure?", schema: { type: "object", properties: {} } });
      if (order === "at once") await Promise.all([post(), ask()]);
      if (order === "ask first, and do not wait") await Promise.all([ask(), post()]);
      await post();
      await ask();
      return {};
    };\n`,
    manifest: "interactive: true\nsideEffect: true\nuses: [elicit, fetch]\negress: [held.example]",
  },
  outer: {
    handler: 'export default async (input, ctx) => ctx.tools.call("runner.greet", {});\n',
    manifest: "uses: [tools.call]",
  },
  client: { handler: "export default (input, ctx) => ({ ...ctx.client });\n", manifest: "interactive: true" },
};
const SERVER = `name: runner
description: The tools for tests.
resources: []
prompts:
  - name: travel
    arguments:
      - { name: place, required: true, ask: "Which place?" }
      - { name: season, required: true }
    messages: [{ role: user, text: "Travel to {{place}} in {{season}}." }]
`;
const LOGS = '  - { uriTemplate: "logs://{conversation_id}", name: Logs, provider: logs.read }\n';
const FILES = {
  "manifests/agent.yaml": "name: test-agent\ndescription: An agent for tests.\nhostApi: 1.1.0\n",
  "manifests/runner/server.yaml": SERVER.replace("resources: []\n", `resources:\n${LOGS}`),
};

const shared = createShared();
let cairn: RunningCairn;
let held: HeldServer;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  for (const version of ["1.0.0", "1.0.1"]) {
    await repository.release(version, agentFiles({ version, tools: TOOLS, files: FILES }));
  }
  held = await startHeldServer(shared.atEnd);
  const args = ["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)];
  cairn = await startCairn(args, held.environment, shared.atEnd);
});
afterAll(shared.undoAll);

const at = (version = "1.0.0") => `${cairn.url}/agent/${version}/runner`;
const ALL = { elicitation: {}, sampling: {}, roots: {} };
const accept = (content: object) => ({ action: "accept", content });

interface Asked {
  readonly resultType: string;
  readonly inputRequests: Readonly<Record<string, Rpc>>;
  readonly requestState: string;
}

/** A leg of a call: what it is answered with, by a client that can be asked anything. */
async function leg(name: string, args: object = {}, more: object = {}, version?: string): Promise<Asked & Rpc> {
  const request = { ...toToolCall(name, args, more), capabilities: ALL };
  return (await askModern(at(version), request)) as unknown as Asked & Rpc;
}

async function refusal(request: ModernRequest, version?: string) {
  const sent = await sendModern(at(version), request);
  const [message] = await sent.rest();
  return { status: sent.status, error: message?.["error"] };
}

describe("[C1] a tool that asks a client without sessions", () => {
  test("answers with its question, and goes on when it is asked again with the answer", async () => {
    const asked = await leg("runner.greet", { greeting: "Hi" });
    expect(asked).toEqual({
      resultType: "input_required",
      inputRequests: {
        who: {
          method: "elicitation/create",
          params: {
            message: "Hi whom?",
            requestedSchema: {
              type: "object",
              properties: { name: { type: "string", minLength: 2 } },
              required: ["name"],
            },
          },
        },
      },
      requestState: expect.any(String) as string,
      _meta: {
        "io.modelcontextprotocol/serverInfo": { name: "test-agent/runner", title: "test-agent", version: "1.0.0" },
      },
    });
    const { requestState } = asked;
    expect(
      await leg("runner.greet", { greeting: "Hi" }, { requestState, inputResponses: { who: accept({ name: "Ada" }) } }),
    ).toMatchObject({
      resultType: "complete",
      structuredContent: { action: "accept", said: "Hi Ada" },
    });
  });

  test.each(["decline", "cancel"])("hears that a person does not want to answer: %s", async (action) => {
    const { requestState } = await leg("runner.greet");
    expect(await leg("runner.greet", {}, { requestState, inputResponses: { who: { action } } })).toMatchObject({
      structuredContent: { action, said: "Hello nobody" },
    });
  });

  test("asks in as many rounds as it needs, keeping what it heard, as one conversation that began once", async () => {
    const days = await leg("runner.plan");
    expect(Object.keys(days.inputRequests)).toEqual(["days"]);
    const plan = await leg(
      "runner.plan",
      {},
      { requestState: days.requestState, inputResponses: { days: accept({ days: 3 }) } },
    );
    expect(plan.inputRequests).toEqual({
      plan: {
        method: "sampling/createMessage",
        params: { messages: [{ role: "user", content: { type: "text", text: "Plan 3 days." } }], maxTokens: 100 },
      },
    });
    const sampled = { role: "assistant", content: { type: "text", text: "Walk." }, model: "m1", stopReason: "endTurn" };
    const roots = await leg("runner.plan", {}, { requestState: plan.requestState, inputResponses: { plan: sampled } });
    expect(roots.inputRequests).toEqual({ roots: { method: "roots/list", params: {} } });
    const given = { roots: { roots: [{ uri: "file:///home/ada", name: "Home" }] } };
    const done = await leg("runner.plan", {}, { requestState: roots.requestState, inputResponses: given });
    const { dice } = done["structuredContent"] as { dice: number };
    expect(done["structuredContent"]).toEqual({
      days: 3,
      model: "m1",
      plan: "Walk.",
      roots: ["file:///home/ada"],
      dice,
    });
    expect(days.inputRequests["days"]).toMatchObject({ params: { message: `How many days? ${dice}` } });

    const id = (done["_meta"] as Record<string, string>)["cairn/conversation_id"];
    const { contents } = await askModern(at(), { method: "resources/read", params: { uri: `logs://${id}` } });
    const [{ text } = { text: "" }] = contents as { text: string }[];
    const { calls } = JSON.parse(text) as { calls: { outcome: string; conversation_id: string }[] };
    expect(calls.map(({ outcome, conversation_id }) => [outcome, conversation_id])).toEqual([
      ["INPUT_REQUIRED", id],
      ["INPUT_REQUIRED", id],
      ["INPUT_REQUIRED", id],
      ["ok", id],
    ]);
  });

  test("asks several things at once, and again for those that are missing", async () => {
    const asked = await leg("runner.both");
    expect(Object.keys(asked.inputRequests)).toEqual(["first", "second"]);
    const inputResponses = { second: accept({ name: "Bob" }), third: accept({ name: "Eve" }) };
    const again = await leg("runner.both", {}, { requestState: asked.requestState, inputResponses });
    expect(Object.keys(again.inputRequests)).toEqual(["first"]);
    const last = { requestState: again.requestState, inputResponses: { first: accept({ name: "Ada" }) } };
    expect(await leg("runner.both", {}, last)).toMatchObject({ structuredContent: { names: ["Ada", "Bob"] } });
  });

  test.each([
    ["that breaks the form's schema", accept({ name: "A" })],
    ["with what the form does not have", accept({ name: "Ada", age: 36 })],
    ["that is empty", accept({})],
    ["without content", { action: "accept" }],
    ["of no kind", { action: "maybe" }],
    ["to a question of another kind", { roots: [] }],
    ["that is no object", "Ada"],
  ])("asks again after an answer %s", async (_, who) => {
    const { requestState } = await leg("runner.greet");
    const again = await leg("runner.greet", {}, { requestState, inputResponses: { who } });
    expect(Object.keys(again.inputRequests)).toEqual(["who"]);
    const right = { requestState: again.requestState, inputResponses: { who: accept({ name: "Ada" }) } };
    expect(await leg("runner.greet", {}, right)).toMatchObject({ structuredContent: { said: "Hello Ada" } });
  });

  test("refuses answers that are no object", async () => {
    const call = toToolCall("runner.greet", {}, { inputResponses: [1] });
    expect(await refusal({ ...call, capabilities: ALL })).toMatchObject({
      error: {
        code: -32602,
        message: "`inputResponses` must be an object: the answers by the keys of their questions.",
      },
    });
  });

  test.each([
    ["runner.greet", {}, "elicitation"],
    ["runner.greet", { sampling: {}, roots: {} }, "elicitation"],
    ["runner.greet", { elicitation: { url: {} } }, "elicitation"],
    ["runner.plan", {}, "elicitation"],
  ])("tells what %s needs of a client that declares %j only: 400 and -32021", async (name, capabilities, missing) => {
    expect(await refusal({ ...toToolCall(name), capabilities })).toMatchObject({
      status: 400,
      error: { code: -32021, data: { name: "MISSING_CLIENT_CAPABILITY", requiredCapabilities: { [missing]: {} } } },
    });
  });

  test("sees what its client can be asked", async () => {
    const see = async (capabilities: object) =>
      (await askModern(at(), { ...toToolCall("runner.client"), capabilities }))["structuredContent"];
    expect(await see({})).toEqual({ elicit: false, sample: false, roots: false });
    expect(await see(ALL)).toEqual({ elicit: true, sample: true, roots: true });
    expect(await see({ elicitation: { form: {} }, sampling: null })).toEqual({
      elicit: true,
      sample: false,
      roots: false,
    });
  });

  test("keeps what it changed only when it ends", async () => {
    const count = async () => (await leg("runner.count"))["structuredContent"];
    const asked = await leg("runner.count", { ask: true });
    const again = await leg("runner.count", { ask: true }, { requestState: asked.requestState });
    expect(await count()).toEqual({ n: 0 });
    const sure = { requestState: again.requestState, inputResponses: { sure: { action: "accept" } } };
    expect(await leg("runner.count", { ask: true }, sure)).toMatchObject({
      structuredContent: { n: 1, action: "accept" },
    });
    expect(await count()).toEqual({ n: 1 });
  });

  test.each(["act first", "at once", "ask first, and do not wait"])(
    "may not act for good and then ask: %s",
    async (order) => {
      const ended = leg("runner.send", { order });
      void held.next().then(({ answer }) => answer("sent"));
      expect(await ended).toMatchObject({
        isError: true,
        _meta: { "cairn/error": { name: "CONFLICT", message: expect.stringContaining("`sure` is asked") as string } },
      });
    },
  );
});

describe("[C1] `requestState`", () => {
  const refused = {
    status: 200,
    error: { code: -32602, message: "`requestState` is not what this server gave for this request." },
  };
  const retry = (requestState: unknown, name = "runner.greet", args: object = {}) => ({
    ...toToolCall(name, args, { requestState, inputResponses: { who: accept({ name: "Ada" }) } }),
    capabilities: ALL,
  });

  test("is refused when anything in it was changed", async () => {
    const { requestState } = await leg("runner.greet");
    const [payload = "", signature = ""] = requestState.split(".");
    const state = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...state, expiresAt: 8e15 })).toString("base64url");
    for (const text of [`${forged}.${signature}`, `${payload}.`, payload, "", 7, null]) {
      expect(await refusal(retry(text))).toMatchObject(refused);
    }
    expect(await refusal(retry(requestState))).toMatchObject({ status: 200, error: undefined });
  });

  test("is refused with other arguments, for another tool, and at another version", async () => {
    const { requestState } = await leg("runner.greet", { greeting: "Hi" });
    expect(await refusal(retry(requestState, "runner.greet", { greeting: "Ho" }))).toMatchObject(refused);
    expect(await refusal(retry(requestState, "runner.both", { greeting: "Hi" }))).toMatchObject(refused);
    const same = retry(requestState, "runner.greet", { greeting: "Hi" });
    expect(await refusal(same, "1.0.1")).toMatchObject(refused);
    expect(await refusal(same)).toMatchObject({ status: 200, error: undefined });
  });
});

/** The official client, which answers what it is asked. */
async function connect(
  capabilities: object,
  answers: { elicit?: ElicitResult; asked?: unknown[] } = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  const { elicit, asked = [] } = answers;
  if ("elicitation" in capabilities) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      if (elicit === undefined) throw new Error("nobody there");
      return elicit;
    });
  }
  if ("sampling" in capabilities) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked.push(params.messages);
      return { role: "assistant", content: { type: "text", text: "Walk." }, model: "m1" };
    });
  }
  if ("roots" in capabilities) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///home/ada" }] }));
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(at())) as Parameters<Client["connect"]>[0]);
  onTestFinished(() => client.close());
  return client;
}

describe("[C1] a tool that asks a client with a session", () => {
  test("is answered while its call waits, one question after another", async () => {
    const asked: unknown[] = [];
    const client = await connect(ALL, { elicit: { action: "accept", content: { days: 2 } }, asked });
    const { structuredContent } = await client.callTool({ name: "runner.plan", arguments: {} });
    const { dice } = structuredContent as { dice: number };
    expect(structuredContent).toEqual({ days: 2, model: "m1", plan: "Walk.", roots: ["file:///home/ada"], dice });
    expect(asked).toEqual([
      `How many days? ${dice}`,
      [{ role: "user", content: { type: "text", text: "Plan 2 days." } }],
    ]);
  });

  test("hears that a person does not want to answer", async () => {
    const client = await connect({ elicitation: {} }, { elicit: { action: "decline" } });
    expect((await client.callTool({ name: "runner.greet" })).structuredContent).toEqual({
      action: "decline",
      said: "Hello nobody",
    });
  });

  test("fails when the client cannot be asked, or fails itself", async () => {
    const dumb = await connect({});
    expect(await dumb.callTool({ name: "runner.greet" })).toMatchObject({
      isError: true,
      _meta: {
        "cairn/error": { name: "MISSING_CLIENT_CAPABILITY", details: { requiredCapabilities: { elicitation: {} } } },
      },
    });
    const failing = await connect({ elicitation: {} });
    await expect(failing.callTool({ name: "runner.greet" })).rejects.toThrow("The client refuses `elicitation/create`");
  });

  test("asks again after an answer that does not fit, and several things at once", async () => {
    const session = await openLegacySession(at());
    const call = (id: number, name: string) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name, arguments: {} },
    });
    const reply = ({ id }: Rpc, content: object) => session.post({ jsonrpc: "2.0", id, result: accept(content) });

    const greet = await session.post(call(1, "runner.greet"));
    for (const wrong of [{ name: "A" }, {}]) await reply((await greet.next()).message, wrong);
    await reply((await greet.next()).message, { name: "Ada" });
    expect(await greet.rest()).toMatchObject([{ id: 1, result: { structuredContent: { said: "Hello Ada" } } }]);

    const both = await session.post(call(2, "runner.both"));
    const questions = [(await both.next()).message, (await both.next()).message];
    expect(questions.map(({ params }) => (params as Rpc)["message"])).toEqual(["The first?", "The second?"]);
    for (const [index, question] of questions.entries()) await reply(question, { name: `No. ${index}` });
    expect(await both.rest()).toMatchObject([{ id: 2, result: { structuredContent: { names: ["No. 0", "No. 1"] } } }]);
  });

  test("is cancelled while it waits for the answer", async () => {
    const session = await openLegacySession(at());
    const greet = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "runner.greet", arguments: {} } };
    const asked = await session.post(greet);
    const { message: question } = await asked.next();
    await session.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect((await session.post({ jsonrpc: "2.0", id: question["id"], result: accept({ name: "Ada" }) })).status).toBe(
      202,
    );
    const again = await session.post({ ...greet, id: 2 });
    expect((await again.next()).message).toMatchObject({ method: "elicitation/create" });
  });
});

describe("a tool that asks where nobody can be asked", () => {
  test("by REST: 400 and MISSING_CLIENT_CAPABILITY", async () => {
    const response = await fetch(`${cairn.url}/agent/1.0.0/api/tools/runner.greet`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 2012, name: "MISSING_CLIENT_CAPABILITY", detail: expect.stringContaining("`elicitation`") as string },
    ]);
  });

  test("by another tool, whatever its own caller can be asked", async () => {
    expect(await leg("runner.outer")).toMatchObject({
      isError: true,
      _meta: {
        "cairn/error": {
          name: "FORBIDDEN",
          message: "`runner.greet` asks its caller, and `runner.outer` cannot answer. (tools/runner/outer.ts:1:48)",
        },
      },
    });
  });
});

describe("[C1] a prompt that asks for an argument", () => {
  const get = (args: object, more: object = {}): ModernRequest => ({
    method: "prompts/get",
    params: { name: "travel", arguments: args, ...more },
    capabilities: ALL,
  });
  const messages = [{ role: "user", content: { type: "text", text: "Travel to Rome in spring." } }];

  test("in rounds where there is no session", async () => {
    const asked = (await askModern(at(), get({ season: "spring" }))) as unknown as Asked;
    expect(asked.inputRequests).toMatchObject({
      arguments: { method: "elicitation/create", params: { message: "Which place?" } },
    });
    const { requestState } = asked;
    const answer = (inputResponses: object) => get({ season: "spring" }, { requestState, inputResponses });
    expect(await askModern(at(), answer({ arguments: accept({ place: "Rome" }) }))).toMatchObject({ messages });
    expect(await askModern(at(), answer({ arguments: accept({ city: "Rome" }) }))).toMatchObject({
      resultType: "input_required",
    });
    expect(await refusal(answer({ arguments: { action: "decline" } }))).toMatchObject({
      error: { code: -32602, message: "The prompt needs `place`." },
    });
    const other = get({ season: "winter" }, { requestState });
    expect(await refusal(other)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("requestState") as string },
    });
  });

  test("while the request waits where there is one", async () => {
    const asked: unknown[] = [];
    const client = await connect(
      { elicitation: {} },
      { elicit: { action: "accept", content: { place: "Rome" } }, asked },
    );
    expect(await client.getPrompt({ name: "travel", arguments: { season: "spring" } })).toMatchObject({ messages });
    expect(asked).toEqual(["Which place?"]);
  });

  test("not before it has what nobody is asked for", async () => {
    expect(await refusal(get({}))).toMatchObject({ error: { code: -32602, message: "The prompt needs `season`." } });
    const asked: unknown[] = [];
    const client = await connect(
      { elicitation: {} },
      { elicit: { action: "accept", content: { place: "Rome" } }, asked },
    );
    await expect(client.getPrompt({ name: "travel" })).rejects.toThrow("The prompt needs `season`.");
    expect(asked).toEqual([]);
  });
});
