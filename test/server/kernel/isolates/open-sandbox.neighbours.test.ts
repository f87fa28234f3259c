import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSandbox } from "../../../../server/kernel/isolates/open-sandbox.ts";
import type { Sandbox, SandboxCall } from "../../../../server/kernel/isolates/sandbox.ts";
import { createGate, type Gate } from "./gate.ts";
import type { Program } from "../../../../server/versions/version.ts";
import { answering, toCall, toHandler, toOutput } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const { sandbox, run } = useSandbox({});
const limits = { time: 100_000, cpu: 100, memory: 32, payload: 1_000 };
const UNSTOPPABLE = "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)";

/** A tool that behaves as its input says. */
const versatile = (salt: string) =>
  toHandler(
    `if (input === "loop") for (;;);
    if (input === "hog") { const a = []; for (;;) a.push(new Array(1000).fill(1)); }
    if (input === "grow") { const map = new Map(); for (let i = 0; ; i++) map.set(i, i); }
    if (input === "unstoppable") ${UNSTOPPABLE};
    if (input === "throw") throw ctx.fail("CONFLICT", "no");
    if (input === "never") await new Promise(() => {});
    if (input === "ask") return await ctx.state.get([1]);
    return "${salt}" + input;`,
    "",
    32,
  );

/** How an error of a call counts: on a machine too busy to give a call its processor time, the clock stops it instead. */
const toEnd = ({ name, message }: Error) => (message.includes("its clock limit of") ? "CPU_LIMIT" : name);

/** Runs calls that start in the same turn, and tells how each ended. */
async function runTogether(on: Sandbox, calls: readonly SandboxCall[]): Promise<readonly unknown[]> {
  const ends = await Promise.allSettled(calls.map((call) => on.run(call).then(toOutput)));
  return ends.map((end) => (end.status === "fulfilled" ? end.value : toEnd(end.reason as Error)));
}

