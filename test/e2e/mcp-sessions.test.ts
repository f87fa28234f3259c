import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { type HeldServer, startHeldServer, WAITING_TOOL } from "../helpers/held-server.ts";
import { type LegacySession, type LegacySessionOptions, openLegacySession } from "../helpers/legacy-session.ts";
import { askModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createRepository } from "../helpers/repository.ts";
import type { Rpc, Sent } from "../helpers/sent.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const AGENT = "name: test-agent\ndescription: An agent for tests.\nhostApi: 1.1.0\n";
/** A server with a tool that asks keeps sessions, for its other tools, too. */
const ASK: AgentTool = {
  handler: "export default async (input, ctx) => ({ roots: await ctx.roots() });\n",
  manifest: "interactive: true\nuses: [roots]",
};
const TOOLS: Readonly<Record<string, AgentTool>> = {
  ask: ASK,
  wait: WAITING_TOOL,
  log: {
    handler:
      'export default (input, ctx) => { ctx.log.debug("d"); ctx.log.info("i"); ctx.log.warning("w"); ctx.log.error("e"); return {}; };\n',
  },
  chat: {
    handler: `export default async ({ message }, ctx) => {
      const turns = [...((await ctx.session.get())?.turns ?? []), message];
      await ctx.session.set({ turns });
      return { turns };
    };\n`,
    manifest: `session: stateful
sideEffect: true
uses: [session]
input: { type: object, required: [message], properties: { conversation_id: { type: string }, message: { type: string } } }
output: { type: object, required: [conversation_id], properties: { conversation_id: { type: string } } }`,
  },
};
const FILES = {
  "manifests/agent.yaml": AGENT,
  "manifests/plain/server.yaml": "name: plain\ndescription: Asks nobody.\n",
  "manifests/plain/echo.yaml":
    "name: plain.echo\nversion: 1.0.0\ndescription: Echoes.\ninput: { type: object }\noutput: { type: object }\n",
  "tools/plain/echo.ts": "export default (input) => input;\n",
};
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const shared = createShared();
let cairn: RunningCairn;
let held: HeldServer;

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS, files: FILES }));
  held = await startHeldServer(shared.atEnd);
  const args = ["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)];
  cairn = await startCairn(args, held.environment, shared.atEnd);
});
afterAll(shared.undoAll);

const at = (version = "1.0.0", server = "runner") => `${cairn.url}/agent/${version}/${server}`;
const open = (options?: LegacySessionOptions) => openLegacySession(at(), options);

