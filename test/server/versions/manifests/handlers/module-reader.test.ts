import { describe, expect, it } from "vitest";
import { createModuleReader } from "../../../../../server/versions/manifests/handlers/module-reader.ts";

const GOOD = "export default (a: number) => a;\n";

describe("a reader of modules", () => {
  it("reads many modules, in any order of asking", async () => {
    const read = createModuleReader();
    const paths = Array.from({ length: 20 }, (_, index) => `tools/a/t${index}.ts`);
    const results = await Promise.all(paths.map((path) => read(path, GOOD)));
    expect(results.map(({ module }) => module?.path)).toEqual(paths);
  });

  it.each([
    ["parentheses", `x = ${"(".repeat(5000)}1${")".repeat(5000)};`],
    ["brackets without end", `x = ${"[".repeat(500_000)}`],
    ["types", `type A = ${"B<".repeat(5000)}C${">".repeat(5000)};`],
    ["signs", `x = ${"!".repeat(50_000)}1;`],
    ["functions", `x = ${"a => ".repeat(5000)}1;`],
    ["templates", "`${".repeat(5000)],
    ["sums", `x = ${"1+".repeat(200_000)}1;`],
  ])("[V8] refuses nested %s, and reads the next module as if nothing had happened", async (_name, hostile) => {
    const read = createModuleReader();
    const { module, problems } = await read("tools/a/hostile.ts", hostile);
    if (!module) expect(problems[0]).toMatchObject({ file: "tools/a/hostile.ts", rule: "handler-syntax" });
    expect((await read("tools/a/good.ts", GOOD)).problems).toEqual([]);
  });

  it("gives up on a module that takes too long, without holding that against it", async () => {
    const read = createModuleReader(0);
    const { problems, isUncertain } = await read("tools/a/slow.ts", GOOD);
    expect(problems).toHaveLength(1);
    expect(isUncertain).toBe(true);
  });
});
