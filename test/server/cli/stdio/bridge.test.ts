import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { answer, cancelled, INITIALIZE, INITIALIZED, modern, openBridge } from "../open-bridge.ts";
import { startServer } from "../stand-in-server.ts";
import { eventually } from "../../../helpers/eventually.ts";

const call = (id: number | string, name = "t") => modern(id, "tools/call", { name });
const legacy = (id: number, method = "tools/list") => ({ jsonrpc: "2.0", id, method });
const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } };

describe("a message of 2026-07-28", () => {
  test("is posted as it came, with headers that repeat what it says; its answer is a line", async () => {
    const server = await startServer(({ body }, reply) => reply.json(answer(body.id)));
    const { bridge, lines } = openBridge(server.url);
    const text = JSON.stringify(call(1, "größe")).replace("{", '{ "n": 12345678901234567890, ');
    bridge.take(text);
    await eventually(() => expect(lines).toEqual([answer(1)]));
    const [{ method, headers, text: posted } = {}] = server.requests;
    expect([method, posted]).toEqual(["POST", text]);
    expect(headers).toMatchObject({
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "=?base64?Z3LDtsOfZQ==?=",
    });
    expect(headers).not.toHaveProperty("mcp-session-id");
  });

  test("has its notifications written before its answer comes", async () => {
    const server = await startServer(({ body }, reply) => {
      reply.event(progress);
      void eventually(() => expect(lines).toEqual([progress])).then(() => reply.event(answer(body.id)).end());
    });
    const { take, lines } = openBridge(server.url);
    take(call(1));
    await eventually(() => expect(lines).toEqual([progress, answer(1)]));
  });

  test("is cancelled by closing its connection; nothing more is written for it, and nothing is posted", async () => {
    const closed = Promise.withResolvers<void>();
    const server = await startServer(({ body, response }, reply) => {
      if (body.id === 2) return reply.json(answer(2));
      reply.event(progress);
      response.once("close", () => closed.resolve());
    });
    const { bridge, take, lines, warnings } = openBridge(server.url);
    take(call("a"));
    await eventually(() => expect(lines).toEqual([progress]));
    take(cancelled("a"));
    await closed.promise;
    take(cancelled("a"));
    take(call(2));
    await eventually(() => expect(lines).toEqual([progress, answer(2)]));
    await bridge.finish();
    expect([lines, warnings, server.requests.length]).toEqual([[progress, answer(2)], [], 2]);
  });

  test("is answered with an error when its stream ends too soon, and is not asked for again", async () => {
    const server = await startServer((_, reply) => reply.event(progress, { id: "7" }).break());
    const { take, lines } = openBridge(server.url);
    take(call(1));
    await eventually(() => expect(lines).toHaveLength(2));
    expect(lines[1]).toMatchObject({
      id: 1,
      error: {
        code: -32603,
        message: "The connection ended before the answer to `tools/call` came; whether it had an effect is unknown.",
        data: { name: "UNAVAILABLE" },
      },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("is answered with an error when its JSON does not arrive whole", async () => {
    const server = await startServer(({ response }) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"jsonrpc":"2.0","id":1,', () => response.destroy());
    });
    const { take, lines } = openBridge(server.url);
    take(call(1));
    await eventually(() => expect(lines).toMatchObject([{ id: 1, error: { code: -32603 } }]));
  });
});

describe("a call whose tool wants arguments repeated as headers", () => {
  const inputSchema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      at: { type: "object", properties: { dry: { type: "boolean", "x-mcp-header": "Dry" } } },
      n: { type: "integer", "x-mcp-header": "N" },
    },
  };
  const mismatch = { code: -32020, message: "The header `Mcp-Param-Region` is missing." };

  test("is refused once; then the bridge knows", async () => {
    const server = await startServer(({ body, headers, text }, reply) => {
      if (body.method === "tools/list") {
        const isSecond = text.includes('"cursor":"2"');
        const page = isSecond ? { tools: [{ name: "t", inputSchema }] } : { tools: [], nextCursor: "2" };
        reply.json(answer(body.id, page));
      } else if (headers["mcp-param-region"] === undefined) {
        reply.json({ jsonrpc: "2.0", id: body.id, error: mismatch }, 400);
      } else reply.json(answer(body.id));
    });
    const { take, lines } = openBridge(server.url);
    const args = { region: "Zürich", at: { dry: true }, n: null };
    take(modern(1, "tools/call", { name: "t", arguments: args }));
    await eventually(() => expect(lines).toEqual([answer(1)]));
    take(modern(2, "tools/call", { name: "t", arguments: { region: "eu", n: 7 } }));
    await eventually(() => expect(lines).toEqual([answer(1), answer(2)]));
    const asked = server.requests.map(({ headers }) => [
      headers["mcp-method"],
      ...["region", "dry", "n"].map((name) => headers[`mcp-param-${name}`]),
    ]);
    expect(asked).toEqual([
      ["tools/call", undefined, undefined, undefined],
      ["tools/list", undefined, undefined, undefined],
      ["tools/list", undefined, undefined, undefined],
      ["tools/call", "=?base64?WsO8cmljaA==?=", "true", undefined],
      ["tools/call", "eu", undefined, "7"],
    ]);
  });

  test("stays refused when there is nothing to add", async () => {
    const server = await startServer(({ body }, reply) => {
      if (body.method === "tools/list") reply.json(answer(body.id, { tools: [] }));
      else reply.json({ jsonrpc: "2.0", id: body.id, error: mismatch }, 400);
    });
    const { take, lines } = openBridge(server.url);
    take(call(1));
    await eventually(() => expect(lines).toEqual([{ jsonrpc: "2.0", id: 1, error: mismatch }]));
    expect(server.requests).toHaveLength(2);
  });
});

describe("a refusal", () => {
  test.each([
    ["with the request's id", 1],
    ["with null for an id", null],
    ["without an id", undefined],
  ])("that is a message of the protocol is passed on: %s", async (_, id) => {
    const error = { code: -32022, message: "No.", data: { supported: [] } };
    const server = await startServer((__, reply) => reply.json({ jsonrpc: "2.0", id, error }, 400));
    const { take, lines } = openBridge(server.url);
    take(call(1));
    await eventually(() => expect(lines).toEqual([{ jsonrpc: "2.0", id: 1, error }]));
  });

  test.each([
    [502, "<html>Bad gateway</html>", "`tools/call` was answered with HTTP 502 and no message of the protocol"],
    [404, '{"status":404}', "`tools/call` was answered with HTTP 404 and no message of the protocol"],
    [200, "<html>Welcome</html>", "The connection ended before the answer to `tools/call` came"],
  ])("that is none (%i %s) becomes an error", async (status, body, message) => {
    const server = await startServer(({ response }) => void response.writeHead(status).end(body));
    const { take, lines } = openBridge(server.url);
    take(call(1));
    await eventually(() =>
      expect(lines).toMatchObject([{ id: 1, error: { code: -32603, message: expect.stringContaining(message) } }]),
    );
  });

  test("of what nobody waits for is a warning", async () => {
    const server = await startServer(({ response }) => void response.writeHead(400).end());
    const { bridge, lines, warnings } = openBridge(server.url);
    bridge.take('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    await eventually(() =>
      expect(warnings).toEqual(["the service refused `notifications/roots/list_changed` with HTTP 400"]),
    );
    expect(lines).toEqual([]);
  });

  test("to connect says how to start a service, and is not the end of the bridge", async () => {
    const server = await startServer(({ body }, reply) => reply.json(answer(body.id)));
    await server.close();
    const { take, lines } = openBridge(server.url);
    take(call(1));
    const { origin } = new URL(server.url);
    await eventually(() =>
      expect(lines).toMatchObject([
        { id: 1, error: { message: `No service answers at ${origin}; start one with \`cairn serve\`.` } },
      ]),
    );
    await server.reopen();
    take(call(2));
    await eventually(() => expect(lines[1]).toEqual(answer(2)));
  });

  test("a connection that breaks before the answer does not claim that nobody was there", async () => {
    const server = await startServer(({ response }) => void response.destroy());
    const { take, lines } = openBridge(server.url);
    take(call(1));
    await eventually(() =>
      expect(lines).toMatchObject([
        { id: 1, error: { message: expect.stringContaining("whether the request had an effect is unknown") } },
      ]),
    );
  });
});

describe("a line", () => {
  test("that is no JSON is answered with an error without an id", async () => {
    const server = await startServer((_, reply) => reply.json(answer(1)));
    const { bridge, lines } = openBridge(server.url);
    bridge.take("hello");
    bridge.take("  ");
    expect(lines).toEqual([
      {
        jsonrpc: "2.0",
        error: { code: -32700, message: expect.any(String), data: { code: 2001, name: "PARSE_ERROR" } },
      },
    ]);
    expect(server.requests).toEqual([]);
  });

  test("that is a batch becomes a request for each message", async () => {
    const server = await startServer(({ body }, reply) => reply.json(answer(body.id)));
    const { take, lines } = openBridge(server.url);
    take([call(1), call(2)]);
    await eventually(() => expect(lines).toHaveLength(2));
    expect(new Set(lines)).toEqual(new Set([answer(1), answer(2)]));
  });
});

describe("the end", () => {
  test("waits for what is under way", async () => {
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const server = await startServer(({ body }, reply) => {
      arrived.resolve();
      void release.promise.then(() => reply.json(answer(body.id)));
    });
    const { bridge, take, lines } = openBridge(server.url);
    take(call(1));
    await arrived.promise;
    const finished = bridge.finish();
    release.resolve();
    await finished;
    expect(lines).toEqual([answer(1)]);
  });

  test("does not wait for ever, nor at all for subscriptions", async () => {
    const server = await startServer((_, reply) => void reply.event(progress));
    const patient = openBridge(server.url, { drains: true });
    patient.take(call(1));
    await eventually(() => expect(patient.lines).toEqual([progress]));
    await patient.bridge.finish();
    expect([patient.lines, patient.waits]).toEqual([[progress], [10_000]]);

    const listening = openBridge(server.url);
    listening.take(modern(1, "subscriptions/listen"));
    await eventually(() => expect(listening.lines).toEqual([progress]));
    await listening.bridge.finish();
    expect(listening.lines).toEqual([progress]);
  });

  test("can be at once", async () => {
    const server = await startServer(({ response }) => void response.writeHead(200).flushHeaders());
    const { bridge, take, lines } = openBridge(server.url);
    const arrived = once(server.http, "request");
    take(call(1));
    await arrived;
    await bridge.stop();
    expect(lines).toEqual([]);
  });
});

describe("a message of a revision with a handshake", () => {
  test("waits for the handshake, then states the revision that was agreed on", async () => {
    const server = await startServer(({ body }, reply) => {
      if (body.id === undefined) return reply.accept();
      setImmediate(() => reply.json(answer(body.id, body.id === 0 ? { protocolVersion: "2025-06-18" } : {})));
    });
    const { bridge, take, lines } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED, legacy(1));
    await eventually(() => expect(lines).toHaveLength(2));
    await bridge.finish();
    expect(
      server.requests.map(({ method, body, headers }) => [method, body.method, headers["mcp-protocol-version"]]),
    ).toEqual([
      ["POST", "initialize", undefined],
      ["POST", "notifications/initialized", "2025-06-18"],
      ["POST", "tools/list", "2025-06-18"],
    ]);
  });

  test("is cancelled by telling the server too", async () => {
    const server = await startServer(({ body }, reply) => {
      if (body.id === undefined) return reply.accept();
      if (body.id === 0) return reply.json(answer(0));
      reply.event(progress);
    });
    const { bridge, take, lines } = openBridge(server.url);
    take(INITIALIZE, legacy(1));
    await eventually(() => expect(lines).toEqual([answer(0), progress]));
    take(cancelled(1));
    await eventually(() => expect(server.requests.at(-1)?.body).toEqual(cancelled(1)));
    await bridge.finish();
    expect(lines).toEqual([answer(0), progress]);
  });

  test("that answers the server does not wait for the handshake, which may wait for it", async () => {
    const ping = { jsonrpc: "2.0", id: "s1", method: "ping" };
    const answered = Promise.withResolvers<void>();
    const server = await startServer(({ body }, reply) => {
      if (body.method === "initialize") {
        reply.event(ping);
        return void answered.promise.then(() => reply.event(answer(0)).end());
      }
      reply.accept();
      answered.resolve();
    });
    const { take, lines } = openBridge(server.url);
    take(INITIALIZE);
    await eventually(() => expect(lines).toEqual([ping]));
    take(answer("s1"));
    await eventually(() => expect(lines).toEqual([ping, answer(0)]));
  });
});
