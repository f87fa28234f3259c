import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../../server/log/log.ts";
import { LOCAL_PRINCIPAL } from "../../../server/principal.ts";
import type { AddressWatch } from "../../../server/protocol/address-watch.ts";
import type { Endpoint } from "../../../server/protocol/endpoint.ts";
import { createSessionEvents } from "../../../server/protocol/event-store.ts";
import type { Exchange } from "../../../server/protocol/exchange.ts";
import { writeError, writeResult } from "../../../server/protocol/json-rpc.ts";
import { toAbilities } from "../../../server/protocol/client-questions.ts";
import { createSession } from "../../../server/protocol/session.ts";
import type { Question } from "../../../server/kernel/call.ts";
import { type Sent, toSent } from "../../helpers/sent.ts";
import { openTestStore } from "../../helpers/store.ts";

const NAME: Question = { key: "name", method: "elicitation/create", params: { message: "Who?" } };
const ROOTS: Question = { key: "roots", method: "roots/list", params: {} };

type Answer = (exchange: Exchange) => unknown;

/** A session that has begun, whose requests `answer` answers. */
async function setUp(answer: Answer, options: { capabilities?: object; watch?: AddressWatch } = {}) {
  const { capabilities = { elicitation: {} }, watch } = options;
  const ended = vi.fn();
  const session = createSession({
    id: "session",
    events: createSessionEvents(await openTestStore(), "tenant", "session"),
    createId: () => "request",
    log: createLog("silent"),
    onClosed: ended,
    ...(watch === undefined ? {} : { watch }),
  });
  onTestFinished(() => session.close());
  const endpoint: Endpoint = async ({ id, method }, exchange) => {
    if (method === "initialize") return writeResult(id, {});
    try {
      return writeResult(id, await answer(exchange));
    } catch (error) {
      const { name, message } = error as Error;
      return writeError(id, { code: 0, name: name as "CANCELLED", message });
    }
  };
  const send = async (body: object, more: Readonly<Record<string, string>> = {}): Promise<Sent> => {
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-session-id": "session",
      "mcp-protocol-version": "2025-11-25",
      ...more,
    };
    const request = new Request("http://localhost/", { method: "POST", headers });
    return toSent(await session.handle(request, body, endpoint, LOCAL_PRINCIPAL));
  };
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
  await (await send({ jsonrpc: "2.0", id: 0, method: "initialize", params })).rest();
  return { session, ended, send, request: (id: number) => send({ jsonrpc: "2.0", id, method: "tools/call" }) };
}

const errorOf = async (sent: Sent) => (await sent.rest()).at(-1)?.["error"];

