import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { useArtifacts } from "./use-artifacts.ts";

const { run, fail, ask, begin } = useArtifacts();

describe("ctx.artifacts", () => {
  test("runs a program with an input, and answers with what it returns", async () => {
    expect(await run("export default ({ a, b }) => a + b", { input: { a: 2, b: 3 } })).toBe(5);
    expect(await run("export default () => undefined")).toBeUndefined();
  });

  test("makes JavaScript of TypeScript, and reads JavaScript as JavaScript", async () => {
    const call = begin();
    const modules = {
      "main.ts": `import { f } from "./f.js"; export default (x: number): number[] => [x, ...f()]`,
      "f.js": "const f = 1, a = 2, b = 0; const list = () => [f<a, a>(b)]; export { list as f }",
    };
    const compiled = await ask(call, "artifacts.compile", { program: { name: "two", modules, entry: "main.ts" } });
    expect(compiled).toMatchObject({ name: "two", entry: "main.js" });
    const ran = ask(call, "artifacts.run", { program: compiled ?? null, input: 7 });
    expect(await ran).toEqual({ done: true, value: [7, true, true] });
  });

  test("has one handler answer what a program asks, question after question", async () => {
    const heard: unknown[] = [];
    const source = `export default async (input, ctx) => {
      const all = await Promise.all([1, 2, 3].map((n) => ctx.artifacts.ask("double", { n })));
      try { await ctx.artifacts.ask("fail", {}) } catch (error) { return [...all, error.name, error.message] } }`;
    const answer = (name: string, args: unknown) => {
      heard.push([name, args]);
      if (name === "fail") throw new CairnError("CONFLICT", "no");
      return 2 * (args as { n: number }).n;
    };
    expect(await run(source, { asks: ["double", "fail"], answer })).toEqual([2, 4, 6, "CONFLICT", "no"]);
    expect(heard).toEqual([
      ["double", { n: 1 }],
      ["double", { n: 2 }],
      ["double", { n: 3 }],
      ["fail", {}],
    ]);
  });

  test("passes on what a program lets pass, and what it raises", async () => {
    const source = `export default (input, ctx) => ctx.artifacts.ask("x", {})`;
    const refuse = (name: string) => () => {
      throw Object.assign(new Error("said"), { name });
    };
    const answered = (name: string) => fail(source, { asks: ["x"], answer: refuse(name) });
    expect(await answered("NOT_FOUND")).toMatchObject({ name: "NOT_FOUND", message: "said" });
    expect(await answered("TypeError")).toMatchObject({
      name: "ARTIFACT_FAILED",
      message: "What was asked for failed.",
    });
    const raised = await fail(`export default (input, ctx) => { throw ctx.fail("UNPROCESSABLE", "mine", { a: 1 }) }`);
    expect(raised).toMatchObject({ name: "UNPROCESSABLE", message: "mine", details: { a: 1 } });
  });

  test("tells what else was thrown, with its place in the program alone", async () => {
    const { name, message } = await fail("export default () => { null.x }");
    expect(name).toBe("ARTIFACT_FAILED");
    expect(message).toMatch(/^`thing` failed: TypeError: Cannot read properties of null/);
    expect(message).toContain("artifact.js:1");
    expect(message).not.toContain("/server/");
  });

  test.for([
    "ctx.state.get(['a'])",
    "ctx.fetch('https://a/')",
    "ctx.tools.list()",
    "ctx.principal()",
    "ctx.schema.problems({})",
    "ctx.artifacts.run({ name: 'a', modules: {}, entry: '' }, { input: 1 })",
    "ctx.model.generate({ messages: [] })",
  ])("gives a program nothing of its handler's: %s", async (code) => {
    const error = await fail(`export default async (input, ctx) => { await ${code} }`, { asks: ["x"] });
    expect(error).toMatchObject({ name: "FORBIDDEN", message: expect.stringMatching(/^`thing` may not use `ctx\./) });
  });

  test("answers only what was granted, and gives clock and chance only where they were", async () => {
    const asks = await fail(`export default (input, ctx) => ctx.artifacts.ask("other", {})`, { asks: ["one"] });
    expect(asks).toMatchObject({ name: "FORBIDDEN", message: "`thing` may not use `other`." });
    const chance = "export default (input, ctx) => ctx.random()";
    expect(await fail(chance)).toMatchObject({ name: "FORBIDDEN" });
    expect(await fail("export default (input, ctx) => ctx.now()")).toMatchObject({ name: "FORBIDDEN" });
    expect(await run("export default (input, ctx) => ctx.now() > 1e12", { clock: true })).toBe(true);
    const seed = "0123456789abcdef0123456789abcdef";
    expect(await run(chance, { seed })).toBe(await run(chance, { seed }));
    expect(await run(chance, { seed })).not.toBe(await run(chance, { seed: seed.replace("0", "1") }));
  });

  test("keeps variables of a program apart for each caller, and for each tenant", async () => {
    const source = "let count = 0; export default () => (count += 1)";
    const counts = async (who: object) => [await run(source, who), await run(source, who)];
    expect(await counts({ actor: "one" })).toEqual([1, 2]);
    expect(await counts({ actor: "two" })).toEqual([1, 2]);
    expect(await counts({ actor: "one", tenant: "other" })).toEqual([1, 2]);
  });

  test("logs into the log of the call", async () => {
    const call = begin();
    const logs: unknown[] = [];
    const heard = { ...call, effects: { ...call.effects, logs: [] }, onLog: (line: object) => logs.push(line) };
    await run(`export default (input, ctx) => ctx.log.info("hello", { a: 1 })`, { call: heard });
    expect(logs).toEqual([{ level: "info", message: "hello", data: { a: 1 } }]);
  });

  test("lets one run ask so often and no oftener", async () => {
    const source = `export default async (input, ctx) => { for (;;) await ctx.artifacts.ask("x", {}) }`;
    let asked = 0;
    expect(await fail(source, { asks: ["x"], answer: () => (asked += 1) })).toMatchObject({ name: "RATE_LIMITED" });
    expect(asked).toBe(1_000);
  });

  test("runs so many at once for one call, and for one tenant", async () => {
    const modules = { "a.js": `export default (input, ctx) => ctx.artifacts.ask("x", {})` };
    const program = { name: "waits", modules, entry: "a.js" };
    const start = (call: ReturnType<typeof begin>) => ask(call, "artifacts.run", { program, input: null, asks: ["x"] });
    const one = begin({ tenant: "crowded" });
    const refused = { name: "RATE_LIMITED" };
    for (let count = 0; count < 16; count += 1) await start(one);
    await expect(start(one)).rejects.toMatchObject(refused);
    for (let other = 0; other < 3; other += 1) {
      const call = begin({ tenant: "crowded" });
      for (let count = 0; count < 16; count += 1) await start(call);
    }
    await expect(start(begin({ tenant: "crowded" }))).rejects.toMatchObject(refused);
    expect(await start(begin({ tenant: "other" }))).toMatchObject({ done: false, name: "x" });
  });

  test("ends runs when nobody waits for the call any more", async () => {
    const gone = new AbortController();
    const call = { ...begin({ tenant: "gone" }), signal: gone.signal };
    const source = `export default (input, ctx) => ctx.artifacts.ask("x", {})`;
    const program = { name: "waits", modules: { "a.js": source }, entry: "a.js" };
    const step = await ask(call, "artifacts.run", { program, input: null, asks: ["x"] });
    gone.abort();
    const { run: number, ask: question } = step as { run: number; ask: number };
    const resumed = ask(call, "artifacts.resume", { run: number, ask: question, value: 1 });
    await expect(resumed).rejects.toMatchObject({ name: "CANCELLED" });
    const again = ask(call, "artifacts.resume", { run: number, ask: question, value: 1 });
    await expect(again).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });

  test.for([
    ["ts", "export default (", "`artifact.ts` is not TypeScript whose types can be erased"],
    ["ts", "enum A { b }", "is not TypeScript whose types can be erased"],
    ["ts", `export default ${"(".repeat(60_000)}`, "is not TypeScript whose types can be erased"],
    ["ts", `export default ${"[".repeat(30_000)}${"]".repeat(30_000)}`, "is not TypeScript whose types can be erased"],
    ["js", "export default (", "does not compile"],
    ["js", `export default ${"[".repeat(60_000)}${"]".repeat(60_000)}`, "cannot be loaded"],
    ["js", `export default ${"(".repeat(60_000)}`, "cannot be loaded"],
    ["js", `import "fs"; export default 1`, "only relative paths"],
    ["js", `import x from "./other.js"; export default x`, "there is no module"],
    ["js", "throw new Error('at once')", "throws while it is loaded: at once"],
    ["js", "for (;;);", "runs for more than 1000 ms while it is loaded"],
    ["js", "await new Promise(() => {})", "that never comes"],
    ["js", "const all = []; for (;;) all.push(new Array(1e5).fill({}))", "cannot be loaded"],
  ] as const)("refuses what cannot be loaded, in %s: case %#", async ([ending, source, why]) => {
    const path = `artifact.${ending}`;
    const compiled = ask(begin(), "artifacts.compile", {
      program: { name: "thing", modules: { [path]: source }, entry: path },
    });
    await expect(compiled).rejects.toMatchObject({ name: "BAD_REQUEST", message: expect.stringContaining(why) });
  });

  test("still takes others after all of that", async () => {
    const modules = { "a.ts": "const one: number = 1; export default (): number => one" };
    const compiled = await ask(begin(), "artifacts.compile", { program: { name: "a", modules, entry: "a.ts" } });
    expect(await ask(begin(), "artifacts.run", { program: compiled ?? null, input: null })).toEqual({
      done: true,
      value: 1,
    });
    await expect(run(`import "node:fs"; export default 1`)).rejects.toMatchObject({ name: "ARTIFACT_FAILED" });
  });

  test.for([
    [{ name: "a", modules: { "../a.js": "" }, entry: "../a.js" }, "is no path of a JavaScript module"],
    [{ name: "a", modules: { "a.js": "" }, entry: "b.js" }, "there is no module `b.js`"],
    [{ name: "a", modules: { "a.js": "" }, entry: "toString" }, "there is no module `toString`"],
    [{ name: "a", modules: { "a.js": 1 }, entry: "a.js" }, "must be string"],
  ] as const)("refuses what is no program", async ([program, why]) => {
    const started = ask(begin(), "artifacts.run", { program, input: null });
    await expect(started).rejects.toMatchObject({ name: "BAD_REQUEST", message: expect.stringContaining(why) });
  });
});