const request = (id: string | number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
const call = (id: string | number, name: string, args: object = {}, _meta: object = {}) =>
  request(id, "tools/call", { name, arguments: args, _meta });
const cancel = (requestId: string | number) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

async function nextOf(stream: Sent): Promise<Rpc> {
  return (await stream.next()).message;
}

/** How calls ended, newest first. */
async function outcomes(): Promise<readonly string[]> {
  const read = { method: "resources/read", params: { uri: "logs://recent?limit=200" } };
  const { contents } = await askModern(at(), read);
  const [{ text } = { text: "" }] = contents as { text: string }[];
  return (JSON.parse(text) as { calls: { outcome: string }[] }).calls.map(({ outcome }) => outcome);
}

describe("[C1] a session", () => {
  test.each(REVISIONS)(
    "begins with `initialize` in revision %s, and says what it can tell of",
    async (protocolVersion) => {
      const session = await open({ protocolVersion });
      // With several nodes, it says which one has the session.
      expect(session.id).toMatch(/^(?:[0-9a-f-]{36}\.)?[0-9a-f-]{36}$/);
      expect(session.begun).toMatchObject({
        id: "initialize",
        result: {
          protocolVersion,
          capabilities: { logging: {}, tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
          serverInfo: { name: "test-agent/runner", version: "1.0.0" },
        },
      });
      expect(await (await session.post(request(1, "ping"))).rest()).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    },
  );

  test("is known by its id, at its own address", async () => {
    const { id } = await open();
    const ping = (url: string, headers: Record<string, string>) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify(request(1, "ping")),
      });
    const own = { "mcp-session-id": id };
    expect((await ping(at(), own)).status).toBe(200);
    for (const url of [at("latest"), at("1.x"), at("1.0.0", "plain")]) expect((await ping(url, own)).status).toBe(404);
    expect((await ping(at(), { "mcp-session-id": "nobody" })).status).toBe(404);
    const without = await ping(at(), {});
    expect([without.status, await without.json()]).toMatchObject([400, { id: 1, error: { code: -32600 } }]);
  });

  test("is not begun twice", async () => {
    const session = await open();
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    expect((await session.post(request(1, "initialize", params))).status).toBe(400);
  });

  test("is not begun by an `initialize` that lacks something: 400 and -32602", async () => {
    const session = await open({ capabilities: "all" as never });
    expect([session.id, session.begun]).toMatchObject(["", { id: "initialize", error: { code: -32602 } }]);
  });

  test("is none where no tool asks anything: no id, and 405 to a GET", async () => {
    const session = await openLegacySession(at("1.0.0", "plain"));
    expect(session.id).toBe("");
    expect(session.begun).toMatchObject({ result: { capabilities: { logging: {}, tools: {} } } });
    const get = await fetch(at("1.0.0", "plain"), { headers: { accept: "text/event-stream" } });
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("has one stream for what nobody asked for", async () => {
    const session = await open();
    const first = new AbortController();
    const stream = await session.listen(undefined, first.signal);
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect((await session.listen()).status).toBe(409);
    first.abort();
    await eventually(async () => expect((await session.listen()).status).toBe(200));
  });

  test("ends when it is asked to, with its streams and its calls", async () => {
    const session = await open();
    const stream = await session.listen();
    const waiting = await session.post(call(1, "runner.wait", { name: "ended" }));
    const { path, gone } = await held.next();
    expect(path).toBe("/ended");
    expect((await session.end()).status).toBe(200);
    expect([await stream.rest(), await waiting.rest()]).toEqual([[], []]);
    await gone;
    await eventually(async () => expect((await outcomes())[0]).toBe("CANCELLED"));
    expect([(await session.post(request(2, "ping"))).status, (await session.end()).status]).toEqual([404, 404]);
  });
});

describe("[C1] a call in a session", () => {
  test("is one of its id at a time: 400 for another until it is answered", async () => {
    const session = await open();
    const first = await session.post(call(5, "runner.wait", { name: "first" }));
    const { answer } = await held.next();
    const second = await session.post(call(5, "runner.log"));
    expect([second.status, await nextOf(second)]).toEqual([
      400,
      expect.objectContaining({ id: 5, error: expect.objectContaining({ code: -32600 }) }),
    ]);
    answer("done");
    expect(await first.result()).toMatchObject({ structuredContent: { said: expect.anything() } });
    expect(await (await session.post(call(5, "runner.log"))).result()).toMatchObject({ structuredContent: {} });
  });

  test("is aborted by `notifications/cancelled`, and answered no more", async () => {
    const session = await open();
    const cancelled = await session.post(call("a", "runner.wait", { name: "cancelled" }));
    const { gone } = await held.next();
    expect((await session.post(cancel("a"))).status).toBe(202);
    // Its stream ends, and nothing was sent on it.
    expect(await cancelled.rest()).toEqual([]);
    await gone;
    await eventually(async () => expect((await outcomes())[0]).toBe("CANCELLED"));
    expect(await (await session.post(request("b", "ping"))).rest()).toMatchObject([{ id: "b", result: {} }]);
    expect((await session.post(cancel("a"))).status).toBe(202);
    expect(await (await session.post(call("a", "runner.log"))).result()).toMatchObject({ structuredContent: {} });
  });

  test("ends for the official client with one resumption that says that there is nothing more", async () => {
    const resumed: number[] = [];
    const counted: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (new Headers(init?.headers).has("last-event-id")) resumed.push(response.status);
      return response;
    };
    const client = new Client({ name: "test", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(at()), { fetch: counted });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    onTestFinished(() => client.close());
    const failures: string[] = [];
    Object.assign(client, { onerror: ({ message }: Error) => void failures.push(message) });
    const cancelOne = async () => {
      const stop = new AbortController();
      const called = client.callTool({ name: "runner.wait", arguments: { name: "sdk" } }, undefined, stop);
      const { gone } = await held.next();
      stop.abort("no more");
      await expect(called).rejects.toThrow("no more");
      await gone;
    };
    await cancelOne();
    await vi.waitFor(() => expect(resumed).toEqual([204]), 10_000);
    // A client that went on resuming would have done so by then, and one that tried otherwise would have failed.
    await cancelOne();
    await vi.waitFor(() => expect(resumed).toEqual([204, 204]), 10_000);
    // So it is after an error, which this client does not take for an answer.
    await expect(client.callTool({ name: "runner.nothing" })).rejects.toThrow("There is no tool");
    await vi.waitFor(() => expect(resumed).toEqual([204, 204, 204]), 10_000);
    await cancelOne();
    await vi.waitFor(() => expect(resumed).toEqual([204, 204, 204, 204]), 10_000);
    expect(failures).toEqual([]);
  });

  test.each([
    ["of nobody", "nobody"],
    ["of another session", 7],
    ["of no form", { a: 1 }],
  ])("is not aborted by a cancellation %s", async (_, requestId) => {
    const [session, other] = [await open(), await open()];
    const waiting = await session.post(call(7, "runner.wait", { name: "kept" }));
    const { answer } = await held.next();
    expect((await other.post(cancel(requestId as number))).status).toBe(202);
    answer("kept");
    expect(await waiting.rest()).toMatchObject([{ id: 7, result: { structuredContent: { said: "kept" } } }]);
  });

  test("tells what was logged at the level that the session wants", async () => {
    const session = await open();
    const logged = async () => {
      const messages = await (await session.post(call(1, "runner.log"))).rest();
      return messages
        .slice(0, -1)
        .map(({ method, params }) => [method, (params as Rpc)["level"], (params as Rpc)["data"]]);
    };
    const line = (level: string, data: string) => ["notifications/message", level, data];
    expect(await logged()).toEqual([line("info", "i"), line("warning", "w"), line("error", "e")]);
    const set = async (level: unknown) => (await session.post(request(2, "logging/setLevel", { level }))).rest();
    expect(await set("error")).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
    expect(await logged()).toEqual([line("error", "e")]);
    expect(await set("loud")).toMatchObject([{ id: 2, error: { code: -32602 } }]);
    await set("debug");
    expect(await logged()).toHaveLength(4);
  });
});

describe("[C1] a stream that broke", () => {
  const said = (name: string) => ({ message: { id: 1, result: { structuredContent: { said: name } } } });

  /** A call in the middle of its run whose stream has just broken, and the last event that came before. */
  async function breakOff(session: LegacySession, name: string) {
    const client = new AbortController();
    const stream = await session.post(call(1, "runner.wait", { name }, { progressToken: "p" }), client.signal);
    const { id, message } = await stream.next();
    expect(message).toMatchObject({ method: "notifications/progress", params: { progressToken: "p", progress: 1 } });
    const { answer } = await held.next();
    client.abort();
    if (id === undefined) throw new Error("The event has no id.");
    return { id, answer };
  }

  /** The server may learn later than its client that the connection is gone. */
  const resume = (session: LegacySession, id: string) =>
    eventually(async () => {
      const resumed = await session.listen(id);
      expect(resumed.status).toBe(200);
      return resumed;
    });

  test("goes on where it was, once, while the call runs on", async () => {
    const session = await open();
    const { id, answer } = await breakOff(session, "running");
    const resumed = await resume(session, id);
    answer("running");
    expect(await resumed.next()).toMatchObject(said("running"));
    expect(await resumed.rest()).toEqual([]);
  });

  test("gives the answer that came meanwhile, and ends", async () => {
    const session = await open();
    const { id, answer } = await breakOff(session, "done");
    answer("done");
    await eventually(async () => expect((await outcomes())[0]).toBe("ok"));
    // What is sent later is kept later.
    await (await session.post(request(2, "ping"))).rest();
    const resumed = await resume(session, id);
    expect(await resumed.next()).toMatchObject(said("done"));
    expect(await resumed.rest()).toEqual([]);
  });

  test("is resumed by its own session only", async () => {
    const [session, other] = [await open(), await open()];
    const { id, answer } = await breakOff(session, "own");
    expect((await other.listen(id)).status).toBe(404);
    expect((await session.listen("nothing~1")).status).toBe(404);
    answer("own");
    expect(await (await resume(session, id)).next()).toMatchObject(said("own"));
  });
});

describe("[C1] a resource that a session subscribes to", () => {
  test("is told of when its conversation goes on, until the session wants to hear no more", async () => {
    const session = await open();
    const stream = await session.listen();
    const talk = async (message: string, more = {}) => {
      const sent = await session.post(call(1, "runner.chat", { message, ...more }));
      return (await sent.result<{ structuredContent: { conversation_id: string } }>()).structuredContent;
    };
    const { conversation_id } = await talk("one");
    const uri = `session://${conversation_id}`;
    const ask = async (method: string, params: object) => (await session.post(request(2, method, params))).rest();
    expect(await ask("resources/subscribe", { uri })).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
    await talk("two", { conversation_id });
    const updated = (of: string) => ({
      jsonrpc: "2.0",
      method: "notifications/resources/updated",
      params: { uri: of },
    });
    expect(await nextOf(stream)).toEqual(updated(uri));

    expect(await ask("resources/unsubscribe", { uri })).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
    await ask("resources/subscribe", { uri: "logs://recent" });
    await talk("three", { conversation_id });
    expect(await nextOf(stream)).toEqual(updated("logs://recent"));
    expect(await ask("resources/subscribe", { uri: "docs://nothing" })).toMatchObject([{ error: { code: -32002 } }]);
  });
});

describe("[C1] [D4] lists that change", () => {
  test("are told of on the stream of a session at an address that moves, and not promised at one that does not", async () => {
    const repository = await createRepository();
    const files = { "manifests/agent.yaml": AGENT };
    await repository.release(
      "1.0.0",
      agentFiles({ version: "1.0.0", tools: { ask: ASK }, labels: { stable: "1.0.0" }, files }),
    );
    const { url } = await startCairn(["serve", repository.path, "--data", await temporaryFolder()]);
    const [moving, pinned] = await Promise.all(
      ["stable", "1.0.0"].map((version) => openLegacySession(`${url}/agent/${version}/runner`)),
    );
    if (!moving || !pinned) throw new Error("There is no session.");
    expect(moving.begun).toMatchObject({
      result: {
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          prompts: { listChanged: true },
        },
      },
    });
    expect(pinned.begun).toMatchObject({
      result: { capabilities: { tools: {}, resources: { subscribe: true }, prompts: {} } },
    });
    const [told, untold] = [await moving.listen(), await pinned.listen()];

    const next = { version: "1.1.0", parent: "1.0.0", labels: { stable: "1.1.0" }, tools: { ask: ASK, more: ASK } };
    await repository.release("1.1.0", agentFiles({ ...next, files }));
    expect(await nextOf(told)).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} });
    const list = async (session: LegacySession) => {
      const sent = await session.post(request(1, "tools/list"));
      return (await sent.result<{ tools: { name: string }[] }>()).tools.map(({ name }) => name);
    };
    expect([await list(moving), await list(pinned)]).toEqual([["runner.ask", "runner.more"], ["runner.ask"]]);

    await pinned.post(request(2, "resources/subscribe", { uri: "logs://recent" }));
    await askModern(`${url}/agent/1.0.0/runner`, { ...toToolCall("runner.ask"), capabilities: { roots: {} } });
    expect(await nextOf(untold)).toMatchObject({ method: "notifications/resources/updated" });
  });
});
