import { assert, asyncProperty } from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSandbox } from "../../../../server/kernel/isolates/open-sandbox.ts";
import { SYSCALLS } from "../../../../server/capabilities/declarations.ts";
import { jsonValues } from "../../../helpers/json-values.ts";
import { COUNT, type TestTool } from "../count-tool.ts";
import { useInvoke } from "../use-invoke.ts";

const setUp = useInvoke();

/** As a manifest would have it that nobody checked. */
const ALL = { uses: new Set(SYSCALLS), egress: ["out.example"], sideEffect: true } satisfies Partial<TestTool>;
const attempt = (expression: string) =>
  `try { return { got: await (${expression}) ?? null } } catch (error) { return { error: error.name, said: error.message } }`;

async function openOther() {
  const sandbox = await openSandbox({ spare: false });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

describe("[G4] a deterministic tool", () => {
  const refused = { error: "FORBIDDEN" };
  const missing = { error: "ReferenceError" };

  test.each<[string, object]>([
    ["Date.now()", refused],
    ["new Date()", refused],
    ["Date()", refused],
    ["new (class extends Date {})()", refused],
    ["new Intl.DateTimeFormat().format()", refused],
    ["new Intl.DateTimeFormat().formatToParts()", refused],
    ["Math.random()", refused],
    ["ctx.now()", refused],
    ["ctx.random()", refused],
    ["ctx.fetch('https://out.example/')", refused],
    ["ctx.model.generate({ messages: [] })", refused],
    ["ctx.state.get(['a'])", refused],
    ["ctx.state.scan([])", refused],
    ["ctx.state.set(['a'], 1)", refused],
    ["ctx.state.delete(['a'])", refused],
    ["ctx.session.get()", refused],
    ["ctx.session.set(1)", refused],
    ["ctx.elicit('q', { message: 'm', schema: { type: 'object', properties: {} } })", refused],
    ["ctx.sample('q', { messages: [], maxTokens: 1 })", refused],
    ["ctx.roots()", refused],
    ["ctx.tools.call('dice', {})", refused],
    ["crypto.randomUUID()", refused],
    ["crypto.getRandomValues(new Uint8Array(4))", refused],
    ["performance.now()", missing],
    ["process.hrtime()", missing],
    ["new Promise((done) => setTimeout(done, 1))", missing],
    ["new WeakRef({})", missing],
    ["new FinalizationRegistry(() => {})", missing],
    ["new SharedArrayBuffer(8)", missing],
    ["Atomics.wait(new Int32Array(8), 0, 0, 1)", missing],
    ["ctx.call.conversationId", { got: "00000000-0000-0000-0000-000000000000" }],
    ["ctx.call.logsUri", { got: "logs://00000000-0000-0000-0000-000000000000" }],
    ["ctx.model.available", { got: false }],
    ["ctx.client", { got: { elicit: false, sample: false, roots: false } }],
    ["Intl.DateTimeFormat().resolvedOptions().timeZone", { got: "UTC" }],
    ["Intl.NumberFormat().resolvedOptions().locale", { got: "en-US" }],
    ["new Date(2026, 0).getTimezoneOffset()", { got: 0 }],
    ["['ä', 'z', 'a'].sort((a, b) => a.localeCompare(b)).join('')", { got: "aäz" }],
  ])("learns nothing that changes from `%s`", async (expression, expected) => {
    const tools = {
      t: { ...ALL, deterministic: true, interactive: true, body: attempt(expression) },
      dice: { body: "return {};", deterministic: false },
    };
    const { call } = await setUp(tools);
    const interaction = { client: { elicit: true, sample: true, roots: true }, answers: new Map() };
    const results = [await call("t", {}, { interaction }), await call("t"), await call("t", {}, { interaction })];
    const outputs = results.map((result) => (result.ok ? result.output : result.error));
    expect(outputs[0]).toMatchObject(expected);
    expect(outputs).toEqual([outputs[0], outputs[0], outputs[0]]);
  });

  test("gives the same bytes for the same input, in any run, isolate and process", { timeout: 60_000 }, async () => {
    const t: TestTool = {
      deterministic: true,
      uses: new Set(["tools.call", "tools.list"]),
      body: `const seen = new Map(); const walk = (value, path) => { seen.set(path, [typeof value, JSON.stringify(value)]);
            if (value && typeof value === "object") for (const name of Object.keys(value)) walk(value[name], path + "/" + name); };
          walk(input, "");
          const numbers = JSON.stringify(input).match(/-?\\d+(\\.\\d+)?(e[+-]?\\d+)?/gi)?.map(Number) ?? [];
          const inner = await ctx.tools.call("inner", input); let stack; try { null.x } catch (error) { stack = error.stack }
          return { seen: [...seen], sorted: [...seen.keys()].sort((a, b) => a.localeCompare(b)), stack, inner,
            math: numbers.map((n) => [Math.sin(n), Math.exp(n), Math.cbrt(n), n.toLocaleString(), new Date(n).getTime()].map(String)),
            tools: (await ctx.tools.list()).map(({ name }) => name), at: ctx.call };`,
    };
    const tools = { t, inner: { body: "return { keys: Object.keys(input) };", deterministic: true } };
    const services = [
      await setUp(tools),
      await setUp(tools, { commit: "d".repeat(40) }),
      await setUp(tools, { sandbox: await openOther() }),
    ];
    const law = asyncProperty(jsonValues(), async (value) => {
      const input = { value: JSON.parse(JSON.stringify(value)) };
      const texts = [];
      for (const service of [...services, ...services]) {
        const result = await service.call("t", input);
        expect(result).toMatchObject({ ok: true });
        texts.push(JSON.stringify(result.ok && result.output).replaceAll("d".repeat(40), "c".repeat(40)));
      }
      expect(new Set(texts).size).toBe(1);
    });
    await assert(law, { numRuns: process.env["CAIRN_LONG"] ? 500 : 30 });
  });
});

describe("[G4] a tool without side effect", () => {
  const quiet = (expression: string): TestTool => ({ ...ALL, sideEffect: false, body: attempt(expression) });

  test.each([
    ["ctx.state.set(['a'], 1)", "cannot use `ctx.state.set`"],
    ["ctx.state.delete(['a'])", "cannot use `ctx.state.delete`"],
    ["ctx.session.set(1)", "cannot use `ctx.session.set`"],
    ["ctx.fetch('https://out.example/', { method: 'POST' })", "may fetch with GET and HEAD only, not POST"],
    ["ctx.fetch('https://out.example/', { method: 'DELETE' })", "may fetch with GET and HEAD only, not DELETE"],
    ["ctx.tools.call('count', {})", "cannot call `count`, which has side effects"],
    ["ctx.tools.call('middle', {})", "`middle` says `sideEffect: false` and so cannot call `count`"],
  ])("changes nothing by `%s`", async (expression, said) => {
    const { call, store } = await setUp({
      t: quiet(expression),
      middle: { body: "return await ctx.tools.call('count', {});", uses: new Set(["tools.call"]) },
      count: COUNT,
    });
    const result = await call("t");
    expect(result).toMatchObject({ output: { error: "FORBIDDEN", said: expect.stringContaining(said) } });
    const kept = [];
    for await (const { key } of store.scan({ prefix: ["state"] })) kept.push(key);
    expect(kept).toEqual([]);
  });
});

describe("[G4] a tool that is not scoped to tenants", () => {
  test.each([
    ["ctx.state.get(['a'])", "cannot use `ctx.state.get`"],
    ["ctx.state.scan([])", "cannot use `ctx.state.scan`"],
    ["ctx.state.set(['a'], 1)", "cannot use `ctx.state.set`"],
    ["ctx.session.get()", "cannot use `ctx.session.get`"],
    ["ctx.tools.call('count', {})", "cannot call `count`, which may depend on the tenant"],
  ])("touches nothing of a tenant by `%s`", async (expression, said) => {
    const { call } = await setUp({ t: { ...ALL, tenantScoped: false, body: attempt(expression) }, count: COUNT });
    expect(await call("t")).toMatchObject({ output: { error: "FORBIDDEN", said: expect.stringContaining(said) } });
  });
});
