import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { openSandbox } from "../../../../server/kernel/isolates/open-sandbox.ts";
import type { Json } from "../../../../server/store/store.ts";
import { answering, toCall, toHandler, toProgram, toOutput, toTool } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const { sandbox, run, fail } = useSandbox();
const granted = { tool: toTool({ clock: true, random: true, model: true }) };

describe("a call", () => {
  test("gets its input and answers with its result", async () => {
    expect(await run("return { twice: input.count * 2, kept: input }", { input: { count: 21 } })).toEqual({
      twice: 42,
      kept: { count: 21 },
    });
  });

  test("may answer at once, with null or with undefined", async () => {
    const now = toProgram({ "tools/runner/tool.ts": "export default (input: number) => input + 1;" });
    expect(await run(now, { input: 1 })).toBe(2);
    expect(await run("return null")).toBeNull();
    expect(await run("")).toBeUndefined();
  });

  test("knows itself and its parameters, and can change neither", async () => {
    const call = toCall(
      `const refused = [];
      for (const change of [
        () => { ctx.call.tool = "other" },
        () => { ctx.params.greeting.style = "rude" },
        () => { ctx.log.info = null },
        () => { ctx.state.get.extra = 1 },
        () => { ctx.extra = 1 },
      ]) try { change() } catch (error) { refused.push(error.name) }
      return { refused, call: ctx.call, params: ctx.params }`,
      { params: { greeting: { style: "polite" } } },
    );
    expect(await sandbox().run(call).then(toOutput)).toEqual({
      refused: Array.from({ length: 5 }, () => "TypeError"),
      call: {
        conversationId: call.conversationId,
        logsUri: `logs://${call.conversationId}`,
        server: "runner",
        tool: "runner.tool",
        version: "1.0.0",
        commit: "0".repeat(40),
      },
      params: { greeting: { style: "polite" } },
    });
  });

  test("64 at once each get their own result", async () => {
    const program = toHandler("const more = await ctx.state.get([input]); return [input, more]");
    const calls = Array.from({ length: 64 }, (_, input) =>
      toCall(program, { input, syscall: async (_name, args) => ({ asked: args, input }) }),
    );
    const results = await Promise.all(calls.map((call) => sandbox().run(call).then(toOutput)));
    expect(results).toEqual(calls.map((_, input) => [input, { asked: { key: [input] }, input }]));
  });

  test("programs do not see each other, and the calls of one share its modules", async () => {
    const [one = "", other = ""] = ["one", "other"].map((name) =>
      toHandler(`return "${name}" + (count += 1)`, "let count = 0;"),
    );
    expect([await run(one), await run(one), await run(other), await run(one)]).toEqual([
      "one1",
      "one2",
      "other1",
      "one3",
    ]);
  });
});

