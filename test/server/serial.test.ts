import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createQueues } from "../../server/serial.ts";

describe("createQueues", () => {
  test("runs work of one key one after the other in order of arrival, whatever fails and however long it takes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.record({ key: fc.constantFrom("a", "b"), fails: fc.boolean() }), { maxLength: 12 }),
        async (scheduler, works) => {
          const queues = createQueues();
          const running = new Map<string, number>();
          const order: Record<string, number[]> = { a: [], b: [] };
          const all = works.map(({ key, fails }, index) =>
            queues.run(key, async () => {
              expect(running.get(key) ?? 0).toBe(0);
              running.set(key, 1);
              order[key]?.push(index);
              await scheduler.schedule(Promise.resolve());
              running.set(key, 0);
              if (fails) throw new Error(String(index));
              return index;
            }),
          );
          const settled = Promise.allSettled(all);
          await scheduler.waitFor(settled);
          const indexes = (wanted: string) => works.flatMap(({ key }, index) => (key === wanted ? [index] : []));
          expect(order).toEqual({ a: indexes("a"), b: indexes("b") });
          expect((await settled).map(({ status }) => status === "rejected")).toEqual(works.map(({ fails }) => fails));
          expect([queues.busy("a"), queues.busy("b")]).toEqual([false, false]);
        },
      ),
    );
  });
});
