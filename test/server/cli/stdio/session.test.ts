import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { answer, INITIALIZE, INITIALIZED, openBridge } from "../open-bridge.ts";
import { type Reply, type StandInRequest, startServer } from "../stand-in-server.ts";
import { eventually } from "../../../helpers/eventually.ts";

const CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
const ANSWER_0 = answer(0, { protocolVersion: "2025-11-25" });
const call = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "t" } });

/** A server that begins sessions `s1`, `s2`, ...; everything else is up to `handle`. */
async function startSessions(handle: (request: StandInRequest, reply: Reply) => void) {
  let begun = 0;
  const server = await startServer((request, reply) => {
    const { method, body, response } = request;
    if (body.method === "initialize") {
      begun += 1;
      response.setHeader("mcp-session-id", `s${begun}`);
      return reply.json(ANSWER_0);
    }
    if (method === "DELETE") return reply.refuse(200);
    if (body.method === "notifications/initialized") return reply.accept();
    handle(request, reply);
  });
  const asked = () =>
    server.requests.map(({ method, body, headers }) =>
      [method, body.method, headers["mcp-session-id"], headers["last-event-id"]]
        .filter((part) => part !== undefined)
        .join(" "),
    );
  return { ...server, asked };
}

const begin = ["POST initialize", "POST notifications/initialized s1", "GET s1"];

describe("a session", () => {
  test("is kept from the answer to `initialize` on, listened to, and ended", async () => {
    const stream = Promise.withResolvers<ServerResponse>();
    const server = await startSessions(({ method, body, response }, reply) => {
      if (method === "POST") return reply.json(answer(body.id));
      stream.resolve(response);
      reply.event(CHANGED, { id: "1" });
    });
    const { bridge, take, lines } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED);
    await eventually(() => expect(lines).toEqual([ANSWER_0, CHANGED]));
    take(call(1));
    await eventually(() => expect(lines).toHaveLength(3));
    const closed = once(await stream.promise, "close");
    await bridge.finish();
    await closed;
    await bridge.stop();
    expect(server.asked()).toEqual([...begin, "POST tools/call s1", "DELETE s1"]);
    expect(server.requests.map(({ headers }) => headers["mcp-protocol-version"])).toEqual([
      undefined,
      ...Array.from({ length: 4 }, () => "2025-11-25"),
    ]);
    expect(server.requests[2]?.headers.accept).toBe("text/event-stream");
  });

  test("need not have a stream of its own", async () => {
    const server = await startSessions((_, reply) => reply.refuse(405));
    const { bridge, take, lines, warnings, waits } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED);
    await eventually(() => expect(server.asked()).toEqual(begin));
    await bridge.finish();
    expect([lines, warnings, waits]).toEqual([[ANSWER_0], [], [10_000]]);
  });

  test("that ends while its stream is asked for waits for no other", async () => {
    const server = await startSessions(() => undefined);
    const { bridge, take, waits } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED);
    await eventually(() => expect(server.asked()).toEqual(begin));
    await bridge.finish();
    expect(waits).toEqual([10_000]);
  });

  test("hears again where it left off when its stream breaks", async () => {
    const server = await startSessions(({ headers }, reply) => {
      if (headers["last-event-id"] === undefined) return reply.event(CHANGED, { id: "a", retry: "250" }).break();
      if (headers["last-event-id"] === "a") return reply.event(CHANGED, { id: "b" }).end();
      reply.event(CHANGED);
    });
    const { take, lines, waits } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED);
    await eventually(() => expect(lines).toEqual([ANSWER_0, CHANGED, CHANGED, CHANGED]));
    expect(server.asked()).toEqual([...begin, "GET s1 a", "GET s1 b"]);
    expect(waits).toEqual([250, 250]);
  });

  test("is asked for ever more slowly while its stream cannot be had", async () => {
    let refused = 0;
    const server = await startSessions((_, reply) => {
      refused += 1;
      if (refused <= 7) reply.refuse(503);
      else reply.event(CHANGED);
    });
    const { take, lines, waits } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED);
    await eventually(() => expect(lines).toEqual([ANSWER_0, CHANGED]));
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });
});

