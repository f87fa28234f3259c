import { describe, expect, test, vi } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import type { Call, Result } from "../../../../server/kernel/call.ts";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import type { Exchange } from "../../../../server/protocol/exchange.ts";
import { toIdentity } from "../../../../server/protocol/identity.ts";
import { createToolMethods } from "../../../../server/protocol/methods/tools.ts";
import { createRequestStates } from "../../../../server/protocol/request-state.ts";
import { MODERN, readResult, STANDALONE } from "../../../helpers/exchange.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const version = createTestVersion({
  tools: [
    { name: "s.open", server: "s" },
    { name: "s.closed", server: "s", requiredCapabilities: ["tool:closed"] },
    { name: "s.ask", server: "s", interactive: true },
  ],
});
const HANDLE = { conversationId: "id", logsUri: "logs://id", durationMs: 1 };
const QUESTION = { key: "k", method: "roots/list", params: {} } as const;
const RESUME = { conversationId: "id", seed: "5eed" };

const { row } = new CairnError("INPUT_REQUIRED", "Asks.");
const PENDING: Result = {
  ...HANDLE,
  ok: false,
  error: { code: row.number, name: "INPUT_REQUIRED", message: "Asks." },
  row,
  pending: { questions: [QUESTION], resume: RESUME },
};

function methodsOf(invoke: (call: Call) => Result) {
  const server = version.servers.get("s");
  if (!server) throw new Error("There is no server.");
  const states = createRequestStates(Buffer.alloc(32), () => 0);
  return createToolMethods(version, server, toIdentity(version, server), {
    invoke: async (call) => invoke(call),
    states,
  });
}

describe("tools/list", () => {
  const list = (capabilities: readonly string[], exchange: Exchange) => {
    const principal = { ...LOCAL_PRINCIPAL, capabilities: new Set(capabilities) };
    const methods = methodsOf(() => PENDING);
    return readResult<{ tools: { name: string }[]; cacheScope?: string }>(
      methods["tools/list"]?.({}, { ...exchange, principal }, 1),
    );
  };

  test("shows what the caller may use, and lets nobody else keep it", () => {
    const names = (capabilities: readonly string[]) => list(capabilities, MODERN).tools.map(({ name }) => name);
    expect(names([])).toEqual(["s.open", "s.ask"]);
    expect(names(["tool:closed"])).toEqual(["s.open", "s.closed", "s.ask"]);
    expect([list([], MODERN).cacheScope, list(["*"], MODERN).cacheScope]).toEqual(["private", "private"]);
  });

  test("writes a page once for all who may use the same tools", () => {
    const methods = methodsOf(() => PENDING);
    const page = (...capabilities: string[]) => {
      const principal = { ...LOCAL_PRINCIPAL, capabilities: new Set(capabilities) };
      return methods["tools/list"]?.({}, { ...MODERN, principal }, 1);
    };
    const closed = page("tool:closed");
    expect(page("tool:closed", "other")).toBe(closed);
    expect(page("*")).toBe(closed);
    expect(page()).not.toBe(closed);
  });
});

describe("tools/call", () => {
  test("sends what the client wants to hear, progress only when it is further than before", async () => {
    const sent: { method: string; params: object }[] = [];
    const methods = methodsOf((call) => {
      for (const progress of [0, 0, 2, 1, 2.5]) call.onProgress?.({ progress });
      for (const level of ["debug", "info", "warning"] as const) call.onLog?.({ level, message: level });
      return { ...HANDLE, ok: true, output: {} } as Result;
    });
    const call = (params: object, more: object) =>
      methods["tools/call"]?.(
        { name: "s.open", ...params },
        { ...MODERN, ...more, send: (text) => void sent.push(JSON.parse(text)) },
        1,
      );
    await call({}, {});
    expect(sent).toEqual([]);
    await call({ _meta: { progressToken: 0 } }, {});
    expect(sent.splice(0).map(({ params }) => params)).toEqual([
      { progressToken: 0, progress: 0 },
      { progressToken: 0, progress: 2 },
      { progressToken: 0, progress: 2.5 },
    ]);
    await call({ _meta: { progressToken: {} } }, { logLevel: "info" });
    expect(sent.map(({ params }) => params)).toEqual([
      { level: "info", logger: "s.open", data: "info" },
      { level: "warning", logger: "s.open", data: "warning" },
    ]);
  });

  test.each([
    [undefined, "BAD_REQUEST", "`name` must be a string: the tool to call."],
    ["s.none", "INVALID_TOOL", "There is no tool `s.none` on `s` of version 1.0.0; it has: s.open, s.closed, s.ask."],
  ])("refuses the tool %j", async (name, error, message) => {
    const methods = methodsOf(() => PENDING);
    await expect(methods["tools/call"]?.({ name }, MODERN, 1)).rejects.toThrow(
      expect.objectContaining({ name: error, message }),
    );
  });

  test("goes on with all the answers of a session, and gives up after twenty rounds", async () => {
    const calls: Call[] = [];
    const methods = methodsOf((call) => {
      calls.push(call);
      return PENDING;
    });
    let asked = 0;
    const ask = vi.fn(async () => new Map([[`answer ${(asked += 1)}`, asked]]));
    const session = { logLevel: "info", ask } as unknown as Exchange["session"] & object;
    await expect(methods["tools/call"]?.({ name: "s.ask" }, { ...STANDALONE, session }, 7)).rejects.toThrow(
      "`s.ask` has asked 20 times and got no answer that fits.",
    );
    expect(ask).toHaveBeenCalledTimes(20);
    expect(ask).toHaveBeenLastCalledWith(7, [QUESTION], undefined);
    expect(calls[0]?.interaction).toEqual({ client: STANDALONE.client, answers: new Map() });
    expect(calls[2]?.interaction).toEqual({
      client: STANDALONE.client,
      answers: new Map([
        ["answer 1", 1],
        ["answer 2", 2],
      ]),
      resume: RESUME,
    });
  });

  test("comes back to a modern client with the question, and goes on with the answer", async () => {
    const calls: Call[] = [];
    const methods = methodsOf((call) => {
      calls.push(call);
      return PENDING;
    });
    const call = (more: object) => methods["tools/call"]?.({ name: "s.ask", arguments: { a: 1 }, ...more }, MODERN, 1);
    const { requestState, ...asked } = (await call({})) as { requestState: string };
    expect(asked).toEqual({ resultType: "input_required", inputRequests: { k: { method: "roots/list", params: {} } } });
    await call({ requestState, inputResponses: { k: { roots: [] } } });
    expect(calls[1]?.interaction).toEqual({
      client: MODERN.client,
      answers: new Map([["k", { roots: [] }]]),
      resume: RESUME,
    });
  });

  test("asks nobody in a request that stands alone in a revision with a handshake", async () => {
    const methods = methodsOf(({ interaction }) => {
      expect(interaction).toBeUndefined();
      return { ...HANDLE, ok: true, output: { n: 1 } } as Result;
    });
    expect(readResult(await methods["tools/call"]?.({ name: "s.ask" }, STANDALONE, 1))).toMatchObject({
      structuredContent: { n: 1 },
    });
  });
});