describe("ctx", () => {
  test("turns methods into syscalls with one argument", async () => {
    const asked: [string, Json][] = [];
    await run(
      `await ctx.session.get();
      await ctx.session.set({ turn: 1 });
      await ctx.state.get(["a", 1]);
      await ctx.state.scan(["a"]);
      await ctx.state.scan([], { limit: 2, after: ["b"], reverse: true });
      await ctx.state.set(["a"], null);
      await ctx.state.delete(["a"]);
      await ctx.tools.list();
      await ctx.tools.call("runner.other", { x: 1 });
      await ctx.model.generate({ messages: [{ role: "user", text: "Hi" }], temperature: 0 });
      await ctx.fetch("https://example.com/");
      await ctx.fetch("https://example.com/", { method: "POST", headers: { a: "b" }, body: "c", timeout: 5, other: 1 });`,
      {
        syscall: async (name, args) => {
          asked.push([name, args]);
          return { status: 200, headers: {}, body: "" };
        },
      },
    );
    expect(asked).toEqual([
      ["session.get", {}],
      ["session.set", { value: { turn: 1 } }],
      ["state.get", { key: ["a", 1] }],
      ["state.scan", { prefix: ["a"] }],
      ["state.scan", { prefix: [], limit: 2, after: ["b"], reverse: true }],
      ["state.set", { key: ["a"], value: null }],
      ["state.delete", { key: ["a"] }],
      ["tools.list", {}],
      ["tools.call", { name: "runner.other", input: { x: 1 } }],
      ["model.generate", { messages: [{ role: "user", text: "Hi" }], temperature: 0 }],
      ["fetch", { url: "https://example.com/" }],
      ["fetch", { url: "https://example.com/", method: "POST", headers: { a: "b" }, body: "c", timeout: 5 }],
    ]);
  });

  test("makes a response of what fetch is answered", async () => {
    const body = `const response = await ctx.fetch("https://example.com/");
      const { status, ok, headers } = response;
      return { status, ok, headers, text: response.text(), json: response.json(), fresh: response.json() !== response.json() }`;
    const answer = { headers: { "content-type": "application/json" }, body: '{"a":[1]}' };
    const rest = {
      headers: { "content-type": "application/json" },
      text: '{"a":[1]}',
      json: { a: [1] },
      fresh: true,
    };
    expect(await run(body, answering({ status: 299, ...answer }))).toEqual({ status: 299, ok: true, ...rest });
    expect(await run(body, answering({ status: 404, ...answer }))).toEqual({ status: 404, ok: false, ...rest });
  });

  test("sends notes without waiting, in order with everything else", async () => {
    const asked: unknown[] = [];
    const syscall = async (name: string, args: Json) => {
      asked.push(name === "log" || name === "progress" ? args : name);
      return null;
    };
    await run(
      `ctx.log.info("one", { n: 1 });
      ctx.progress(1, 3, "begun");
      const got = ctx.state.get(["a"]);
      ctx.log.debug("two");
      await got;
      ctx.progress(2);
      ctx.log.warning("three");
      ctx.log.error("four");`,
      { syscall },
    );
    expect(asked).toEqual([
      { level: "info", message: "one", data: { n: 1 } },
      { progress: 1, total: 3, message: "begun" },
      "state.get",
      { level: "debug", message: "two" },
      { progress: 2 },
      { level: "warning", message: "three" },
      { level: "error", message: "four" },
    ]);
  });

  test("goes on when a note fails", async () => {
    expect(await run(`ctx.log.info("lost"); return 1`)).toBe(1);
  });

  test("names the argument that JSON cannot carry", async () => {
    const attempts = [
      `await ctx.state.set(["a"], 1n)`,
      `await ctx.state.set(["a"], undefined)`,
      `await ctx.state.get(undefined)`,
      `const cycle = {}; cycle.self = cycle; await ctx.session.set(cycle)`,
      `ctx.log.info("x", () => 1)`,
      `ctx.log.info(7)`,
      `ctx.progress("half")`,
      `ctx.fail("NOT_FOUND", "x", 1n)`,
    ];
    const messages = attempts.map((body) => run(`try { ${body} } catch (error) { return String(error) }`));
    expect(await Promise.all(messages)).toEqual([
      "TypeError: `value` of `ctx.state.set` cannot be written as JSON: it has a cycle, a BigInt or a `toJSON` that throws.",
      "TypeError: `value` of `ctx.state.set` cannot be written as JSON: it is undefined.",
      "TypeError: `key` of `ctx.state.get` cannot be written as JSON: it is undefined.",
      "TypeError: `value` of `ctx.session.set` cannot be written as JSON: it has a cycle, a BigInt or a `toJSON` that throws.",
      "TypeError: `data` of `ctx.log.info` cannot be written as JSON: it is function.",
      "TypeError: `message` of `ctx.log.info` must be a string, not number.",
      "TypeError: `progress` of `ctx.progress` must be a number, not string.",
      "TypeError: `details` of `ctx.fail` cannot be written as JSON: it has a cycle, a BigInt or a `toJSON` that throws.",
    ]);
  });

  test("tells the time at which the handler was last entered, to those who may know", async () => {
    let time = 1_000;
    const own = await openSandbox({ spare: false, now: () => (time += 1_000) });
    const call = toCall(`const first = ctx.now(); await ctx.state.get(["a"]); return [first, ctx.now()]`, {
      ...granted,
      ...answering(null),
    });
    expect(await own.run(call).then(toOutput)).toEqual([2_000, 3_000]);
    await own.close();
    expect(await fail("ctx.now()")).toMatchObject({ name: "FORBIDDEN", message: expect.stringContaining("`clock`") });
  });

  test("gives the same random numbers for the same seed, to those who may have them", async () => {
    const program = toHandler("return [ctx.random(), ctx.random(), ctx.random()]");
    const first = await run(program, granted);
    expect(await run(program, granted)).toEqual(first);
    expect(await run(program, { ...granted, seed: "f".repeat(32) })).not.toEqual(first);
    expect(await fail("ctx.random()")).toMatchObject({
      name: "FORBIDDEN",
      message: expect.stringContaining("`random`"),
    });
  });

  test("says whether there is a model", async () => {
    expect([await run("return ctx.model.available"), await run("return ctx.model.available", granted)]).toEqual([
      false,
      true,
    ]);
  });

  test("is of no use once its call is over", async () => {
    const program = toHandler("const last = kept; kept = ctx; return last?.state.get([1])", "let kept;");
    await run(program, answering("answered"));
    expect(await fail(program, answering("answered"))).toMatchObject({
      name: "HANDLER_ERROR",
      cause: expect.stringContaining("`ctx` of a call that is over"),
    });
  });
});