describe("an answer of a session whose stream breaks", () => {
  test("is fetched with the last event's id, after as long as the server wants", async () => {
    const server = await startSessions(({ method, headers }, reply) => {
      if (method === "POST") return reply.event("", { id: "p1", retry: "40" }).end();
      if (headers["last-event-id"] === undefined) return reply.refuse(405);
      reply.event(CHANGED, { id: "p2" }).event(answer(1)).end();
    });
    const { take, lines, waits } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED, call(1));
    await eventually(() => expect(lines).toEqual([ANSWER_0, CHANGED, answer(1)]));
    expect(server.asked().at(-1)).toBe("GET s1 p1");
    expect(waits).toEqual([40]);
  });

  test("is given up after five attempts that bring nothing", async () => {
    const server = await startSessions(({ method, headers }, reply) => {
      if (method === "POST") return reply.event(CHANGED, { id: "p1" }).break();
      if (headers["last-event-id"] === undefined) return reply.refuse(405);
      reply.refuse(503);
    });
    const { take, lines, waits } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED, call(1));
    await eventually(() => expect(lines).toHaveLength(3));
    expect(lines[2]).toMatchObject({ id: 1, error: { message: expect.stringContaining("The connection ended") } });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000]);
  });

  test("is given up when the server has no more of it", async () => {
    const server = await startSessions(({ method }, reply) => {
      if (method === "POST") reply.event(CHANGED, { id: "p1" }).break();
      else reply.refuse(404);
    });
    const { take, lines, waits } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED, call(1));
    await eventually(() => expect(lines).toHaveLength(3));
    expect([lines[2], waits]).toMatchObject([{ id: 1, error: {} }, [1000]]);
  });
});

describe("a session that the server has forgotten", () => {
  const forgotten = {
    jsonrpc: "2.0",
    id: null,
    error: { code: 4006, message: "There is no such session.", data: { name: "SESSION_NOT_FOUND" } },
  };

  test("is begun anew, once for all who notice, without the client's knowledge", async () => {
    const server = await startSessions(({ method, headers, body }, reply) => {
      if (method === "GET") reply.refuse(405);
      else if (headers["mcp-session-id"] === "s1") reply.json(forgotten, 404);
      else reply.json(answer(body.id));
    });
    const { bridge, take, lines, warnings } = openBridge(server.url);
    take(INITIALIZE, INITIALIZED, call(1), call(2));
    await eventually(() => expect(lines).toHaveLength(3));
    expect(new Set(lines)).toEqual(new Set([ANSWER_0, answer(1), answer(2)]));
    await bridge.finish();
    const asked = server.asked();
    expect(asked.filter((line) => line.startsWith("POST initialize"))).toHaveLength(2);
    expect(asked).toEqual(expect.arrayContaining(["POST notifications/initialized s2", "GET s2", "DELETE s2"]));
    expect(warnings).toEqual([]);
  });

  test("is refused to the client when it cannot be begun anew", async () => {
    let begun = false;
    const server = await startServer(({ body, response }, reply) => {
      if (body.method === "initialize" && !begun) {
        begun = true;
        response.setHeader("mcp-session-id", "s1");
        reply.json(ANSWER_0);
      } else if (body.id === undefined) reply.accept();
      else reply.json(forgotten, 404);
    });
    const { take, lines } = openBridge(server.url);
    take(INITIALIZE, call(1));
    await eventually(() => expect(lines).toEqual([ANSWER_0, { ...forgotten, id: 1 }]));
  });

  test("is not waited for when the client has gone", async () => {
    let begun = false;
    const again = Promise.withResolvers<void>();
    const server = await startServer(({ body, response }, reply) => {
      if (body.method !== "initialize") return reply.json(forgotten, 404);
      if (begun) return again.resolve();
      begun = true;
      response.setHeader("mcp-session-id", "s1");
      reply.json(ANSWER_0);
    });
    const { bridge, take, lines } = openBridge(server.url);
    take(INITIALIZE, call(1));
    await again.promise;
    await bridge.stop();
    expect(lines).toEqual([ANSWER_0]);
  });

  test("is not what an unknown method's 404 means", async () => {
    const unknown = { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "No." } };
    const server = await startSessions((_, reply) => reply.json(unknown, 404));
    const { take, lines } = openBridge(server.url);
    take(INITIALIZE, call(1));
    await eventually(() => expect(lines).toEqual([ANSWER_0, unknown]));
    expect(server.asked()).toEqual(["POST initialize", "POST tools/call s1"]);
  });
});
