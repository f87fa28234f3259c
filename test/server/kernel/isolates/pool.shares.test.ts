import { describe, expect, test } from "vitest";
import { createGate } from "./gate.ts";
import { toCall, toHandler, toOutput } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const { sandbox } = useSandbox({ isolates: 4, spare: false });

const waiting = (index: number, tenant: string) => ({
  ...toHandler(`return await ctx.state.get([${index}]);`),
  key: `${tenant} ${index}`,
  tenant,
});

describe("the isolates of a sandbox", () => {
  test("are never all one tenant's, however many of its calls wait", async () => {
    const gate = createGate();
    const call = (index: number, tenant: string) =>
      sandbox().run(toCall(waiting(index, tenant), { syscall: gate.syscall }));
    const own = [0, 1, 2].map((index) => call(index, "a"));
    await gate.asked;
    await expect(call(3, "a")).rejects.toMatchObject({ name: "UNAVAILABLE" });
    const other = call(4, "b");
    gate.answer("done");
    expect((await Promise.all([...own, other])).map(toOutput)).toEqual(["done", "done", "done", "done"]);
    // What is idle makes room for its own tenant's next version.
    expect(toOutput(await call(5, "a"))).toBe("done");
    expect(sandbox().stats().isolates).toBe(4);
  });
});
