import { describe, expect, test } from "vitest";
import { createGate } from "./gate.ts";
import { answering, toCall, toHandler } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const incidents: string[] = [];
const { sandbox, run, fail } = useSandbox({ spare: false, onIncident: (incident) => incidents.push(incident) });
const limits = { time: 20_000, cpu: 100, memory: 32, payload: 1_000 };
const hostile = (body: string) => fail(toHandler(body, "", 32), { limits });

describe("[D8] a handler that does not pause ends with CPU_LIMIT", () => {
  test.for<[string, string]>([
    ["an endless loop", "while (true);"],
    ["a loop that calls builtins", "while (true) new Array(1000).fill(1)"],
    ["an endless loop of microtasks", "for (;;) await 0"],
    ["microtasks that breed", "const breed = () => Promise.resolve().then(breed); await breed()"],
    ["a catastrophic regular expression", '/^(a+)+$/.test("a".repeat(40) + "b")'],
    ["a sort that never ends", "[3, 1, 2].sort(() => { for (;;); })"],
    ["recursion that catches its own end", "function go() { try { go() } finally { go() } } go()"],
    ["a getter of the result", "return { get a() { for (;;); } }"],
    ["a thenable as the result", "return { then() { for (;;); } }"],
    ["the description of an error", "throw { get stack() { for (;;); } }"],
  ])("%s", async ([, body]) => {
    expect(await hostile(body)).toMatchObject({ name: "CPU_LIMIT", message: expect.stringContaining("100 ms") });
    expect(incidents).toEqual([]);
  });

  test("after what it did before, which counts", async () => {
    const told: string[] = [];
    const syscall = async (name: string) => {
      told.push(name);
      return null;
    };
    const body = `ctx.log.info("before"); await ctx.state.get([1]); ctx.log.info("never sent"); for (;;);`;
    expect(await fail(body, { limits, syscall })).toMatchObject({ name: "CPU_LIMIT" });
    expect(told).toEqual(["log", "state.get"]);
  });
});

describe("[D8] a handler that needs too much memory ends with MEMORY_LIMIT", () => {
  test.for<[string, string]>([
    ["arrays", "const a = []; for (;;) a.push(new Array(1000).fill(1))"],
    ["concatenation", "let a = [1]; for (;;) a = [...a, ...a]"],
    ["typed arrays", "const a = []; for (;;) a.push(new Uint8Array(100_000))"],
    ["one typed array", "return new Uint8Array(2 ** 30).length"],
    ["symbols", "const a = []; for (;;) a.push(Symbol('x'))"],
  ])("in %s", async ([, body]) => {
    expect(await fail(toHandler(body, "", 32), { limits: { ...limits, cpu: 5_000 } })).toMatchObject({
      name: "MEMORY_LIMIT",
      message: expect.stringContaining("32 MB"),
    });
  });

  test.for<[string, string]>([
    ["strings", "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)"],
    ["a growing Map", "const map = new Map(); for (let i = 0; ; i++) map.set(i, i)"],
    ["a growing Set", "const set = new Set(); for (let i = 0; ; i++) set.add(i)"],
    ["a result", "return Array(500).fill('x'.repeat(1e6))"],
  ])("in %s, or with the limit that it meets first", async ([, body]) => {
    const { name } = await fail(toHandler(body, "", 32), { limits: { ...limits, cpu: 1_000 } });
    // The last is the limit by the clock, which a busy machine may meet first.
    expect(["MEMORY_LIMIT", "CPU_LIMIT", "RESULT_TOO_LARGE", "UNAVAILABLE"]).toContain(name);
  });
});

describe("[D8] a handler that V8 cannot interrupt ends with its process", () => {
  test.for<[string, string]>([
    ["filling a large array", "new Array(2 ** 28).fill(0)"],
    [
      "filling memory that no limit counts",
      "const b = new ArrayBuffer(8, { maxByteLength: 2 ** 33 }); b.resize(2 ** 33); new Uint8Array(b).fill(1)",
    ],
    ["a search without end", "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"],
    [
      "an error that is described outside of all limits",
      "const error = new Error(); Object.defineProperty(error, 'stack', { get() { for (;;); } }); Promise.reject(error); await ctx.fetch('https://a/')",
    ],
  ])("%s", async ([, body]) => {
    // By the clock it may go on for ten seconds, and isolated-vm takes five more to give up.
    const { name } = await fail(toHandler(body, "", 32), { limits: { ...limits, time: 9_500 } });
    expect(["MEMORY_LIMIT", "CPU_LIMIT"]).toContain(name);
    expect(await run("return 'next'")).toBe("next");
  });
});

