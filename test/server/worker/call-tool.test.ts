import { describe, expect, test } from "vitest";
import { callTool, type ToolCall } from "../../../server/worker/call-tool.ts";

const ADDRESS = { url: "http://cairn.test", version: "1.x", token: "secret" };
const EFFECT: ToolCall = { tool: "task_create", input: { title: "a" }, isEffect: true, timeoutMs: 60_000 };

interface Sent {
  readonly url: string;
  readonly key: string | null;
  readonly authorization: string | null;
  readonly body: unknown;
}

/** A service that answers each request with the next of these; the last one again and again. */
function setUp(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  let keys = 0;
  const surroundings = {
    fetch: (async (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      const [key, authorization] = [headers.get("idempotency-key"), headers.get("authorization")];
      sent.push({ url, key, authorization, body: JSON.parse(String(init.body)) });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return answer?.clone();
    }) as typeof fetch,
    sleep: async (ms: number) => void waits.push(ms),
    random: () => 1,
    attempts: 6,
    createKey: () => `key-${++keys}`,
  };
  return { sent, waits, call: (call: ToolCall = EFFECT) => callTool(ADDRESS, call, surroundings) };
}

const done = () => Response.json({ task_id: "t" });
const problem = (status: number, name: string, headers: Record<string, string> = {}) =>
  Response.json({ name, detail: `It is ${name}.`, details: { more: 1 } }, { status, headers });
const broken = () => new TypeError("fetch failed");

describe("a call of a tool", () => {
  test("goes to the tool's address, with the token and a key of its own", async () => {
    const { call, sent } = setUp(done());
    expect(await call()).toEqual({ task_id: "t" });
    await call();
    expect(sent).toEqual([
      {
        url: "http://cairn.test/agent/1.x/api/tools/task_create",
        key: "key-1",
        authorization: "Bearer secret",
        body: { title: "a" },
      },
      expect.objectContaining({ key: "key-2" }),
    ]);
  });

  test("has no key when it changes nothing", async () => {
    const { call, sent } = setUp(broken(), done());
    await call({ ...EFFECT, isEffect: false });
    expect(sent.map(({ key }) => key)).toEqual([null, null]);
  });

  test.each([
    ["no service", broken()],
    ["429", problem(429, "RATE_LIMITED")],
    ["502", new Response("<html>", { status: 502 })],
    ["503", problem(503, "UNAVAILABLE")],
    ["504", new Response("", { status: 504 })],
  ])("is sent again with the same key after %s", async (_, failure) => {
    const { call, sent, waits } = setUp(failure, failure, done());
    expect(await call()).toEqual({ task_id: "t" });
    expect(sent.map(({ key }) => key)).toEqual(["key-1", "key-1", "key-1"]);
    expect(waits).toEqual([250, 500]);
  });

  test("waits as long as the service says, and a little longer", async () => {
    const { call, waits } = setUp(problem(429, "RATE_LIMITED", { "retry-after": "7" }), done());
    await call();
    expect(waits).toEqual([7250]);
  });

  test("does not wait for what takes longer than a minute", async () => {
    const { call, sent } = setUp(problem(429, "RATE_LIMITED", { "retry-after": "61" }), done());
    await expect(call()).rejects.toMatchObject({ name: "RATE_LIMITED", message: "It is RATE_LIMITED." });
    expect(sent).toHaveLength(1);
  });

  test("waits for its turn at a limit more often than it may fail, and then fails as often as ever", async () => {
    const limit = problem(429, "RATE_LIMITED", { "retry-after": "1" });
    const { call, sent, waits } = setUp(...Array.from({ length: 12 }, () => limit), broken(), broken(), done());
    expect(await call()).toEqual({ task_id: "t" });
    expect(sent).toHaveLength(15);
    expect(waits.slice(0, 3)).toEqual([1250, 1500, 2000]);
  });

  test("is given up once it has waited a minute for each attempt", async () => {
    const { call, waits } = setUp(problem(429, "RATE_LIMITED", { "retry-after": "50" }));
    await expect(call()).rejects.toMatchObject({ name: "RATE_LIMITED" });
    expect(waits).toEqual([50_250, 50_500, 51_000, 52_000, 54_000, 58_000]);
  });

  test("waits as the error says where a proxy has taken the header away", async () => {
    const limit = { name: "RATE_LIMITED", detail: "Too many.", details: { retryAfter: 3 } };
    const { call, waits } = setUp(Response.json(limit, { status: 429 }), done());
    await call();
    expect(waits).toEqual([3250]);
  });

  test("is given up after six attempts, with waits that double", async () => {
    const { call, sent, waits } = setUp(broken());
    await expect(call()).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "The call of `task_create` at http://cairn.test found no service.",
    });
    expect(sent).toHaveLength(6);
    expect(waits).toEqual([250, 500, 1000, 2000, 4000]);
  });

  test.each([
    [400, "BAD_REQUEST"],
    [401, "UNAUTHENTICATED"],
    [404, "INVALID_TOOL"],
    [409, "CONFLICT"],
    [422, "UNPROCESSABLE"],
  ])("is sent once when the answer is %i %s", async (status, name) => {
    const { call, sent } = setUp(problem(status, name), done());
    await expect(call()).rejects.toMatchObject({ name, message: `It is ${name}.`, details: { more: 1 } });
    expect(sent).toHaveLength(1);
  });

  test("says so when what answers is not Cairn", async () => {
    const { call } = setUp(new Response("<html>hello</html>"));
    await expect(call()).rejects.toMatchObject({
      name: "UPSTREAM_ERROR",
      message: "http://cairn.test (`task_create`) answered 200, and not as Cairn does.",
    });
  });

  test("that was given up is not sent", async () => {
    const { call, sent } = setUp(done());
    await expect(call({ ...EFFECT, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "CANCELLED" });
    expect(sent).toEqual([]);
  });
});
