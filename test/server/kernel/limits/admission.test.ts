import { describe, expect, test } from "vitest";
import type { Result } from "../../../../server/kernel/call.ts";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import { spentKey } from "../../../../server/store/keys.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { COUNT, type TestTool } from "../count-tool.ts";
import { useInvoke } from "../use-invoke.ts";

const setUp = useInvoke();
const NOON = Date.UTC(2026, 0, 5, 12);
const PLAIN: TestTool = { body: "return {};" };
const as = (tenant: string, actor: string) => ({ principal: { ...LOCAL_PRINCIPAL, tenant, actor } });

/** What a refusal says; `ok` for none. */
function refusal(result: Result) {
  return result.ok ? "ok" : [result.error.name, result.error.message, result.error.details];
}

const names = (results: readonly Result[]) => results.map((result) => (result.ok ? "ok" : result.error.name));

describe("the rate of calls", () => {
  test("is limited for each actor, tenant and tool, and says of whom, and when to come back", async () => {
    const clock = { at: NOON };
    const limits = { tenant: { rate: 4 }, actor: { rate: 2 }, tools: { rare: { rate: 1 } } };
    const { call } = await setUp({ t: PLAIN, rare: PLAIN }, { limits, now: () => clock.at });
    const ada = as("a", "ada");
    expect(names([await call("rare", {}, ada), await call("t", {}, ada)])).toEqual(["ok", "ok"]);
    expect(refusal(await call("t", {}, ada))).toEqual([
      "RATE_LIMITED",
      "The actor `ada` has no more of its 2 calls a minute; try again in 30 s.",
      { limit: "rate", of: "actor", name: "ada", allowed: 2, retryAfter: 30 },
    ]);
    expect(refusal(await call("rare", {}, as("a", "bob")))).toEqual([
      "RATE_LIMITED",
      "The tool `rare` has no more of its 1 calls a minute; try again in 60 s.",
      { limit: "rate", of: "tool", name: "rare", allowed: 1, retryAfter: 60 },
    ]);
    expect(names([await call("t", {}, as("a", "bob")), await call("t", {}, as("a", "bob"))])).toEqual(["ok", "ok"]);
    expect(refusal(await call("t", {}, as("a", "cyd")))).toMatchObject([
      "RATE_LIMITED",
      expect.stringMatching(/^The tenant `a` /),
      expect.anything(),
    ]);
    expect(names([await call("rare", {}, as("b", "ada"))])).toEqual(["ok"]);
    clock.at += 30_000;
    expect(names([await call("t", {}, ada), await call("t", {}, ada)])).toEqual(["ok", "RATE_LIMITED"]);
  });

  test("counts calls that are refused for something else, and no calls that handlers make", async () => {
    const outer: TestTool = {
      body: "for (let n = 0; n < 5; n++) await ctx.tools.call('t', {}); return {};",
      uses: new Set(["tools.call"]),
    };
    const { call } = await setUp(
      { t: PLAIN, outer, never: { ...PLAIN, requiredCapabilities: ["x"] } },
      { limits: { actor: { rate: 2 } } },
    );
    const nobody = { principal: { ...LOCAL_PRINCIPAL, capabilities: new Set<string>() } };
    expect(
      names([await call("never", {}, nobody), await call("outer", {}, nobody), await call("t", {}, nobody)]),
    ).toEqual(["FORBIDDEN", "ok", "RATE_LIMITED"]);
  });

  test("is one for all versions of a service, and the operator's ceiling holds for those that say nothing", async () => {
    const clock = { at: NOON };
    const { call, other } = await setUpTwo({ actor: { rate: 2 } }, () => clock.at);
    expect(names([await call("t"), await call("t"), await other("t"), await other("t")])).toEqual([
      "ok",
      "ok",
      "RATE_LIMITED",
      "RATE_LIMITED",
    ]);
  });
});

/** Two versions of one service, of which only the ceilings limit the calls. */
async function setUpTwo(ceilings: object, now: () => number) {
  const { call, version } = await setUp({ t: PLAIN }, { ceilings, now });
  const old = {
    ...version,
    commit: "b".repeat(40),
    tools: new Map([...version.tools].map(([n, tool]) => [n, { ...tool }])),
  };
  const tool = old.tools.get("t");
  if (tool === undefined) throw new Error("no tool");
  return { call, other: (name: string) => call(name, {}, { version: old, tool }) };
}

test("calls at once are limited, and make room when they end, however that is", async () => {
  const failing: TestTool = { body: "await null; throw ctx.fail('CONFLICT', 'no');" };
  const { call } = await setUp({ t: PLAIN, failing }, { limits: { actor: { concurrency: 3 } } });
  for (const tool of ["t", "failing"]) {
    const ends = names(await Promise.all(Array.from({ length: 5 }, () => call(tool))));
    expect(ends.filter((name) => name === "RATE_LIMITED")).toHaveLength(2);
  }
  expect(names(await Promise.all([call("t"), call("t"), call("t")]))).toEqual(["ok", "ok", "ok"]);
});

