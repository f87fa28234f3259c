import { expect, onTestFinished, test, vi } from "vitest";
import {
  type DriftScheduleOptions,
  type DriftTime,
  openDriftSchedule,
} from "../../../../server/architect/renewals/open-drift-schedule.ts";
import { openTestStore } from "../../../helpers/store.ts";

const DAY = 86_400_000;

/** Time that two services have in common; `wake` ends the waits of both at the same moment. */
function createTime() {
  let now = Date.UTC(2026, 0, 1);
  let waiting: (() => void)[] = [];
  const time: DriftTime = {
    now: () => now,
    random: () => 0,
    sleep: (_ms, signal) =>
      new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      }),
  };
  const wake = async () => {
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    now += DAY;
    for (const go of waiting.splice(0)) go();
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
  };
  return { time, wake };
}

test("one of two services on a store makes each look at the sources", async () => {
  const store = await openTestStore();
  const { time, wake } = createTime();
  const looks: string[] = [];
  const open = (name: string) => {
    const schedule = openDriftSchedule({
      everyMs: DAY,
      store,
      time,
      registry: { refresh: async () => ({ ok: true }) } as unknown as DriftScheduleOptions["registry"],
      architect: undefined as never,
      findHead: async () => "c0ffee",
      ask: async () => {
        looks.push(name);
        return [];
      },
      report: { began: () => undefined, found: () => undefined, settled: () => undefined, ended: () => undefined },
      onError: (error) => expect.fail(String(error)),
    });
    onTestFinished(() => schedule.close());
  };
  open("one");
  open("other");
  await wake();
  expect(looks).toHaveLength(1);
  await wake();
  expect(looks).toHaveLength(2);
});