describe("an error", () => {
  test("of ctx.fail reaches the caller with name, message and details", async () => {
    expect(await fail(`throw ctx.fail("NOT_FOUND", "There is no \`x\`.", { near: ["y"] })`)).toMatchObject({
      name: "NOT_FOUND",
      message: "There is no `x`.",
      details: { near: ["y"] },
    });
  });

  test("of ctx.fail is what it was when it was made", async () => {
    const error = await fail(
      `const error = ctx.fail("CONFLICT", "true"); error.message = "false"; error.name = "FORBIDDEN"; throw error`,
    );
    expect(error).toMatchObject({ name: "CONFLICT", message: "true" });
  });

  test("with a name that handlers may not raise is the handler's own", async () => {
    expect(await fail(`throw ctx.fail("RATE_LIMITED", "secret")`)).toMatchObject({
      name: "HANDLER_ERROR",
      message: expect.stringMatching(
        /`ctx\.fail` takes no `RATE_LIMITED` \(it came with `secret`\), but BAD_REQUEST, .* \(tools\/runner\/tool\.ts:2:\d+\)$/,
      ),
    });
  });

  test("that is merely called like one of the table is the handler's own, with its place", async () => {
    const error = await fail(`throw Object.assign(new Error("secret"), { name: "NOT_FOUND", details: 1 })`);
    expect(error).toMatchObject({
      name: "HANDLER_ERROR",
      message: "The handler of `runner.tool` threw NOT_FOUND: secret (tools/runner/tool.ts:2:76)",
      details: { stack: ["tools/runner/tool.ts:2:76 default"] },
    });
    expect(error.cause).toMatch(/^NOT_FOUND: secret\n[^]*tools\/runner\/tool\.ts:2:\d+/);
  });

  test("of a syscall is an Error to the handler and, passed on, what it was to the caller", async () => {
    const original = new CairnError("UPSTREAM_ERROR", "The service is down.", { cause: 1, details: { host: "a" } });
    const syscall = () => Promise.reject(original);
    const caught = `try { await ctx.fetch("https://a/") } catch (error) { return [error instanceof Error, error.name, error.message] }`;
    expect(await run(caught, { syscall })).toEqual([true, "UPSTREAM_ERROR", "The service is down."]);
    const { name, message, cause, details } = await fail(`await ctx.fetch("https://a/")`, { syscall });
    expect({ name, message, cause, details }).toEqual({
      name: "UPSTREAM_ERROR",
      message: "The service is down.",
      cause: 1,
      details: { host: "a" },
    });
  });

  const AT = "tools/runner/tool.ts:2";
  test.each([
    ["of a syscall", "return ctx.state.get(['a'])", [`${AT}:73 default`]],
    ["of a syscall that waits", "const a = ctx.fetch('https://a/'); await ctx.signal; await a", [`${AT}:70 default`]],
    [
      "of a syscall in a function",
      "const a = () => ctx.mcp.call('a', 'b', {}); await a()",
      [`${AT}:80 a`, `${AT}:106 default`],
    ],
    ["of the clock", "Date.now()", [`${AT}:61 default`]],
    ["of a date", "new Date()", [`${AT}:56 default`]],
    ["of chance", "Math.random()", [`${AT}:61 default`]],
    ["of `ctx.now`", "ctx.now()", [`${AT}:60 default`]],
  ])("%s that the handler may not use has its place", async (_, body, frames) => {
    const error = await fail(body, { syscall: () => Promise.reject(new CairnError("FORBIDDEN", "No.")) });
    expect(error).toMatchObject({ name: "FORBIDDEN", frames });
  });

  test("of a syscall shows a handler its place, and nothing of Cairn's", async () => {
    const syscall = () => Promise.reject(new CairnError("FORBIDDEN", "No."));
    const body = "try { await ctx.state.get(['a']) } catch (error) { return error.stack }";
    expect(await run(body, { syscall })).toBe("FORBIDDEN: No.\n    at default (tools/runner/tool.ts:2:78)");
  });

  test.each(["{ get() { throw 1 } }", "{ value: { toString() { throw 1 } } }"])(
    "whose stack cannot be read (%s) has no place",
    async (property) => {
      const body = `try { Date.now() } catch (error) { Object.defineProperty(error, "stack", ${property}); throw error }`;
      expect(await fail(body)).not.toHaveProperty("frames");
    },
  );

  test("of a syscall that Cairn did not mean to show is not shown to the handler", async () => {
    const cause = new TypeError("password");
    const syscall = () => Promise.reject(cause);
    const caught = `try { await ctx.state.get([1]) } catch (error) { return [error.name, error.message] }`;
    expect(await run(caught, { syscall })).toEqual([
      "INTERNAL_ERROR",
      "Something failed inside Cairn; the log holds the details.",
    ]);
    expect(await fail("await ctx.state.get([1])", { syscall })).toMatchObject({ name: "INTERNAL_ERROR", cause });
  });

  test("can be anything that JavaScript can throw", async () => {
    const thrown: [string, unknown][] = [
      ["'text'", "string text"],
      ["undefined", "undefined undefined"],
      ["Symbol('s')", "symbol Symbol(s)"],
      ["{ code: 7 }", 'object {"code":7}'],
      ["new Proxy({}, { has() { throw 1 }, get() { throw 1 } })", "a value that cannot be described"],
      ["{ get stack() { throw 1 } }", "a value that cannot be described"],
      ["{ stack: { toString() { throw 1 } } }", "a value that cannot be described"],
      ["Object.create(null)", "object {}"],
      ["'x'.repeat(10_000)", expect.stringMatching(/^string x{3993}$/)],
    ];
    const errors = await Promise.all(thrown.map(([value]) => fail(`throw ${value}`)));
    expect(errors.map(({ name, cause }) => [name, cause])).toEqual(thrown.map(([, text]) => ["HANDLER_ERROR", text]));
  });

  test("of shared code names its place in the TypeScript, and every caller of it", async () => {
    const lib = `interface Basket {\n  items: string[];\n}\nexport function total(basket: Basket): number {\n  return basket.items.length;\n}`;
    const tool = `import { total } from "../_lib/total.ts";\nexport default async function buy(input: never): Promise<number> {\n  return total(input);\n}`;
    const error = await fail(toProgram({ "tools/runner/tool.ts": tool, "tools/_lib/total.ts": lib }), { input: {} });
    expect(error).toMatchObject({
      message:
        "The handler of `runner.tool` threw TypeError: Cannot read properties of undefined (reading 'length') (tools/_lib/total.ts:5:23)",
      details: { stack: ["tools/_lib/total.ts:5:23 total", "tools/runner/tool.ts:3:10 buy"] },
    });
  });

  test("with causes names each with its place", async () => {
    const body = `try { null.x } catch (cause) { throw new Error("no basket", { cause: new Error("no shop", { cause }) }) }`;
    const { message } = await fail(body);
    expect(message.replaceAll(/:\d+\)/g, ")")).toBe(
      "The handler of `runner.tool` threw Error: no basket (tools/runner/tool.ts:2), caused by Error: no shop (tools/runner/tool.ts:2), caused by TypeError: Cannot read properties of null (reading 'x') (tools/runner/tool.ts:2)",
    );
  });

  test.each([
    ["itself", "error.cause = error", 4],
    ["a value that throws", "Object.defineProperty(error, 'cause', { get() { throw 1 } })", 1],
    ["a text", "error.cause = 'sold out'", 1],
  ])("whose cause is %s is told", async (_, change, times) => {
    const { name, message } = await fail(`const error = new Error("no basket"); ${change}; throw error`);
    expect([name, message.match(/no basket/g)?.length]).toEqual(["HANDLER_ERROR", times]);
  });

  test("with a long message keeps its place", async () => {
    const { message } = await fail("throw new Error('x'.repeat(10_000))");
    expect(message).toMatch(/x{1980,2000} \(tools\/runner\/tool\.ts:2:\d+\)$/);
  });

  test.for([
    [
      "await fetch('https://a/')",
      "fetch is not defined: use `ctx.fetch`, which needs `fetch` under `uses` and the host under `egress`",
    ],
    [
      "globalThis.setTimeout(() => {}, 1)",
      "globalThis.setTimeout is not a function: use `await ctx.sleep(milliseconds)`",
    ],
    ["new WebSocket('wss://a/')", "WebSocket is not defined: a handler keeps no connection; use `ctx.fetch`"],
    ["Buffer.from('a')", "Buffer is not defined: use `Uint8Array`, with `TextEncoder`"],
    ["process.env.A", "process is not defined: a handler sees nothing of the process"],
    ["require('fs')", "require is not defined: write `import ... from` with a relative path"],
    ["return __dirname", "__dirname is not defined: a version has no folder"],
  ])("of a global that is not there says what to use: %s", async ([code, advice]) => {
    expect((await fail(`${code}`)).message).toContain(advice);
  });

  test("in a promise that the handler left to itself changes nothing", async () => {
    const body = `Promise.reject(new Error("Script execution timed out.")); (async () => { throw null })();
      const got = await ctx.state.get([1]); Promise.reject(); return got`;
    const before = sandbox().stats().replaced;
    expect(await run(body, answering("answered"))).toBe("answered");
    expect(sandbox().stats().replaced).toBe(before);
  });
});

describe("the sandbox", () => {
  test("closes with calls in it and takes none afterwards", async () => {
    const own = await openSandbox();
    const call = toCall("await ctx.state.get([1])", { syscall: () => new Promise(() => undefined) });
    const waiting = own.run(call).then(toOutput);
    await Promise.all([expect(waiting).rejects.toMatchObject({ name: "UNAVAILABLE" }), own.close()]);
    await expect(own.run(call).then(toOutput)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "The sandbox is closed.",
    });
    expect(own.stats()).toMatchObject({ processes: 0, isolates: 0, running: 0, replaced: 0, offenders: [] });
  });
});
