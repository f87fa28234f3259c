import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openSandbox, type SandboxOptions } from "../../../../server/kernel/isolates/open-sandbox.ts";
import type { Sandbox } from "../../../../server/kernel/isolates/sandbox.ts";
import { createGate } from "./gate.ts";
import { findHosts, isRunning, readEnvironment, readMemory, readProcessorTime, readUser } from "./hosts.ts";
import { toCall, toHandler, toOutput } from "./program.ts";

const patience = { timeout: 20_000 };

async function open(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await openSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const asking = toHandler("return await ctx.state.get([1])");

describe("[D8] when a process is killed", () => {
  test("calls run again, or end with UNAVAILABLE, and later ones do not notice", async () => {
    const incidents: string[] = [];
    const sandbox = await open({ spare: false, onIncident: (incident) => incidents.push(incident) });
    const gates = [createGate(), createGate()] as const;
    const again = sandbox.run(toCall(asking, { syscall: gates[0].syscall })).then(toOutput);
    const never = sandbox.run(toCall(asking, { syscall: gates[1].syscall, isFinal: () => true })).then(toOutput);
    const refused = expect(never).rejects.toMatchObject({ name: "UNAVAILABLE" });
    await Promise.all(gates.map(({ asked }) => asked));
    for (const host of findHosts()) process.kill(host, "SIGKILL");
    await refused;
    gates[0].answer("answered");
    expect([await again, gates[0].times(), gates[1].times()]).toEqual(["answered", 2, 1]);
    expect(await sandbox.run(toCall("return 1")).then(toOutput)).toBe(1);
    expect(incidents).toEqual(["A sandbox process ended: SIGKILL"]);
    expect(sandbox.stats()).toMatchObject({ processes: 1, running: 0, replaced: 1 });
  });

  test("again and again, a call is given up rather than tried for ever", async () => {
    const sandbox = await open();
    let times = 0;
    const syscall = () => {
      times += 1;
      for (const host of findHosts()) process.kill(host, "SIGKILL");
      return new Promise<never>(() => undefined);
    };
    const call = toCall(asking, { syscall, limits: { time: 20_000, cpu: 1_000, memory: 64, payload: 1_000 } });
    await expect(sandbox.run(call).then(toOutput)).rejects.toMatchObject({ name: "UNAVAILABLE" });
    expect(times).toBeLessThanOrEqual(4);
    await vi.waitFor(async () => expect(await sandbox.run(toCall("return 1")).then(toOutput)).toBe(1), patience);
  });

  test("while programs load, they load in the next one", async () => {
    const sandbox = await open({ spare: false });
    const programs = ["a", "b"].map((name) =>
      toHandler(`return "${name}"`, "let sum = 0; for (let i = 0; i < 3e7; i++) sum += i;"),
    );
    const loading = programs.map((program) => sandbox.warm(program));
    await new Promise(setImmediate);
    for (const host of findHosts()) process.kill(host, "SIGKILL");
    await Promise.all(loading);
    expect(await Promise.all(programs.map((program) => sandbox.run(toCall(program)).then(toOutput)))).toEqual([
      "a",
      "b",
    ]);
  });

  test("and another is there already, it takes over", async () => {
    const sandbox = await open({ spare: true });
    expect(await sandbox.run(toCall("return 0")).then(toOutput)).toBe(0);
    expect(sandbox.stats().processes).toBe(1);
    for (const host of findHosts()) process.kill(host, "SIGKILL");
    await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ processes: 2, replaced: 1 }), patience);
    const [first = 0, second = 0] = findHosts();
    expect(await sandbox.run(toCall("return 1")).then(toOutput)).toBe(1);
    process.kill(first, "SIGKILL");
    await vi.waitFor(() => expect(sandbox.stats().replaced).toBe(2), patience);
    expect(await sandbox.run(toCall("return 2")).then(toOutput)).toBe(2);
    await vi.waitFor(() => expect(findHosts()).toHaveLength(2), patience);
    expect(findHosts()).toContain(second);
  });
});

