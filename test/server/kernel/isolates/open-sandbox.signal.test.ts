import { describe, expect, test } from "vitest";
import { eventually } from "../../../helpers/eventually.ts";
import { createGate } from "./gate.ts";
import { toHandler } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const { run, fail } = useSandbox();

/** A handler that waits as `body` says, and tells another call of what it has seen; alone in its isolate. */
const watched = (body: string, name = "") =>
  toHandler(`if (input === "tell") return seen; ${body}`, `const seen: unknown[] = []; // ${name}`);

describe("`ctx.signal`", () => {
  test("says that the caller still waits, and throws nothing", async () => {
    const body = `const { signal } = ctx; signal.throwIfAborted(); signal.onAbort(() => {});
      return [signal.aborted, Object.isFrozen(signal), signal.aborted === ctx.signal.aborted]`;
    expect(await run(body)).toEqual([false, true, true]);
  });

  test.each<[string, (gone: AbortController) => object, string]>([
    ["its caller has gone", ({ signal }) => ({ signal }), "CANCELLED"],
    ["its time is over", () => ({ limits: { time: 1_500, cpu: 200, memory: 64, payload: 1000 } }), "TIME_LIMIT"],
  ])("runs what a call left for when %s, and ends what it waits for", async (_, changes, name) => {
    const body = `
      ctx.signal.onAbort(() => { throw new Error("of no account"); });
      ctx.signal.onAbort(() => { seen.push("aborted", ctx.signal.aborted); });
      try {
        await ctx.state.get([1]);
      } catch (error) {
        seen.push(error.name);
        ctx.signal.onAbort(() => { seen.push("at once"); });
        try { ctx.signal.throwIfAborted(); } catch (again) { seen.push(again.name); }
        await ctx.state.get([2]).catch(() => seen.push("nothing more"));
      }`;
    const program = watched(body, name);
    expect(await run(program, { input: "tell" })).toEqual([]);
    const gone = new AbortController();
    const gate = createGate();
    const ended = fail(program, { syscall: gate.syscall, ...changes(gone) });
    await gate.asked;
    gone.abort();
    expect((await ended).name).toBe(name);
    await eventually(async () => {
      const seen = await run(program, { input: "tell" });
      expect(seen).toEqual(["aborted", true, "CANCELLED", "at once", "CANCELLED", "nothing more"]);
    });
    expect(gate.times()).toBe(1);
  });

  test("stays silent for a call that has ended, and for others in the same isolate", async () => {
    const program = watched(`
      ctx.signal.onAbort(() => { seen.push(input); });
      if (input === "waits") await ctx.state.get([1]);
      return "done"`);
    const gone = new AbortController();
    const gate = createGate();
    const waits = fail(program, { input: "waits", syscall: gate.syscall, signal: gone.signal });
    await gate.asked;
    const late = new AbortController();
    expect(await run(program, { input: "over", signal: late.signal })).toBe("done");
    late.abort();
    gone.abort();
    await waits;
    await eventually(async () => expect(await run(program, { input: "tell" })).toEqual(["waits"]));
  });

  test("takes functions only", async () => {
    const body = `try { ctx.signal.onAbort("soon") } catch (error) { return error.message }`;
    expect(await run(body)).toBe("`listener` of `ctx.signal.onAbort` must be a function.");
  });

  test("keeps what a call does from the outside once nobody waits for it", async () => {
    const gone = new AbortController();
    const asked: string[] = [];
    const syscall = (name: string) => {
      asked.push(name);
      return new Promise<never>(() => undefined);
    };
    const program = watched(`
      const waiting = ctx.state.get([1]);
      try { await waiting } catch { ctx.log.info("late"); ctx.progress(1); await ctx.state.set([1], 1) }`);
    const ended = fail(program, { syscall, signal: gone.signal });
    await eventually(() => expect(asked).toEqual(["state.get"]));
    gone.abort();
    await ended;
    expect(await run(program, { input: "tell" })).toEqual([]);
    expect(asked).toEqual(["state.get"]);
  });
});