describe("[D8] beside a handler that fails", { timeout: 120_000 }, () => {
  test.for([
    ["loop", "CPU_LIMIT"],
    ["hog", "MEMORY_LIMIT"],
    ["grow", "MEMORY_LIMIT"],
    ["unstoppable", "CPU_LIMIT"],
  ])("by %s, the calls that entered with it complete", async ([kind = "", name]) => {
    const program = versatile(kind);
    const cpu = name === "MEMORY_LIMIT" ? 10_000 : 100;
    const calls = ["a", kind, "ask", "b"].map((input) =>
      toCall(program, { input, limits: { ...limits, cpu }, ...answering("answered") }),
    );
    expect(await runTogether(sandbox(), calls)).toEqual([`${kind}a`, name, "answered", `${kind}b`]);
  });

  test("each of any mixture ends as it would alone", async () => {
    const ends: Record<string, readonly unknown[]> = {
      loop: ["CPU_LIMIT"],
      // Which limit it meets first depends on the machine.
      hog: ["MEMORY_LIMIT", "CPU_LIMIT"],
      throw: ["CONFLICT"],
      never: ["NEVER_SETTLES"],
      ask: ["answered"],
    };
    let salt = 0;
    const inputs = array(constantFrom("plain", ...Object.keys(ends)), { minLength: 1, maxLength: 6 });
    const law = asyncProperty(inputs, async (mixture) => {
      salt += 1;
      const program = versatile(`${salt}`);
      const calls = mixture.map((input) => toCall(program, { input, limits, ...answering("answered") }));
      const results = await runTogether(sandbox(), calls);
      for (const [index, input] of mixture.entries()) {
        expect(ends[input] ?? [`${salt}${input}`]).toContain(results[index]);
      }
    });
    await assert(law, { numRuns: process.env["CAIRN_LONG"] ? 60 : 4 });
  });

  test("that its caller has given up by then, others are not blamed", async () => {
    const program = versatile("hasty");
    await sandbox().warm(program);
    const calls = [
      toCall(program, { input: "loop", limits: { ...limits, cpu: 400, time: 100 } }),
      toCall(program, { input: "a", limits: { ...limits, cpu: 400 } }),
    ];
    expect(await runTogether(sandbox(), calls)).toEqual(["TIME_LIMIT", "hastya"]);
  });

  test("in a shorter time than they may take, others are not stopped with it", async () => {
    const program = toHandler(
      "let sum = 0; if (input) for (let i = 0; i < 2e8; i++) sum = (sum + i) | 0; return typeof sum",
    );
    const before = sandbox().stats().replaced;
    const calls = [20, 20_000].map((cpu) => toCall(program, { input: cpu > 20, limits: { ...limits, cpu } }));
    expect(await runTogether(sandbox(), calls)).toEqual(["number", "number"]);
    expect(sandbox().stats().replaced).toBe(before);
  });

  test.for(["loop", "hog", "unstoppable"])("calls that wait run again when %s took the isolate down", async (kind) => {
    const [gate, other] = [createGate(), createGate()];
    const program = versatile(`wait for ${kind}`);
    const restarts: string[] = [];
    const start = (name: string, from: Program, { syscall }: Gate) =>
      run(from, { input: "ask", limits, syscall, restart: () => void restarts.push(name) });
    const waiting = [start("same", program, gate), start("other", versatile("elsewhere"), other)];
    await Promise.all([gate.asked, other.asked]);
    const cpu = kind === "hog" ? 5_000 : 100;
    const [name] = await runTogether(sandbox(), [toCall(program, { input: kind, limits: { ...limits, cpu } })]);
    expect(name).toBe(kind === "hog" ? "MEMORY_LIMIT" : "CPU_LIMIT");
    gate.answer("answered");
    other.answer("answered");
    expect(await Promise.all(waiting)).toEqual(["answered", "answered"]);
    expect(restarts.sort()).toEqual(kind === "unstoppable" ? ["other", "same"] : ["same"]);
  });

  test("a call that cannot be repeated completes all the same, since nobody enters with it", async () => {
    const isFinal = () => true;
    const end = (...inputs: readonly string[]) => {
      const program = versatile(inputs.join());
      return runTogether(
        sandbox(),
        inputs.map((input) => toCall(program, { input, limits, isFinal })),
      );
    };
    expect(await end("loop", "a")).toEqual(["CPU_LIMIT", "loop,aa"]);
    expect(await end("a", "loop")).toEqual(["a,loopa", "CPU_LIMIT"]);
    expect(await end("a", "unstoppable", "b")).toEqual(["a,unstoppable,ba", "CPU_LIMIT", "a,unstoppable,bb"]);
  });

  test("a call that cannot be repeated and waits in its isolate ends with UNAVAILABLE", async () => {
    const gate = createGate();
    const program = versatile("once");
    const waiting = runTogether(sandbox(), [
      toCall(program, { input: "ask", limits, syscall: gate.syscall, isFinal: () => true, restart: refuse }),
    ]);
    await gate.asked;
    expect(await runTogether(sandbox(), [toCall(program, { input: "loop", limits })])).toEqual(["CPU_LIMIT"]);
    expect(await waiting).toEqual(["UNAVAILABLE"]);
  });

  test("what a stopped call asked for last is not done twice", async () => {
    const asked: unknown[] = [];
    const syscall = async (_: string, args: unknown) => asked.push(args);
    const calls = ["ask", "loop"].map((input) => toCall(versatile("twice"), { input, limits, syscall }));
    expect(await runTogether(sandbox(), calls)).toEqual([1, "CPU_LIMIT"]);
    expect(asked).toEqual([{ key: [1] }]);
  });
});

function refuse(): never {
  throw new Error("It is not to run again.");
}

describe("[D8] while a handler runs", { timeout: 120_000 }, () => {
  const patient = { ...limits, cpu: 1_500 };

  test("later calls of its version are answered before it ends", async () => {
    const program = versatile("busy");
    await run(program, { input: "a" });
    let isOver = false;
    const loop = runTogether(sandbox(), [toCall(program, { input: "loop", limits: patient })]).finally(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    expect([await run(program, { input: "b", limits: patient }), isOver]).toEqual(["busyb", false]);
    expect(await loop).toEqual(["CPU_LIMIT"]);
  });

  test("calls that only take long are spread over more isolates", async () => {
    const own = await openSandbox({ spare: false });
    onTestFinished(() => own.close());
    const program = toHandler("let sum = 0; for (let i = 0; i < 5e7; i++) sum = (sum + i) | 0; return sum");
    const calls = Array.from({ length: 12 }, () => toCall(program, { limits: { ...patient, cpu: 10_000 } }));
    expect(new Set(await runTogether(own, calls)).size).toBe(1);
    expect(own.stats().isolates).toBeGreaterThan(1);
  });

  test("in three versions at once, a fourth is answered before they end", async () => {
    let ended = 0;
    const loops = ["x", "y", "z"].map(async (salt) => {
      await runTogether(sandbox(), [toCall(versatile(salt), { input: "loop", limits: patient })]);
      ended += 1;
    });
    await new Promise(setImmediate);
    expect([await run(versatile("fourth"), { input: "a", limits: patient }), ended]).toEqual(["fourtha", 0]);
    await Promise.all(loops);
  });
});