describe("[D8] a handler that waits", () => {
  test("for a promise that nothing settles ends with NEVER_SETTLES", async () => {
    expect(await fail("await new Promise(() => {})")).toMatchObject({ name: "NEVER_SETTLES" });
    const later = "await ctx.state.get([1]); await new Promise(() => {})";
    expect(await fail(later, answering(null))).toMatchObject({ name: "NEVER_SETTLES" });
  });

  test("for another call of its version goes on when that one does", async () => {
    const program = toHandler(
      "if (input === 'wait') return shared.promise; await ctx.state.get([1]); shared.resolve('from the other'); return 'done'",
      "const shared = Promise.withResolvers();",
    );
    const answer = Promise.withResolvers<null>();
    const asked = Promise.withResolvers<void>();
    const syscall = () => {
      asked.resolve();
      return answer.promise;
    };
    const other = run(program, { syscall });
    const waiting = run(program, { input: "wait" });
    await asked.promise;
    answer.resolve(null);
    expect(await Promise.all([waiting, other])).toEqual(["from the other", "done"]);
  });

  test("for an answer that does not come ends with TIME_LIMIT", async () => {
    const { syscall } = createGate();
    const error = await fail("await ctx.state.get([1])", { syscall, limits: { ...limits, time: 50 } });
    expect(error).toMatchObject({ name: "TIME_LIMIT", message: expect.stringContaining("50 ms") });
  });

  test("is let go when its caller goes away, and a caller who has gone starts nothing", async () => {
    const controller = new AbortController();
    const asked: string[] = [];
    const syscall = (name: string) => {
      asked.push(name);
      controller.abort(new Error("gone"));
      return new Promise<never>(() => undefined);
    };
    const changes = { syscall, signal: controller.signal };
    const body = "await ctx.state.get([1])";
    expect(await fail(body, changes)).toMatchObject({ name: "CANCELLED", cause: new Error("gone") });
    expect(await fail(body, changes)).toMatchObject({ name: "CANCELLED" });
    expect(asked).toEqual(["state.get"]);
    expect(sandbox().stats().running).toBe(0);
  });
});

describe("[D8] a result", () => {
  test("may have as many bytes as the payload limit, and no more", async () => {
    const fits = { limits: { ...limits, payload: 12 } };
    expect(await run("return '0123456789'", fits)).toBe("0123456789");
    expect(await fail("return '0123456789a'", fits)).toMatchObject({
      name: "RESULT_TOO_LARGE",
      message: expect.stringContaining("12 bytes"),
    });
    expect(await run("return 'äö€'", { limits: { ...limits, payload: 9 } })).toBe("äö€");
    expect(await fail("return 'äö€'", { limits: { ...limits, payload: 8 } })).toMatchObject({
      name: "RESULT_TOO_LARGE",
    });
    expect(await run("return '😀\\ud800'", { limits: { ...limits, payload: 12 } })).toBe("😀\ud800");
  });

  test("of a hundred megabytes stays where it is", async () => {
    const body = "return 'x'.repeat(100 * 2 ** 20)";
    const { name } = await fail(toHandler(body, "", 512), { limits: { ...limits, cpu: 5_000 } });
    expect(name).toBe("RESULT_TOO_LARGE");
  });

  test("that JSON cannot carry is refused with the reason", async () => {
    for (const body of ["return 1n", "const cycle = {}; cycle.self = cycle; return cycle"]) {
      expect(await fail(body)).toMatchObject({ name: "OUTPUT_INVALID", cause: expect.stringMatching(/^TypeError: /) });
    }
    expect(await run("return () => 1")).toBeUndefined();
    expect(await fail(`return { toJSON() { throw ctx.fail("CONFLICT", "told") } }`)).toMatchObject({
      name: "CONFLICT",
      message: "told",
    });
  });

  test("nested deeper than this process could write is refused or read", async () => {
    const body = "let deep = []; for (let i = 0; i < 1_000_000; i++) deep = [deep]; return deep";
    const call = toCall(body, { limits: { ...limits, cpu: 5_000, payload: 10_000_000 } });
    const end = await sandbox()
      .run(call)
      .then(
        () => "read",
        (error: Error) => error.name,
      );
    expect(["read", "OUTPUT_INVALID", "INTERNAL_ERROR"]).toContain(end);
  });
});

describe("[D8] what a handler says", () => {
  test("is dropped when it is too much, and that is said", async () => {
    const told: unknown[] = [];
    const syscall = async (_: string, args: unknown) => {
      told.push(args);
      return null;
    };
    await run("for (let i = 0; i < 100_000; i++) ctx.log.info('x')", { syscall, limits: { ...limits, cpu: 5_000 } });
    expect(told).toHaveLength(1_001);
    expect(told.at(-1)).toEqual({ level: "warning", message: "The call wrote too much; the rest is dropped." });

    told.length = 0;
    await run("for (let i = 0; i < 10; i++) ctx.log.info('x'.repeat(300_000))", { syscall });
    expect(told).toHaveLength(4);
  });

  test("is refused when too many requests wait, or too much of them", async () => {
    const many = `return (await Promise.allSettled(Array.from({ length: 300 }, () => ctx.state.get([1])))).filter(({ status }) => status === "rejected").length`;
    expect(await run(many, answering(null))).toBe(300 - 256);
    const large = `return (await Promise.allSettled(Array.from({ length: 10 }, () => ctx.state.set([1], "x".repeat(2 ** 20))))).map(({ status }) => status)`;
    expect(await run(large, answering(null))).toEqual([
      ...Array.from({ length: 7 }, () => "fulfilled"),
      "rejected",
      "rejected",
      "rejected",
    ]);
    const inTurn = `for (let i = 0; i < 600; i++) await ctx.state.get([1]); return "all"`;
    expect(await run(inTurn, { ...answering(null), limits: { ...limits, cpu: 5_000 } })).toBe("all");
  });
});