describe("[D8] a handler", () => {
  test("is held to processor time, not to the clock: a machine that stands still fails nobody", async () => {
    const sandbox = await open({ spare: false });
    const limits = { time: 20_000, cpu: 1_000, memory: 64, payload: 1_000 };
    const gate = createGate();
    const body =
      "await ctx.state.get([1]); let sum = 0; for (let i = 0; i < 1e7; i++) sum = (sum + i) | 0; return 'done'";
    const result = sandbox.run(toCall(body, { limits, syscall: gate.syscall })).then(toOutput);
    await gate.asked;
    const [host = 0] = findHosts();
    const before = readProcessorTime(host);
    gate.answer("answered");
    await vi.waitFor(() => expect(readProcessorTime(host) - before).toBeGreaterThan(20), { ...patience, interval: 1 });
    process.kill(host, "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, limits.cpu * 1.5));
    process.kill(host, "SIGCONT");
    expect([await result, gate.times(), sandbox.stats().replaced]).toEqual(["done", 1, 0]);
  });
});

describe("[D8] a process", () => {
  test("that says nothing any more is replaced, and its call runs again", async () => {
    const sandbox = await open({ spare: false });
    const limits = { time: 20_000, cpu: 50, memory: 64, payload: 1_000 };
    const gate = createGate();
    const call = toCall(toHandler("await ctx.state.get([1]); return 'after'"), { limits, syscall: gate.syscall });
    const result = sandbox.run(call).then(toOutput);
    await gate.asked;
    for (const host of findHosts()) process.kill(host, "SIGSTOP");
    gate.answer("answered");
    expect(await result).toBe("after");
    expect(gate.times()).toBe(2);
  });

  test("that takes more memory than it may is replaced", async () => {
    const sandbox = await open({ spare: false, memory: 250 });
    const body =
      "const b = new ArrayBuffer(8, { maxByteLength: 2 ** 33 }); b.resize(2 ** 33); new Uint8Array(b).fill(1)";
    const limits = { time: 20_000, cpu: 10_000, memory: 64, payload: 1_000 };
    await expect(sandbox.run(toCall(body, { limits })).then(toOutput)).rejects.toMatchObject({ name: "MEMORY_LIMIT" });
    expect(await sandbox.run(toCall("return 1")).then(toOutput)).toBe(1);
    expect(sandbox.stats()).toMatchObject({ processes: 1, replaced: 1 });
  });

  test("does not outlive the one that started it", async () => {
    const program = fileURLToPath(new URL("holder.ts", import.meta.url));
    const holder = spawn(process.execPath, ["--no-warnings", program], { stdio: ["ignore", "pipe", "inherit"] });
    await once(holder.stdout, "data");
    const hosts = findHosts(holder.pid);
    expect(hosts.length).toBeGreaterThan(0);
    holder.kill("SIGKILL");
    await vi.waitFor(() => expect(hosts.filter(isRunning)).toEqual([]), patience);
  });

  test("that cannot start makes that known", async () => {
    const { execPath } = process;
    onTestFinished(() => void (process.execPath = execPath));
    process.execPath = "/nowhere/node";
    await expect(openSandbox()).rejects.toMatchObject({
      name: "UNAVAILABLE",
      cause: expect.stringContaining("ENOENT"),
    });
  });

  test("does not grow with the number of calls", async () => {
    const sandbox = await open({ spare: false });
    const program = toHandler("ctx.log.info('x'); return [await ctx.state.get([input]), 'x'.repeat(1_000)]");
    const call = toCall(program, { input: 1, syscall: async () => "y".repeat(1_000) });
    const memoryAfter = async (calls: number) => {
      for (let left = calls; left > 0; left -= 1) await sandbox.run(call).then(toOutput);
      return Math.max(...findHosts().map(readMemory));
    };
    const before = await memoryAfter(1_000);
    expect((await memoryAfter(1_000)) / before).toBeLessThan(1.25);
  });

  test("has no secrets and no rights to speak of", async () => {
    process.env["CAIRN_TEST_SECRET"] = "secret";
    onTestFinished(() => void delete process.env["CAIRN_TEST_SECRET"]);
    await open({ spare: false });
    const [host] = findHosts();
    expect(readEnvironment(host ?? 0)).toBe("TZ=UTC");
    expect(readUser(host ?? 0)).toBe(process.getuid?.() === 0 ? 65_534 : process.getuid?.());
  });
});

describe("[D8] programs", () => {
  test("used longest ago make room for others", async () => {
    const sandbox = await open({ spare: false, isolates: 2 });
    const [a, b, c] = ["a", "b", "c"].map((name) =>
      toCall(toHandler(`return "${name}" + (count += 1)`, "let count = 0;")),
    );
    const results = [];
    for (const call of [a, b, a, c, a, b]) results.push(call && (await sandbox.run(call).then(toOutput)));
    expect(results).toEqual(["a1", "b1", "a2", "c1", "a3", "b1"]);
    expect(sandbox.stats().isolates).toBe(2);
  });

  test("that are in use do not make room", async () => {
    const sandbox = await open({ spare: false, isolates: 2 });
    const gate = createGate();
    const waiting = ["1", "2"].map((name) =>
      sandbox.run(toCall(`return await ctx.state.get([${name}])`, { syscall: gate.syscall })).then(toOutput),
    );
    await gate.asked;
    await expect(sandbox.run(toCall("return 3")).then(toOutput)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "All 2 isolates are in use.",
    });
    gate.answer("answered");
    expect(await Promise.all(waiting)).toEqual(["answered", "answered"]);
    expect(await sandbox.run(toCall("return 3")).then(toOutput)).toBe(3);
  });
});
