import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { residentMegabytes } from "../helpers/memory.ts";
import { sendRaw } from "../helpers/raw-http.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

/** Keeps sessions, because its tool asks its callers. */
const TALKER = "/agent/1.0.0/talker";
const RUNNER = "/agent/1.0.0/runner";
/** Megabytes that all of this together may leave behind in the service's main process. */
const GROWTH_LIMIT = 50;

const FILES = {
  "manifests/agent.yaml": "name: test-agent\ndescription: An agent for tests.\nhostApi: 1.1.0\n",
  "manifests/talker/server.yaml": "name: talker\ndescription: Asks its callers.\n",
  "manifests/talker/ask.yaml": `name: talker.ask
version: 1.0.0
description: Asks for a name.
interactive: true
uses: [elicit]
input: { type: object, required: [greeting], properties: { greeting: { type: string } } }
output: { type: object, required: [said], properties: { said: { type: string } } }
`,
  "tools/talker/ask.ts": `export default async ({ greeting }, ctx) => {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const reply = await ctx.elicit("name", { message: greeting + " whom?", schema });
    return { said: greeting + " " + (reply.action === "accept" ? reply.content.name : "nobody") };
  };\n`,
};

const shared = createShared();
let cairn: RunningCairn;
let before: number;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const echo = { handler: "export default (input) => input;\n" };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { echo }, files: FILES }));
  cairn = await startCairn(["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)], {}, shared.atEnd);
  // What a service needs for its first calls is no growth.
  for (let i = 0; i < 50; i++) await post(RUNNER, call("runner.echo", { text: "x".repeat(1000) }));
  before = await residentMegabytes(cairn.pid);
});
afterAll(shared.undoAll);

const call = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name, arguments: args },
});
const ping = { jsonrpc: "2.0", id: 8, method: "ping" };
const open = () => openLegacySession(`${cairn.url}${TALKER}`);

/** A request apart from any client, of a session that it claims. */
function post(path: string, message: object, session?: string) {
  const headers: [string, string][] = [
    ["Content-Type", "application/json"],
    ["Accept", "application/json, text/event-stream"],
  ];
  if (session !== undefined) headers.push(["Mcp-Session-Id", session]);
  return sendRaw(cairn.url, { path, headers, body: JSON.stringify(message) });
}

/** What a client says to a question that it was asked. */
const nameFor = (question: Readonly<Record<string, unknown>>, name: string) => ({
  jsonrpc: "2.0",
  id: question["id"],
  result: { action: "accept", content: { name } },
});
const said = (text: string) => ({ message: { id: 7, result: { structuredContent: { said: text } } } });

describe("a server that keeps sessions", () => {
  test("[abuse 19] refuses a call before `initialize`: 400 and -32600", async () => {
    for (const message of [call("talker.ask", {}), ping]) {
      const { status, body } = await post(TALKER, message);
      expect([status, JSON.parse(body)]).toMatchObject([400, { error: { code: -32600 } }]);
    }
  });

  test.each(["nothing", "01a2007d-c9b8-4000-9feb-10d0af55476d", "__proto__", "", "x".repeat(4000)])(
    "[abuse 20] knows no session %j: 404",
    async (id) => {
      expect(await post(TALKER, ping, id)).toMatchObject({ status: 404 });
      for (const method of ["GET", "DELETE"]) {
        const answer = await sendRaw(cairn.url, { method, path: TALKER, headers: [["Mcp-Session-Id", id]] });
        expect(answer).toMatchObject({ status: 404 });
      }
    },
  );

  test("knows a session at its own address only", async () => {
    const { id } = await open();
    expect(await post(TALKER, ping, id)).toMatchObject({ status: 200 });
    expect(await post(RUNNER, ping, id)).toMatchObject({ status: 404 });
  });

  test("ends a session when asked to, and knows it no more", async () => {
    const { id } = await open();
    const headers: [string, string][] = [["Mcp-Session-Id", id]];
    expect(await sendRaw(cairn.url, { method: "DELETE", path: TALKER, headers })).toMatchObject({ status: 200 });
    expect(await post(TALKER, ping, id)).toMatchObject({ status: 404 });
  });

  test("gives each client the answer to its own request, though another's with the same id is under way", async () => {
    const [ada, bob] = [await open(), await open()];
    const calls = [
      await ada.post(call("talker.ask", { greeting: "Hello" })),
      await bob.post(call("talker.ask", { greeting: "Goodbye" })),
    ];
    const [toAda, toBob] = await Promise.all(calls.map(async ({ next }) => (await next()).message));
    expect([toAda, toBob]).toMatchObject([
      { method: "elicitation/create", params: { message: "Hello whom?" } },
      { method: "elicitation/create", params: { message: "Goodbye whom?" } },
    ]);
    await bob.post(nameFor(toBob ?? {}, "Bob"));
    expect(await calls[1]?.next()).toMatchObject(said("Goodbye Bob"));
    await ada.post(nameFor(toAda ?? {}, "Ada"));
    expect(await calls[0]?.next()).toMatchObject(said("Hello Ada"));
  });

  test("[abuse 28] ignores a cancellation and an answer that come from somebody else's session", async () => {
    const [ada, mallory] = [await open(), await open()];
    const asked = await ada.post(call("talker.ask", { greeting: "Hello" }));
    const { message: question } = await asked.next();
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    expect((await mallory.post(cancelled)).status).toBe(202);
    expect((await mallory.post(nameFor(question, "Mallory"))).status).toBe(202);
    await ada.post(nameFor(question, "Ada"));
    expect(await asked.next()).toMatchObject(said("Hello Ada"));
  });

  test("[abuse 27] replays a session's events to that session only", async () => {
    const [ada, mallory] = [await open(), await open()];
    const asked = await ada.post(call("talker.ask", { greeting: "Hello" }));
    const { id: event = "", message: question } = await asked.next();
    await ada.post(nameFor(question, "Ada"));
    expect(await asked.next()).toMatchObject(said("Hello Ada"));
    expect((await mallory.listen(event)).status).toBe(404);
    expect((await ada.listen("nothing~1")).status).toBe(404);
    expect(await (await ada.listen(event)).next()).toMatchObject(said("Hello Ada"));
  });
});

test(`after all of this the service still answers, and has not grown by ${GROWTH_LIMIT} MB`, async () => {
  expect(await post(RUNNER, ping)).toMatchObject({ status: 200, body: '{"jsonrpc":"2.0","id":8,"result":{}}' });
  expect((await residentMegabytes(cairn.pid)) - before).toBeLessThan(GROWTH_LIMIT);
  expect(cairn.output()).not.toMatch(/"level":"error"|unhandled/i);
});