describe("a session", () => {
  test("passes on the idempotency key of each request's header", async () => {
    const { request, send } = await setUp(({ idempotencyKey = null }) => ({ idempotencyKey }));
    const keyed = await send({ jsonrpc: "2.0", id: 1, method: "tools/call" }, { "idempotency-key": "k" });
    expect(await keyed.result()).toEqual({ idempotencyKey: "k" });
    expect(await (await request(2)).result()).toEqual({ idempotencyKey: null });
  });

  test("asks on the stream of the request that asks, each question under an id of its own", async () => {
    const { request, send } = await setUp(async ({ session }) =>
      Object.fromEntries((await session?.ask(1, [NAME, ROOTS])) ?? []),
    );
    const sent = await request(1);
    const asked = [(await sent.next()).message, (await sent.next()).message];
    expect(asked).toEqual([
      { jsonrpc: "2.0", id: "cairn-1", method: "elicitation/create", params: { message: "Who?" } },
      { jsonrpc: "2.0", id: "cairn-2", method: "roots/list", params: {} },
    ]);
    for (const id of ["cairn-2", "cairn-1", "cairn-3"]) await send({ jsonrpc: "2.0", id, result: { of: id } });
    expect(await sent.rest()).toEqual([
      { jsonrpc: "2.0", id: 1, result: { name: { of: "cairn-1" }, roots: { of: "cairn-2" } } },
    ]);
  });

  test.each([
    [{ code: -1, message: "User is away" }, "The client refuses `elicitation/create`: User is away."],
    [{ code: -1, message: "" }, "The client refuses `elicitation/create`: ."],
  ])("tells that the client refuses with %j", async (error, message) => {
    const { request, send } = await setUp(({ session }) => session?.ask(1, [NAME]));
    const sent = await request(1);
    await send({ jsonrpc: "2.0", id: (await sent.next()).message["id"], error });
    expect(await errorOf(sent)).toMatchObject({ message, data: { name: "UPSTREAM_ERROR" } });
  });

  test("does not ask for a call that was cancelled meanwhile", async () => {
    const { request } = await setUp(({ session }) => session?.ask(1, [NAME], AbortSignal.abort()));
    expect(await errorOf(await request(1))).toMatchObject({ data: { name: "CANCELLED" } });
  });

  test("refuses a second stream of its own, and a second beginning, with errors of the table", async () => {
    const { session, send } = await setUp(() => ({}));
    const open = () => {
      const headers = { accept: "application/json, text/event-stream", "mcp-session-id": "session" };
      const request = new Request("http://localhost/", { headers });
      return session.handle(request, undefined, async () => ({ status: 200, pieces: [] }), LOCAL_PRINCIPAL);
    };
    const first = await open();
    expect(first.status).toBe(200);
    await expect(open()).rejects.toMatchObject({
      name: "CONFLICT",
      message: "This stream of the session is open already; close it, then open it anew.",
    });
    await first.body?.cancel();
    await vi.waitFor(() => expect(session.isIdle()).toBe(true));
    await (await open()).body?.cancel();
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    await expect(send({ jsonrpc: "2.0", id: 1, method: "initialize", params })).rejects.toMatchObject({
      name: "INVALID_REQUEST",
      message: "The message is not taken in this session: Invalid Request: Server already initialized.",
    });
  });

  test("waits half an hour for an answer", async () => {
    const { request } = await setUp(({ session }) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const answers = session?.ask(1, [NAME]);
      vi.advanceTimersByTime(30 * 60 * 1000 - 1);
      vi.advanceTimersByTime(1);
      vi.useRealTimers();
      return answers;
    });
    expect(await errorOf(await request(1))).toMatchObject({
      message: "The client did not answer `elicitation/create` in time.",
      data: { name: "UPSTREAM_TIMEOUT" },
    });
  });

  test("ends with all that waits in it, and what was subscribed to and watched", async () => {
    const stopped = vi.fn();
    const aborted = vi.fn();
    const { request, session, ended } = await setUp(
      (exchange) => {
        exchange.signal?.addEventListener("abort", aborted);
        exchange.session?.subscribe("a", () => stopped);
        return exchange.session?.ask(1, [NAME]);
      },
      { watch: () => stopped },
    );
    const sent = await request(1);
    await sent.next();
    expect(session.isIdle()).toBe(false);
    await session.close();
    expect(await sent.rest()).toEqual([]);
    expect([aborted, stopped, ended].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 1]);
  });

  test("replaces what it subscribes to twice, and hears of a hundred resources at most", async () => {
    const stopped = vi.fn();
    const { request } = await setUp(({ session }) => {
      for (let n = 0; n < 100; n += 1) session?.subscribe(`r${n}`, () => stopped);
      session?.subscribe("r0", () => stopped);
      expect(stopped).toHaveBeenCalledTimes(1);
      session?.unsubscribe("r1");
      session?.unsubscribe("r1");
      expect(stopped).toHaveBeenCalledTimes(2);
      session?.subscribe("r100", () => stopped);
      session?.subscribe("r101", () => stopped);
    });
    expect(await errorOf(await request(1))).toMatchObject({ data: { name: "RATE_LIMITED" } });
  });

  test("is idle when nothing runs", async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    const { session, request } = await setUp(() => promise);
    expect(session.isIdle()).toBe(true);
    const sent = await request(1);
    expect(session.isIdle()).toBe(false);
    resolve({});
    await sent.rest();
    expect(session.isIdle()).toBe(true);
  });
});

describe("what a client can be asked", () => {
  const abilities = (elicit: boolean, sample: boolean, roots: boolean) => ({ elicit, sample, roots });
  test.each<[unknown, object]>([
    [{}, abilities(false, false, false)],
    [undefined, abilities(false, false, false)],
    [[], abilities(false, false, false)],
    [{ elicitation: {}, sampling: {}, roots: { listChanged: true } }, abilities(true, true, true)],
    [{ elicitation: { form: {} } }, abilities(true, false, false)],
    [{ elicitation: { form: {}, url: {} } }, abilities(true, false, false)],
    [{ elicitation: { url: {} } }, abilities(false, false, false)],
    [{ elicitation: null, sampling: true, roots: "yes" }, abilities(false, false, false)],
  ])("is what it declares: %j", (capabilities, expected) => {
    expect(toAbilities(capabilities)).toEqual(expected);
  });
});
