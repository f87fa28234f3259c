import { describe, expect, test } from "vitest";
import type { SandboxCall } from "../../../../server/kernel/isolates/sandbox.ts";
import type { Program } from "../../../../server/versions/version.ts";
import { createGate } from "./gate.ts";
import { toHandler } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const { sandbox, run, fail } = useSandbox({});
const limits = { time: 60_000, cpu: 500, memory: 64, payload: 1_000 };
/** Quick calls after which a program's calls enter on the host's own thread. */
const MANY = 60;

/** A tool that is quick, and otherwise runs `body`. */
const suddenly = (body: string) => toHandler(`if (input === "quick") return "quick"; ${body}`, "", 64);

async function behave(program: Program): Promise<void> {
  for (let call = 0; call < MANY; call += 1) {
    expect(await run(program, { input: "quick", limits })).toBe("quick");
  }
}

const attack = (program: Program, changes: Partial<SandboxCall> = {}) =>
  fail(program, { input: "attack", limits, ...changes });

describe("[D8] a handler that behaved for long, so that its calls enter on the host's own thread", () => {
  test.for<[string, string, readonly string[]]>([
    ["an endless loop", "for (;;);", ["CPU_LIMIT"]],
    ["an endless loop of microtasks", "for (;;) await 0", ["CPU_LIMIT"]],
    ["a loop that calls builtins", "for (;;) new Array(1000).fill(1)", ["CPU_LIMIT"]],
    ["a catastrophic regular expression", '/^(a+)+$/.test("a".repeat(40) + "b")', ["CPU_LIMIT"]],
    ["a sort that never ends", "[3, 1, 2].sort(() => { for (;;); })", ["CPU_LIMIT"]],
    ["recursion that catches its own end", "function go() { try { go() } finally { go() } } go()", ["CPU_LIMIT"]],
    ["a thenable as the result", "return { then() { for (;;); } }", ["CPU_LIMIT"]],
    ["allocation without end", "const a = []; for (;;) a.push(new Array(1000).fill(1.5))", ["MEMORY_LIMIT"]],
    ["typed arrays", "const a = []; for (;;) a.push(new Uint8Array(100_000))", ["MEMORY_LIMIT"]],
    ["strings", "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)", ["MEMORY_LIMIT", "CPU_LIMIT"]],
  ])("is contained: %s", async ([, body, names]) => {
    const program = suddenly(body);
    await behave(program);
    expect(names).toContain((await attack(program)).name);
    expect(await run(program, { input: "quick", limits })).toBe("quick");
  });

  test.for<[string, string]>([
    ["a string that is split", "'a'.repeat(5e8).split('')"],
    ["powers of a BigInt", "let b = 7n; for (;;) b = b * b"],
    ["a BigInt as text", "(7n ** 3000000n).toString()"],
    ["filling a large array", "new Array(2 ** 27).fill(1.5)"],
    ["a call with too many arguments", "Math.max(...new Array(1e8).fill(1))"],
    ["JSON that nests deep", "JSON.parse('['.repeat(5e7) + ']'.repeat(5e7))"],
    ["JSON of a large array", "JSON.stringify(new Array(5e7).fill(1))"],
    ["normalising a huge string", "'\\u1E9B\\u0323'.repeat(5e7).normalize('NFKC')"],
    ["a search without end", "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"],
    [
      "memory that no limit counts",
      "const b = new ArrayBuffer(8, { maxByteLength: 2 ** 33 }); b.resize(2 ** 33); new Uint8Array(b).fill(1)",
    ],
  ])("is contained with its process where V8 cannot interrupt it: %s", { timeout: 60_000 }, async ([, body]) => {
    const program = suddenly(body);
    await behave(program);
    const { name } = await attack(program);
    expect(["CPU_LIMIT", "MEMORY_LIMIT", "INTERNAL_ERROR", "HANDLER_ERROR"]).toContain(name);
    expect(await run("return 'next'")).toBe("next");
  });

  test("takes no call with it that waits elsewhere, and cannot be repeated", async () => {
    const program = suddenly("for (;;);");
    await behave(program);
    const gate = createGate();
    const waiting = run("return await ctx.state.get([1])", { syscall: gate.syscall, isFinal: () => true });
    await gate.asked;
    expect(await attack(program)).toMatchObject({ name: "CPU_LIMIT" });
    gate.answer("answered");
    expect(await waiting).toBe("answered");
  });

  test("keeps the calls waiting that enter with it for a moment only, and each of them ends", async () => {
    const program = suddenly("for (;;);");
    await behave(program);
    const others = Array.from({ length: 20 }, () => run(program, { input: "quick", limits }));
    const bad = attack(program);
    const more = Array.from({ length: 20 }, () => run(program, { input: "quick", limits }));
    expect(new Set(await Promise.all([...others, ...more]))).toEqual(new Set(["quick"]));
    expect(await bad).toMatchObject({ name: "CPU_LIMIT" });
  });

  test("may take long now and then, and is answered all the same", async () => {
    const program = suddenly("let sum = 0; for (let i = 0; i < 1e8; i++) sum = (sum + i) | 0; return typeof sum");
    const patient = { ...limits, cpu: 20_000 };
    for (let time = 0; time < 5; time += 1) {
      await behave(program);
      expect(await run(program, { input: "long", limits: patient })).toBe("number");
    }
    expect(sandbox().stats().strikes).toMatchObject({ clock: 0, silence: 0 });
  });

  test("is entered elsewhere once something of a call cannot be undone", async () => {
    const program = suddenly("let sum = 0; for (let i = 0; i < 1e8; i++) sum = (sum + i) | 0; return typeof sum");
    await behave(program);
    const changes = { input: "long", limits: { ...limits, cpu: 20_000 }, isFinal: () => true };
    expect(await run(program, changes)).toBe("number");
  });
});
