import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "srvx/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Caller, LOCAL_CALLER } from "../../../../server/auth/caller.ts";
import { CairnError, errorRow, ERRORS, type ErrorName, toErrorBody } from "../../../../server/errors.ts";
import { createFacade } from "../../../../server/http/rest/facade.ts";
import { asItIs } from "../../../../server/http/negotiate-encoding.ts";
import { toProblem } from "../../../../server/http/problem.ts";
import { type Reply, toResponse } from "../../../../server/http/reply.ts";
import type { Principal } from "../../../../server/principal.ts";
import type { ToolDirectory } from "../../../../server/versions/registry/tools/tool-directory.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { createSingleDirectory } from "../../../helpers/single-directory.ts";
import { authorise } from "../../../../server/kernel/stages/authorise.ts";
import type { Invoke } from "../../../../server/kernel/call.ts";
import type { Call } from "../../../../server/kernel/call.ts";

const who = (...capabilities: string[]): Principal => ({
  tenant: "t",
  actor: "ada",
  capabilities: new Set(capabilities),
});

/** The facade over HTTP, for callers who hold the given capabilities. `fail` is how every allowed call ends. */
async function serve(
  options: { principal?: Principal; caller?: Caller; fail?: ErrorName; isReady?: boolean; unverified?: number } = {},
) {
  const { principal = who(), caller = LOCAL_CALLER, fail, isReady = true, unverified = 0 } = options;
  const version = createTestVersion({
    tools: [
      { name: "open", server: "s" },
      { name: "guarded", server: "s", requiredCapabilities: ["tool:guarded"] },
    ],
  });
  const directory: ToolDirectory = createSingleDirectory(version, unverified);
  const calls: Call[] = [];
  const invoke: Invoke = async (call) => {
    calls.push(call);
    const handle = { conversationId: "0".repeat(36), logsUri: "logs://0", durationMs: 1 };
    try {
      authorise(call.tool, call.principal);
      if (fail !== undefined) throw new CairnError(fail, "Said so.");
      return { ok: true, output: {}, ...handle };
    } catch (error) {
      return { ok: false, error: toErrorBody(error, "i"), row: errorRow(error), ...handle };
    }
  };
  const toPrincipal = () => principal;
  const facade = createFacade({
    directory,
    invoke,
    toPrincipal,
    isReady: () => isReady,
    createId: () => "made",
    now: () => 0,
  });
  const answer = async (request: Request): Promise<Reply> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/health") return facade.health();
    if (pathname === "/tools") return facade.tools(searchParams, caller);
    return facade.call(request, caller);
  };
  const handler = toNodeHandler(async (request) => {
    const reply = await answer(request).catch((error: unknown) => toProblem(toErrorBody(error, "i")));
    return toResponse(reply, request, asItIs);
  }) as RequestListener;
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = (toolName: string) =>
    fetch(`${url}/call`, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close" },
      body: JSON.stringify({ toolName }),
    });
  const get = (path: string) => fetch(url + path, { headers: { connection: "close" } });
  return { call, get, calls };
}

describe("the registry's addresses", () => {
  test("[G1] say 503 and error while calls are not taken", async () => {
    const { get } = await serve({ isReady: false });
    const response = await get("/health");
    expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
      503,
      "5",
      { status: "error", timestamp: "1970-01-01T00:00:00.000Z" },
    ]);
  });

  test("[G2] list the tools whose capabilities the caller holds", async () => {
    const namesFor = async (principal: Principal) => {
      const body = (await (await (await serve({ principal })).get("/tools")).json()) as { tools: { name: string }[] };
      return body.tools.map(({ name }) => name);
    };
    expect(await namesFor(who())).toEqual(["open"]);
    expect(await namesFor(who("tool:guarded"))).toEqual(["open", "guarded"]);
    expect(await namesFor(who("*"))).toEqual(["open", "guarded"]);
  });

  test("[G2] say how many versions are not in the list yet", async () => {
    const { get } = await serve({ unverified: 7 });
    expect((await get("/tools")).headers.get("cairn-unverified")).toBe("7");
  });

  test("[G3] answer 403 with the reason when policy denies the call", async () => {
    const { call } = await serve();
    const response = await call("guarded");
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({
        name: "FORBIDDEN",
        detail: "`guarded` requires `tool:guarded`, which `ada` does not hold.",
        conversation_id: "0".repeat(36),
      }),
    ]);
    expect((await (await serve({ principal: who("tool:guarded") })).call("guarded")).status).toBe(200);
  });

  test.for([
    ["UNAUTHENTICATED", 401],
    ["NOT_FOUND", 404],
    ["CONFLICT", 409],
    ["UNPROCESSABLE", 422],
    ["INPUT_REQUIRED", 422],
    ["RATE_LIMITED", 429],
    ["OUTPUT_INVALID", 500],
    ["TIME_LIMIT", 500],
    ["UNAVAILABLE", 503],
  ] as const)("[G3] answer %s with %i", async ([name, status]) => {
    const { call } = await serve({ fail: name });
    const response = await call("open");
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ name, title: ERRORS[name].meaning }),
    ]);
  });

  test("call for the principal of the version that serves the tool, with `{}` where no input is given", async () => {
    const { call, calls } = await serve({ principal: who("a") });
    expect(await (await call("open")).json()).toEqual({ result: {} });
    expect(calls).toMatchObject([{ input: {}, principal: who("a"), tool: { name: "open" } }]);
    expect(calls[0]?.origin).toEqual({ requestId: "made", address: "tool latest", client: "node" });
  });

  test("ask for the scope of the tool's server, and list nothing without it", async () => {
    const caller: Caller = { ...LOCAL_CALLER, scopes: new Set(["other"]) };
    const { call, calls, get } = await serve({ caller, principal: who("*") });
    expect(await (await get("/tools")).json()).toEqual({ tools: [] });
    const ask = async (name: string) => {
      const response = await call(name);
      return [response.status, await response.text()];
    };
    // What is there and what is not is answered alike.
    const refused = [403, expect.stringMatching(/"name":"INSUFFICIENT_SCOPE".*"details":{"scope":"versions:read"}/)];
    expect(await ask("open")).toEqual(refused);
    expect(await ask("missing")).toEqual(refused);
    expect(await ask("s.open")).toEqual([403, expect.stringContaining('"scope":"s"')]);
    expect(calls).toEqual([]);
  });
});
