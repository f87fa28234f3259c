import { describe, expect, test } from "vitest";
import { CairnError } from "../../../server/errors.ts";
import type { Call, Invoke, Result } from "../../../server/kernel/call.ts";
import { createLog } from "../../../server/log/log.ts";
import { createEndpoints } from "../../../server/protocol/endpoint.ts";
import type { Exchange } from "../../../server/protocol/exchange.ts";
import { createRequestStates } from "../../../server/protocol/request-state.ts";
import type { Server } from "../../../server/versions/version.ts";
import { MODERN, STANDALONE } from "../../helpers/exchange.ts";
import { openTestStore } from "../../helpers/store.ts";
import { createTestVersion } from "../../helpers/test-version.ts";

const SESSION: Exchange = { ...STANDALONE, session: { logLevel: "info" } as Exchange["session"] & object };

const PROMPT = { name: "greet", arguments: [], messages: [] };
const RESOURCE = { uri: "docs://a", name: "a", source: { kind: "provider", provider: "broken" } } as const;

async function setUp(server: Partial<Server> = {}, invoke: Invoke = () => Promise.reject(new Error("hunter2"))) {
  const version = createTestVersion({
    tools: [{ name: "runner.t", server: "runner" }],
    servers: [{ name: "runner", ...server }],
  });
  const logged: string[] = [];
  const endpointOf = createEndpoints({
    invoke,
    store: await openTestStore(),
    providers: { broken: () => Promise.reject(new Error("hunter2")) },
    states: createRequestStates(Buffer.alloc(32), () => 0),
    createId: () => "incident",
    log: createLog("info", { write: (line) => void logged.push(line) }),
    closing: new AbortController().signal,
    onRead: () => undefined,
  });
  const made = version.servers.get("runner");
  if (!made) throw new Error("There is no server.");
  const ask = async (method: string, exchange: Exchange = STANDALONE, params = {}) => {
    const { status, pieces } = await endpointOf(version, made)({ id: 1, method, params }, exchange);
    return { status, body: JSON.parse(pieces.join("")) as { result?: object; error?: { code: number } } };
  };
  return { ask, logged, again: () => endpointOf(version, made) === endpointOf(version, made) };
}

const ALL = { prompts: [PROMPT], resources: [RESOURCE] };
const EVERYWHERE = [
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/read",
  "completion/complete",
];

describe("an endpoint", () => {
  test.each<[string, Exchange, readonly string[], readonly string[]]>([
    [
      "without a handshake",
      MODERN,
      ["server/discover", "subscriptions/listen"],
      ["initialize", "ping", "logging/setLevel", "resources/subscribe"],
    ],
    [
      "with a handshake",
      STANDALONE,
      ["initialize", "ping", "logging/setLevel"],
      ["server/discover", "subscriptions/listen", "resources/subscribe"],
    ],
    [
      "with a session",
      SESSION,
      ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
      ["server/discover", "subscriptions/listen"],
    ],
  ])("has the methods of revisions %s, and no others", async (_, exchange, own, others) => {
    const { ask } = await setUp(ALL);
    const isThere = async (method: string) =>
      (await ask(method, { ...exchange, signal: AbortSignal.abort() })).body.error?.code !== -32601;
    for (const method of [...EVERYWHERE, ...own]) expect([method, await isThere(method)]).toEqual([method, true]);
    for (const method of [...others, "toString", "__proto__", ""])
      expect([method, await isThere(method)]).toEqual([method, false]);
  });

  test.each(["prompts/list", "resources/list", "completion/complete"])(
    "has no %s where there is nothing of it",
    async (method) => {
      const { ask } = await setUp();
      expect(await ask(method, MODERN)).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
      expect(await ask(method)).toMatchObject({ status: 200, body: { error: { code: -32601 } } });
    },
  );

  test("keeps what went wrong inside from callers, and logs it under the incident that they are told", async () => {
    const { ask, logged } = await setUp(ALL);
    const { status, body } = await ask("resources/read", MODERN, { uri: "docs://a" });
    expect([status, body]).toMatchObject([
      200,
      { error: { code: -32603, message: expect.stringContaining("incident") as string } },
    ]);
    expect(JSON.stringify(body)).not.toContain("hunter2");
    expect(JSON.parse(logged[0] ?? "")).toMatchObject({ incident: "incident", method: "resources/read" });
    expect(logged[0]).toContain("hunter2");
  });

  const failed = (name: "CONFLICT" | "MISSING_CLIENT_CAPABILITY"): Invoke => {
    const { row } = new CairnError(name, "No.");
    const handle = { conversationId: "id", logsUri: "logs://id", durationMs: 1 };
    return (_call: Call) =>
      Promise.resolve({
        ok: false,
        error: { code: row.number, name, message: "No." },
        row,
        ...handle,
      } satisfies Result);
  };
  const call = { name: "runner.t" };

  test("tells a failed call in its result, or with its number where the manifest says so", async () => {
    const tool = await setUp({}, failed("CONFLICT"));
    expect(await tool.ask("tools/call", MODERN, call)).toMatchObject({
      status: 200,
      body: {
        result: { resultType: "complete", isError: true, _meta: { "cairn/error": { code: 2200, name: "CONFLICT" } } },
      },
    });
    const protocol = await setUp({ errors: "protocol" }, failed("CONFLICT"));
    for (const exchange of [MODERN, STANDALONE]) {
      expect(await protocol.ask("tools/call", exchange, call)).toMatchObject({
        status: 200,
        body: { error: { code: 2200, message: "No.", data: { code: 2200, name: "CONFLICT" } } },
      });
    }
  });

  test("tells a missing capability as MCP wants it, to modern clients only", async () => {
    for (const errors of ["tool", "protocol"] as const) {
      const { ask } = await setUp({ errors }, failed("MISSING_CLIENT_CAPABILITY"));
      expect(await ask("tools/call", MODERN, call)).toMatchObject({ status: 400, body: { error: { code: -32021 } } });
    }
    const { ask } = await setUp({}, failed("MISSING_CLIENT_CAPABILITY"));
    expect(await ask("tools/call", STANDALONE, call)).toMatchObject({
      status: 200,
      body: { result: { isError: true } },
    });
  });

  test("is made once for a server", async () => {
    expect((await setUp()).again()).toBe(true);
  });
});
