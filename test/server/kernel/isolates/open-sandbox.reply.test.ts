import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonValues } from "../../../helpers/json-values.ts";
import { toCall } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const { run, fail, sandbox } = useSandbox();
const returned = (body: string, input: unknown = null) => sandbox().run(toCall(body, { input: input as never }));

const TEXT = '[{ type: "text", text: "shown" }]';

describe("`ctx.reply`", () => {
  test("returns an output together with what clients are shown", async () => {
    expect(await returned(`return ctx.reply({ n: 1 }, ${TEXT})`)).toEqual({
      output: { n: 1 },
      content: [{ type: "text", text: "shown" }],
    });
    expect(await returned("return ctx.reply(undefined, [])")).toEqual({ output: null, content: [] });
    expect(await returned("return { n: 1 }")).toEqual({ output: { n: 1 } });
  });

  test("carries any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(jsonValues(), fc.array(jsonValues()), async (output, content) => {
        const input = JSON.parse(JSON.stringify({ output, content })) as object;
        expect(await returned("return ctx.reply(input.output, input.content)", input)).toEqual(input);
      }),
      { numRuns: 50 },
    );
  });

  test("means something only where the handler returns it itself", async () => {
    expect(await returned(`return { inner: ctx.reply({ n: 1 }, ${TEXT}) }`)).toEqual({ output: { inner: {} } });
    expect(await returned(`ctx.reply({ n: 1 }, ${TEXT}); return { n: 2 }`)).toEqual({ output: { n: 2 } });
    expect(await returned(`return { ...ctx.reply({ n: 1 }, ${TEXT}) }`)).toEqual({ output: {} });
  });

  test("counts what is shown as part of the result", async () => {
    const limits = { time: 20_000, cpu: 200, memory: 64, payload: 100 };
    const body = 'return ctx.reply({}, [{ type: "text", text: "x".repeat(input) }])';
    expect(await run(body, { input: 10, limits })).toEqual({});
    expect((await fail(body, { input: 100, limits })).name).toBe("RESULT_TOO_LARGE");
  });

  test.each([
    ["content that JSON cannot carry", "return ctx.reply({}, [1n])"],
    ["no content", "return ctx.reply({})"],
  ])("fails with %s", async (_, body) => {
    expect(await fail(body)).toMatchObject({ cause: expect.stringContaining("`content` of `ctx.reply`") as string });
  });

  test("fails with an output that JSON cannot carry", async () => {
    expect((await fail(`return ctx.reply(1n, ${TEXT})`)).name).toBe("OUTPUT_INVALID");
  });
});
