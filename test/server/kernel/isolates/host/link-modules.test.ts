import { describe, expect, test } from "vitest";
import { toCall, toHandler, toProgram, toOutput, toTool } from "../program.ts";
import { useSandbox } from "../use-sandbox.ts";

const { sandbox, run, fail } = useSandbox();
const TOOL = "tools/runner/tool.ts";

/** How the sandbox refuses a program with such a tool, and other modules. */
async function refuse(tool: string, others: Record<string, string> = {}): Promise<string> {
  const program = toProgram({ [TOOL]: tool, ...others });
  const { name, message } = await fail(program);
  await expect(sandbox().warm(program)).rejects.toMatchObject({ name, message });
  return `${name}: ${message}`;
}

describe("modules", () => {
  test("import each other by relative paths, in cycles too", async () => {
    const program = toProgram({
      [TOOL]: `import { shout } from "../_lib/text.ts"; import { own } from "./own.ts"; export const name = "tool";
        export default (input: string) => shout(input) + own();`,
      "tools/_lib/text.ts": `import * as more from "./deep/more.ts"; export const shout = (text: string) => text.toUpperCase() + more.mark;`,
      "tools/_lib/deep/more.ts": `export const mark: string = await Promise.resolve("!");`,
      "tools/runner/own.ts": `import { name } from "./tool.ts"; export { default as again } from "./tool.ts"; export const own = () => name;`,
    });
    await sandbox().warm(program);
    expect(await run(program, { input: "hi" })).toBe("HI!tool");
    expect(await run(program, { input: "again" })).toBe("AGAIN!tool");
  });

  test("are evaluated once", async () => {
    const program = toProgram({
      [TOOL]: `import { log } from "../_lib/log.ts"; import "./side.ts"; log.push("tool"); export default () => log;`,
      "tools/runner/side.ts": `import { log } from "../_lib/log.ts"; log.push("side");`,
      "tools/_lib/log.ts": `export const log = ["lib"];`,
    });
    expect(await run(program)).toEqual(["lib", "side", "tool"]);
  });

  test.for<[string, string, string]>([
    [
      "a package",
      `import x from "lodash";`,
      "imports `lodash`; only relative paths, such as `../_lib/text.ts`, are possible.",
    ],
    [
      "a builtin",
      `import x from "node:fs";`,
      "imports `node:fs`; only relative paths, such as `../_lib/text.ts`, are possible.",
    ],
    [
      "an absolute path",
      `import x from "/etc/passwd";`,
      "imports `/etc/passwd`; only relative paths, such as `../_lib/text.ts`, are possible.",
    ],
    [
      "an address",
      `export * from "https://example.com/x.js";`,
      "imports `https://example.com/x.js`; only relative paths, such as `../_lib/text.ts`, are possible.",
    ],
    [
      "a missing module",
      `import x from "../_lib/gone.ts";`,
      "imports `../_lib/gone.ts`; there is no module `tools/_lib/gone.ts` in this version.",
    ],
    [
      "a path out of the tree",
      `import x from "../../../gone.ts";`,
      "imports `../../../gone.ts`; there is no module `../gone.ts` in this version.",
    ],
    [
      "import()",
      `export default async () => import("./tool.ts");`,
      "uses `import(./tool.ts)`; only static imports are possible.",
    ],
    ["import.meta", `export default () => import.meta.url;`, "uses `import.meta`, which handlers do not have."],
    [
      "an attribute",
      `import x from "./tool.ts" with { type: "json" };`,
      "imports `./tool.ts` in a special way; only plain imports are possible.",
    ],
  ])("are refused when they import %s", async ([, source, problem]) => {
    expect(await refuse(`\n${source}`)).toMatch(new RegExp(`^INTERNAL_ERROR: \`${TOOL}:2:\\d+\` `));
    expect(await refuse(`\n${source}`)).toContain(problem);
  });

  test("are refused when they do not compile", async () => {
    const sources = new Map([[TOOL, "export default () => 1 +;"]]);
    const program = { ...toHandler(""), key: "does not compile", modules: sources };
    expect(await fail(program)).toMatchObject({
      name: "INTERNAL_ERROR",
      message: "`tools/runner/tool.ts` does not compile: Unexpected token ';' [tools/runner/tool.ts:1:25]",
    });
  });

  test("are refused when what they import is not exported", async () => {
    expect(await refuse(`import { gone } from "./other.ts"; gone();`, { "tools/runner/other.ts": "" })).toBe(
      "INTERNAL_ERROR: `tools/runner/tool.ts` does not link: The requested module './other.ts' does not provide an export named 'gone'",
    );
  });

  test.for<[string, string, string]>([
    [
      "throw",
      "throw new Error('broken');",
      "HANDLER_ERROR: `tools/_lib/lib.ts` throws while it is loaded: broken (tools/_lib/lib.ts:1:7)",
    ],
    [
      "reject",
      "await 0; throw new Error('broken');",
      "HANDLER_ERROR: `tools/_lib/lib.ts` throws while it is loaded: broken (tools/_lib/lib.ts:1:16)",
    ],
    ["loop", "for (;;);", "CPU_LIMIT: `tools/_lib/lib.ts` runs for more than 1000 ms while it is loaded."],
    [
      "hog memory",
      "const a = []; for (;;) a.push(new Array(1000).fill(1));",
      "MEMORY_LIMIT: `tools/_lib/lib.ts` needs too much memory while it is loaded.",
    ],
    [
      "wait for ever",
      "await new Promise(() => {});",
      "INTERNAL_ERROR: `tools/_lib/lib.ts` awaits something at its top level that never comes.",
    ],
    [
      "ask for the time",
      "Date.now();",
      "HANDLER_ERROR: `tools/_lib/lib.ts` throws while it is loaded: `Date.now()` is not there: use `ctx.now()`, which needs `clock` in the tool's `uses`. (tools/_lib/lib.ts:1:6)",
    ],
  ])("are refused when they %s while they are loaded", async ([, lib, problem]) => {
    const tool = `import "../_lib/lib.ts"; export default function () { return 1 }`;
    const program = toProgram({ [TOOL]: tool, "tools/_lib/lib.ts": lib }, 32);
    const { name, message } = await fail(program);
    expect(`${name}: ${message}`).toBe(problem);
  });

  test.runIf(process.env["CAIRN_LONG"])(
    "that cannot be interrupted while they are loaded end their process, not the others' calls",
    async () => {
      const other = run("for (let i = 0; i < 20; i++) await ctx.state.get([i]); return 'other'", {
        syscall: () => new Promise<null>((resolve) => setTimeout(resolve, 100, null)),
      });
      const program = toHandler("", "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);");
      expect(await fail(program)).toMatchObject({
        name: "CPU_LIMIT",
        message: "The program's modules do not stop loading.",
      });
      expect(await other).toBe("other");
    },
    60_000,
  );

  test("without a function as default export have no tool", async () => {
    const cause = expect.stringContaining("no function as its default export");
    expect(await fail(toProgram({ [TOOL]: "export default 1;" }))).toMatchObject({ name: "HANDLER_ERROR", cause });
    const call = toCall("return 1", { tool: toTool({ handler: "tools/runner/other.ts" }) });
    await expect(sandbox().run(call).then(toOutput)).rejects.toMatchObject({ name: "HANDLER_ERROR", cause });
  });
});