test("a call that limits refuse leaves no record, however many there are, but is told of", async () => {
  const { call, store, settled, refused } = await setUp(
    { t: PLAIN, dear: { ...PLAIN, cost: { units: 3 } } },
    { limits: { actor: { rate: 2, dailyCost: 3 } } },
  );
  expect(names([await call("dear"), await call("dear"), await call("t"), await call("t")])).toEqual([
    "ok",
    "RATE_LIMITED",
    "RATE_LIMITED",
    "RATE_LIMITED",
  ]);
  await settled();
  expect(await Array.fromAsync(store.scan({ prefix: ["call"] }))).toHaveLength(1);
  expect(refused).toHaveLength(3);
  expect(refused[0]?.slice(0, 2)).toEqual(["local", "anonymous"]);
});

describe("the cost of a day", () => {
  const dear = (more: Partial<TestTool> = {}): TestTool => ({ ...COUNT, cost: { units: 3 }, ...more });

  test("is summed up with the calls, whatever becomes of them, until the next day (UTC)", async () => {
    const clock = { at: NOON };
    const failing: TestTool = { body: "throw ctx.fail('CONFLICT', 'no');", cost: { units: 3 } };
    const tools = { dear: dear(), failing, free: PLAIN };
    const { call, store } = await setUp(tools, { limits: { actor: { dailyCost: 9 } }, now: () => clock.at });
    expect(
      names([await call("dear"), await call("failing"), await call("dear"), await call("dear"), await call("free")]),
    ).toEqual(["ok", "CONFLICT", "ok", "RATE_LIMITED", "ok"]);
    expect(refusal(await call("dear"))).toMatchObject([
      "RATE_LIMITED",
      "The actor `anonymous` has no more of its 9 cost units a day (UTC); try again in 43200 s.",
      { limit: "dailyCost", of: "actor", retryAfter: 43_200 },
    ]);
    expect((await store.get(spentKey("local", "2026-01-05", "anonymous")))?.value).toBe(9);
    clock.at += 12 * 3_600_000;
    expect(names([await call("dear")])).toEqual(["ok"]);
  });

  test("is kept through restarts, and shared by all versions", async () => {
    const store = await openTestStore();
    const limits = { tenant: { dailyCost: 6 } };
    const first = await setUp({ dear: dear() }, { store, limits });
    const second = await setUp({ dear: dear() }, { store, limits, commit: "b".repeat(40) });
    expect(
      names([await first.call("dear"), await second.call("dear"), await first.call("dear"), await second.call("dear")]),
    ).toEqual(["ok", "ok", "RATE_LIMITED", "RATE_LIMITED"]);
  });

  test("is never exceeded by calls that come at once, and paid once by those with one key", async () => {
    const { call, store } = await setUp({ dear: dear() }, { limits: { tenant: { dailyCost: 10 } }, now: () => NOON });
    const once = await Promise.all(Array.from({ length: 5 }, () => call("dear", {}, { idempotencyKey: "k" })));
    expect(names(once)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    const ends = names(await Promise.all(Array.from({ length: 10 }, () => call("dear"))));
    expect(ends.filter((name) => name === "ok")).toHaveLength(2);
    expect((await store.get(spentKey("local", "2026-01-05")))?.value).toBe(9);
  });

  test("counts tools that tools call, and no run that ends with a question", async () => {
    const outer: TestTool = {
      body: "return await ctx.tools.call('dear', {});",
      uses: new Set(["tools.call"]),
      sideEffect: true,
    };
    const asking: TestTool = {
      body: "return { got: await ctx.elicit('q', { message: 'Which?', schema: { type: 'object', properties: {} } }) };",
      uses: new Set(["elicit"]),
      interactive: true,
      cost: { units: 3 },
    };
    const { call, store } = await setUp(
      { outer, dear: dear(), asking },
      { limits: { tenant: { dailyCost: 100 } }, now: () => NOON },
    );
    expect(names([await call("outer")])).toEqual(["ok"]);
    const client = { elicit: true, sample: false, roots: false };
    expect(names([await call("asking", {}, { interaction: { client, answers: new Map() } })])).toEqual([
      "INPUT_REQUIRED",
    ]);
    expect((await store.get(spentKey("local", "2026-01-05")))?.value).toBe(3);
  });

  test("when it cannot be asked, refuses what has side effects and nothing else", async () => {
    const store = await openTestStore();
    const down = { ...store, getMany: () => Promise.reject(new Error("disk")) };
    const tools = { dear: dear(), looking: { ...PLAIN, cost: { units: 3 } } };
    const { call, logged } = await setUp(tools, { store: down, limits: { tenant: { dailyCost: 100 } } });
    expect(refusal(await call("dear"))).toEqual([
      "UNAVAILABLE",
      "What was spent today cannot be found out now, and so nothing with side effects is done.",
      undefined,
    ]);
    expect(names([await call("looking")])).toEqual(["ok"]);
    expect(logged.join("")).toContain("budget could not be asked");
    expect(await store.get(["state", "local", "s", "c".repeat(40), "n", ""])).toBeUndefined();
  });
});

test("of a version's limits and the operator's the lower counts", async () => {
  const limits = { actor: { rate: 5 }, tools: { t: { rate: 100 } } };
  const { call } = await setUp(
    { t: PLAIN },
    { limits, ceilings: { actor: { rate: 50 }, tool: { rate: 2 } }, now: () => NOON },
  );
  const ends = [];
  for (let n = 0; n < 3; n++) ends.push(refusal(await call("t")));
  expect(ends).toMatchObject([
    "ok",
    "ok",
    ["RATE_LIMITED", expect.stringMatching(/^The tool `t` has no more of its 2 calls/), expect.anything()],
  ]);
});
