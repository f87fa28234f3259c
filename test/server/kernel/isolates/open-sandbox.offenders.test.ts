import { describe, expect, onTestFinished, test } from "vitest";
import type { Offender } from "../../../../server/kernel/isolates/sandbox.ts";
import { openSandbox } from "../../../../server/kernel/isolates/open-sandbox.ts";
import { createGate } from "./gate.ts";
import { findHosts, isRunning } from "./hosts.ts";
import { answering, toCall, toHandler, toOutput } from "./program.ts";

/** What handlers can do to the process that they share. */
const ATTACKS = {
  loop: "for (;;);",
  power: "(7n ** 30_000_000n).toString();",
  normalize: '"\\u1e9b\\u0323".repeat(1e8).normalize("NFKC");',
  split: '"a".padEnd(2 ** 29 - 24).split("");',
  allocate: "const a = []; for (;;) a.push(new Array(1000).fill(1.5));",
};
const limits = { time: 60_000, cpu: 200, memory: 32, payload: 1_000 };
const attacked = toHandler(
  `${Object.entries(ATTACKS)
    .map(([name, body]) => `if (input === "${name}") { ${body} }`)
    .join("\n")}
  if (input === "ask") return await ctx.state.get([1]);
  return input;`,
  "",
  32,
);
const neighbour = toHandler("return (count += 1) + (input ? await ctx.state.get([1]) : '');", "let count = 0;");

/** A sandbox, in which time passes as the test says for offenders. */
async function open() {
  let time = 0;
  const offences: Offender[] = [];
  const onOffender = (offender: Offender) => void offences.push(offender);
  const sandbox = await openSandbox({ elapsed: () => time, onOffender });
  onTestFinished(() => sandbox.close());
  const run = (input: string, changes = {}) =>
    sandbox.run(toCall(attacked, { input, limits, ...changes })).then(toOutput, ({ name }: Error) => name);
  const ask = (changes = {}) => sandbox.run(toCall(neighbour, { limits, ...changes })).then(toOutput);
  return { sandbox, offences, run, ask, pass: (milliseconds: number) => void (time += milliseconds) };
}

describe("[D8] a version whose handlers took isolates down", () => {
  test("runs apart, so that whatever it does next is not felt by others", { timeout: 180_000 }, async () => {
    const { run, ask, offences } = await open();
    expect(await run("loop")).toBe("CPU_LIMIT");
    expect(await ask()).toBe("1");
    const gate = createGate();
    const waiting = ask({ input: true, syscall: gate.syscall });
    await gate.asked;
    const hosts = findHosts();
    for (const attack of Object.keys(ATTACKS)) {
      // Which of its limits it meets first depends on the machine; V8 itself ends the process of whoever asks for too much.
      expect(["CPU_LIMIT", "MEMORY_LIMIT", "INTERNAL_ERROR"]).toContain(await run(attack));
    }
    expect(hosts.filter(isRunning)).toEqual(hosts);
    gate.answer(" answered");
    expect([await waiting, gate.times(), await ask()]).toEqual(["2 answered", 1, "3"]);
    expect(offences.map(({ strikes }) => strikes)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("runs one call at a time", async () => {
    const { run } = await open();
    await run("loop");
    let now = 0;
    let most = 0;
    const syscall = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      return "answered";
    };
    const ends = await Promise.all(Array.from({ length: 6 }, () => run("ask", { syscall })));
    expect([new Set(ends), most]).toEqual([new Set(["answered"]), 1]);
  });

  test("does not have a call wait for the one that made it", async () => {
    const { run } = await open();
    await run("loop");
    const syscall = () => run("inner", { isNested: true });
    expect(await run("ask", { syscall })).toBe("inner");
  });

  test("runs beside others again when it has behaved for its term, and is remembered", async () => {
    const { sandbox, run, pass, offences } = await open();
    await run("loop");
    pass(9_999);
    expect(sandbox.stats().offenders).toMatchObject([{ tool: "runner.tool", reason: "cpu", strikes: 1, left: 1 }]);
    const before = sandbox.stats().processes;
    await run("fine");
    expect(sandbox.stats().processes).toBe(before + 1);
    pass(1);
    expect(sandbox.stats().offenders).toEqual([]);
    expect(await Promise.all([run("ask", answering("a")), run("ask", answering("b"))])).toEqual(["a", "b"]);
    await run("loop");
    expect(offences.map(({ strikes, left }) => [strikes, left])).toEqual([
      [1, 10_000],
      [2, 20_000],
    ]);
  });

  test("is loaded apart, too", async () => {
    const { sandbox, run } = await open();
    await run("loop");
    await sandbox.warm(attacked);
    await sandbox.warm(attacked);
    expect([await run("fine"), sandbox.stats().waiting]).toEqual(["fine", 0]);
  });

  test("is confined for the tenant whose calls did it, and not for others", async () => {
    const { sandbox } = await open();
    const of = (tenant: string) => ({ ...attacked, key: `${attacked.key} ${tenant}`, tenant });
    const run = (tenant: string, input: string) =>
      sandbox.run(toCall(of(tenant), { input, limits })).then(toOutput, ({ name }: Error) => name);
    expect(await Promise.all([run("a", "loop"), run("b", "fine")])).toEqual(["CPU_LIMIT", "fine"]);
    expect(sandbox.stats().offenders).toMatchObject([{ tenant: "a" }]);
  });

  test("is found also when nobody knows which of its calls it was", async () => {
    const { run, offences } = await open();
    expect(await Promise.all(["a", "power", "b"].map((input) => run(input)))).toEqual(["a", "CPU_LIMIT", "b"]);
    expect(offences.map(({ strikes }) => strikes)).toEqual([1, 2]);
  });
});

describe("[D8] a version of many that took isolates down", () => {
  test("has its turn, and there are two processes for them all", async () => {
    const { sandbox } = await open();
    const programs = Array.from({ length: 4 }, (_, at) => ({ ...attacked, key: `${attacked.key} ${at}` }));
    const runAll = (input: string) =>
      Promise.all(
        programs.map((program) =>
          sandbox.run(toCall(program, { input, limits })).then(toOutput, ({ name }: Error) => name),
        ),
      );
    expect(new Set(await runAll("loop"))).toEqual(new Set(["CPU_LIMIT"]));
    expect(sandbox.stats().offenders).toHaveLength(4);
    expect(await runAll("fine")).toEqual(["fine", "fine", "fine", "fine"]);
    // One serves, one is ready to, and two are for offenders.
    expect(sandbox.stats().processes).toBeLessThanOrEqual(4);
  });
});
