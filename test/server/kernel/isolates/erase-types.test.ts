import { describe, expect, test } from "vitest";
import { eraseTypes } from "../../../../server/kernel/isolates/erase-types.ts";

describe("erasing types", () => {
  test("leaves JavaScript, every character at its place", async () => {
    expect(await eraseTypes("a.ts", "const a: number = 1;\nexport default a as any;")).toBe(
      "const a         = 1;\nexport default a       ;",
    );
    expect(await eraseTypes("a.ts", "")).toBe("");
    expect(await eraseTypes("a.ts", "export default 'ü\u2028😀'")).toBe("export default 'ü\u2028😀'");
  });

  test.for([
    ["what is no TypeScript", "const = 1"],
    ["what has more than types", "enum A { b }"],
    ["what breaks the program that reads it", `export default ${"(".repeat(60_000)}`],
  ])("refuses %s, and names the file", async ([, source = ""]) => {
    await expect(eraseTypes("thing.ts", source)).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: expect.stringMatching(/^`thing\.ts` is not TypeScript whose types can be erased: .*\.$/),
    });
    expect(await eraseTypes("a.ts", "1 as number")).toBe("1          ");
  });
});
