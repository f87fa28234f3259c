import { describe, expect, test } from "vitest";
import { CairnError, toErrorBody } from "../../../server/errors.ts";
import type { Call, Result } from "../../../server/kernel/call.ts";
import { createLog } from "../../../server/log/log.ts";
import { createEndpoints } from "../../../server/protocol/endpoint.ts";
import type { Exchange } from "../../../server/protocol/exchange.ts";
import { createRequestStates } from "../../../server/protocol/request-state.ts";
import type { Json } from "../../../server/store/store.ts";
import { MODERN, STANDALONE } from "../../helpers/exchange.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const HANDLE = { conversationId: "c", logsUri: "logs://c", durationMs: 1 };
const schema = { type: "object" };
const live = (name: string, more: object = {}) => ({ name, description: "Live.", inputSchema: schema, ...more });
const moving = (exchange: Exchange): Exchange => ({ ...exchange, watch: () => () => undefined });

/** A server with live tools, whose two tools answer as told. */
async function setUp(answer: (call: Call) => Json) {
  const calls: Pick<Call, "input">[] = [];
  const version = createTestVersion({
    tools: [
      { name: "list", server: "live", requiredCapabilities: ["tool:list"] },
      { name: "call", server: "live" },
    ],
    servers: [{ name: "live", liveTools: { list: "list", call: "call", changes: "thing" } }],
  });
  const invoke = async (call: Call): Promise<Result> => {
    calls.push({ input: call.input });
    try {
      return { ok: true, output: answer(call), ...HANDLE };
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      return { ok: false, error: toErrorBody(error, "incident"), row: error.row, ...HANDLE };
    }
  };
  const endpointOf = createEndpoints({
    invoke,
    store: await openTestStore(),
    providers: {},
    states: createRequestStates(Buffer.alloc(32), () => 0),
    createId: () => "incident",
    log: createLog("silent"),
    closing: new AbortController().signal,
    onRead: () => undefined,
  });
  const server = version.servers.get("live");
  if (!server) throw new Error("There is no server.");
  const ask = async (method: string, params: object = {}, exchange: Exchange = moving(STANDALONE)) => {
    const request = { id: 1, method, params: { ...params } };
    const { pieces } = await endpointOf(version, server)(request, exchange);
    return JSON.parse(pieces.join("")) as { result?: Record<string, unknown>; error?: { code: number } };
  };
  const names = async (exchange?: Exchange) => {
    const { result } = await ask("tools/list", {}, exchange);
    return ((result?.["tools"] ?? []) as { name: string }[]).map(({ name }) => name);
  };
  return { ask, names, calls };
}

describe("live tools", () => {
  test("[X6] are listed behind those of the manifests, at addresses that may move and for those who may use them", async () => {
    const { names, calls } = await setUp(() => ({ tools: [live("a"), live("b.c")] }));
    expect(await names()).toEqual(["list", "call", "a", "b.c"]);
    expect(await names(moving(MODERN))).toEqual(["list", "call", "a", "b.c"]);
    expect(calls).toHaveLength(2);
    expect(await names(STANDALONE)).toEqual(["list", "call"]);
    const principal = { tenant: "t", actor: "a", capabilities: new Set<string>() };
    expect(await names({ ...moving(STANDALONE), principal })).toEqual(["call"]);
    expect(calls).toHaveLength(2);
  });

  test("are told as not to be kept", async () => {
    const { ask } = await setUp(() => ({ tools: [live("a")] }));
    const { result } = await ask("tools/list", {}, moving(MODERN));
    expect(result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
    expect(result?.["_meta"]).not.toHaveProperty("cairn/fingerprint");
  });

  test("are listed page by page", async () => {
    const { ask, calls } = await setUp(({ input }) =>
      (input as { after?: string }).after === undefined ? { tools: [live("a")], next: "a" } : { tools: [live("b")] },
    );
    const first = await ask("tools/list");
    const second = await ask("tools/list", { cursor: first.result?.["nextCursor"] });
    expect(second.result).toEqual({ tools: [live("b")] });
    expect(calls.map(({ input }) => input)).toEqual([{}, { after: "a" }]);
    expect((await ask("tools/list", { cursor: "ZnJvbToxMDAw" })).error).toMatchObject({ code: -32602 });
  });

  test("that are none, or have the name of another, are not listed", async () => {
    const wrong = [
      1,
      null,
      live("list"),
      live("a b"),
      live("x".repeat(65)),
      { name: "c" },
      live("d", { inputSchema: {} }),
    ];
    const { names } = await setUp(() => ({ tools: [...wrong, live("good")] }));
    expect(await names()).toEqual(["list", "call", "good"]);
    expect(await (await setUp(() => ({ tools: "none" }))).names()).toEqual(["list", "call"]);
  });

  test("fail to be listed as their lister does", async () => {
    const { ask } = await setUp(() => {
      throw new CairnError("RATE_LIMITED", "slow down");
    });
    expect((await ask("tools/list")).error).toMatchObject({ code: 2201 });
  });

  test.for<[string, Json, object]>([
    ["an object", { a: 1 }, { structuredContent: { a: 1 }, content: [{ type: "text", text: '{"a":1}' }] }],
    ["a list", [1], { content: [{ type: "text", text: "[1]" }] }],
    ["nothing", null, { content: [{ type: "text", text: "null" }] }],
  ])("[X6] are called by the tool that calls them, and answer %s as they answered it", async ([, result, expected]) => {
    const { ask, calls } = await setUp(() => ({ result }));
    const called = await ask("tools/call", { name: "a.b", arguments: { x: 1 } });
    expect(called.result).toEqual({
      ...expected,
      _meta: { "cairn/conversation_id": "c", "cairn/logs_uri": "logs://c" },
    });
    expect(calls).toEqual([{ input: { name: "a.b", arguments: { x: 1 } } }]);
  });

  test("that there are not are unknown tools, whatever else is not found", async () => {
    const { ask } = await setUp(({ input }) => {
      const { name } = input as { name: string };
      throw new CairnError("NOT_FOUND", "no", { details: name.startsWith("gone") ? { tool: "gone" } : undefined });
    });
    for (const name of ["gone", "gone.method"]) {
      expect((await ask("tools/call", { name })).error).toMatchObject({ code: -32602 });
    }
    expect((await ask("tools/call", { name: "gone-not" })).result).toMatchObject({ isError: true });
    expect((await ask("tools/call", { name: "there" })).result).toMatchObject({ isError: true });
  });

  test("are unknown tools at a pinned address, without anybody being asked", async () => {
    const { ask, calls } = await setUp(() => ({ result: 1 }));
    expect((await ask("tools/call", { name: "a" }, STANDALONE)).error).toMatchObject({ code: -32602 });
    expect(calls).toEqual([]);
  });
});
