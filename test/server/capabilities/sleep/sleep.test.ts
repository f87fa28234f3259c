import { describe, expect, test } from "vitest";
import { createSleepSyscalls } from "../../../../server/capabilities/sleep/sleep.ts";
import type { RunningCall } from "../../../../server/kernel/call.ts";

const toCall = (more: Partial<RunningCall> = {}) =>
  ({ tool: { name: "shop.buy" }, deadline: 1_500, signal: new AbortController().signal, ...more }) as RunningCall;
const { sleep } = createSleepSyscalls(() => 1_000);

describe("ctx.sleep", () => {
  test("resolves with nothing once the time is over", async () => {
    expect(await sleep.run(toCall(), { milliseconds: 3 })).toBeUndefined();
  });

  test("ends at once where it would outlast the call's time limit", async () => {
    await expect(sleep.run(toCall(), { milliseconds: 500 })).rejects.toMatchObject({
      name: "TIME_LIMIT",
      message: "`ctx.sleep(500)` would outlast the 500 ms that `shop.buy` has left of its time limit.",
    });
  });

  test("ends with its call", async () => {
    const caller = new AbortController();
    const waiting = sleep.run(toCall({ deadline: 100_000, signal: caller.signal }), { milliseconds: 50_000 });
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  });

  test.each([[{}], [{ milliseconds: -1 }], [{ milliseconds: "5" }]])("refuses %j", async (args) => {
    await expect(sleep.run(toCall(), args)).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });
});
