import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import type { SandboxCall } from "../../../../server/kernel/isolates/sandbox.ts";
import { jsonValues } from "../../../helpers/json-values.ts";
import { toHandler, toTool } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const { run, fail } = useSandbox();

const staging = toTool({ stages: true });
const refusal = new CairnError("BAD_REQUEST", "No such key.");

/** Writes `input.count` values, after so many requests, and returns how many of them it caught the refusal of. */
const COUNTS = toHandler(`
  for (let at = 0; at < (input.asked ?? 0); at += 1) await ctx.state.get(["a"]);
  let caught = 0;
  for (let at = 0; at < input.count; at += 1)
    await ctx.state.set(["k", at], input.value ?? at).catch((error: any) => { if (error.name === "BAD_REQUEST") caught += 1; });
  return caught;
`);

/** Does what its input says, one thing after the other. */
const DOES = toHandler("for (const [name, ...args] of input) await ctx.state[name](...args);");

/** Refuses the writes of `COUNTS` from this one on. */
function refusingFrom(first: number): Pick<SandboxCall, "syscall"> {
  return {
    syscall: async (name, args) => {
      const { key } = args as { key: [string, number] };
      if (name === "state.set" && key[1] >= first) throw refusal;
      return undefined;
    },
  };
}

describe("Writes to `ctx.state` that nothing can refuse", () => {
  test("are not waited for, and are carried out in their order, before what is asked behind them", async () => {
    const done: unknown[] = [];
    const asked = Promise.withResolvers<undefined>();
    const output = await run(
      `await ctx.state.set(["a"], { n: 1 });
       await ctx.state.delete(["b"]);
       const read = await ctx.state.get(["a"]);
       await ctx.state.set(["c"], read);
       return "over";`,
      {
        tool: staging,
        syscall: async (name, args) => {
          done.push([name, args]);
          if (name !== "state.get") return asked.promise;
          asked.resolve(undefined);
          return 7;
        },
      },
    );
    expect(output).toBe("over");
    expect(done).toEqual([
      ["state.set", { key: ["a"], value: { n: 1 } }],
      ["state.delete", { key: ["b"] }],
      ["state.get", { key: ["a"] }],
      ["state.set", { key: ["c"], value: 7 }],
    ]);
  });

  test("say to the main process what those say that wait for their answers", async () => {
    const key = fc.array(fc.oneof(fc.string(), fc.double()), { maxLength: 17 });
    const steps = fc.array(
      fc.oneof(
        fc.tuple(fc.constant("set"), key, jsonValues()),
        fc.tuple(fc.constant("delete"), key),
        fc.tuple(fc.constant("get"), key),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (input) => {
        const [staged, answered] = await Promise.all(
          [staging, toTool()].map(async (tool) => {
            const done: unknown[] = [];
            await run(DOES, {
              tool,
              input: JSON.parse(JSON.stringify(input)) as never,
              syscall: async (name, args) => void done.push([name, args]),
            });
            return done;
          }),
        );
        expect(staged).toEqual(answered);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    ["an empty key", "[]"],
    ["seventeen parts", "Array(17).fill(1)"],
    ["a long part", '["x".repeat(401)]'],
    ["a number that JSON has not", "[NaN]"],
    ["no array", '"a"'],
  ])("are asked for with %s, so that the handler can catch what is wrong", async (_, key) => {
    const syscall: SandboxCall["syscall"] = async () => {
      throw refusal;
    };
    const body = (act: string) => `try { await ${act} } catch (error: any) { return error.message }`;
    expect(await run(body(`ctx.state.set(${key}, 1)`), { tool: staging, syscall })).toBe(refusal.message);
    expect(await run(body(`ctx.state.delete(${key})`), { tool: staging, syscall })).toBe(refusal.message);
  });

  test("throw at once where JSON cannot carry the value", async () => {
    const body = "try { await ctx.state.set(['a'], 1n) } catch (error: any) { return error.message }";
    expect(await run(body, { tool: staging })).toMatch(/^`value` of `ctx.state.set` cannot be written as JSON/);
  });

  test("are asked for beyond 64 of a call, so that a flood waits for the main process", async () => {
    expect(await run(COUNTS, { tool: staging, input: { count: 100 }, ...refusingFrom(64) })).toBe(36);
    expect((await fail(COUNTS, { tool: staging, input: { count: 100 }, ...refusingFrom(63) })).name).toBe(
      "BAD_REQUEST",
    );
  });

  test("are asked for beyond 64 kB of a call", async () => {
    const input = { count: 10, value: "x".repeat(10_000) };
    expect(await run(COUNTS, { tool: staging, input, ...refusingFrom(6) })).toBe(4);
  });

  test("are asked for after eight requests, which could have read many keys", async () => {
    expect(await run(COUNTS, { tool: staging, input: { count: 1, asked: 9 }, ...refusingFrom(0) })).toBe(1);
    expect((await fail(COUNTS, { tool: staging, input: { count: 1, asked: 8 }, ...refusingFrom(0) })).name).toBe(
      "BAD_REQUEST",
    );
  });

  test("end the call where they are refused all the same, though its handler has returned", async () => {
    const body = "ctx.state.set(['a'], 1).catch(() => undefined); return 1;";
    const syscall = async () => Promise.reject(refusal);
    expect(await fail(body, { tool: staging, syscall })).toBe(refusal);
    const broken = async () => Promise.reject(new Error("the store is gone"));
    expect((await fail(body, { tool: staging, syscall: broken })).name).toBe("INTERNAL_ERROR");
  });

  test("cannot be made by a call that is over", async () => {
    const program = toHandler(
      "if (input === 'keep') { kept = ctx.state; return 0 } return kept.set(['a'], 1).catch((error: any) => error.message)",
      "let kept: any;",
    );
    await run(program, { tool: staging, input: "keep" });
    expect(await run(program, { tool: staging, input: "use" })).toMatch(/of a call that is over cannot be used/);
  });
});
