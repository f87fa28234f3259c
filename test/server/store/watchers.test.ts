import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../../server/store/store.ts";
import { createWatchers } from "../../../server/store/watchers.ts";

const keys = fc.array(fc.constantFrom<string | number>("a", "b", 1, "1"), { maxLength: 3 });

/** The watched prefixes that are called after something was done. */
async function calledAfter(prefixes: readonly Key[], act: (watchers: ReturnType<typeof createWatchers>) => void) {
  const watchers = createWatchers();
  const called: number[] = [];
  for (const [at, prefix] of prefixes.entries()) watchers.watch(prefix, () => called.push(at));
  act(watchers);
  await Promise.resolve();
  return called.sort();
}

test("a change is hinted to those who watch a prefix of its key, once, and to nobody else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(keys, { maxLength: 6 }), fc.array(keys, { maxLength: 4 }), async (prefixes, changed) => {
      const expected = prefixes.flatMap((prefix, at) =>
        changed.some((key) => prefix.length <= key.length && prefix.every((one, place) => one === key[place]))
          ? [at]
          : [],
      );
      expect(await calledAfter(prefixes, (watchers) => watchers.hint(changed))).toEqual(expected);
    }),
  );
});

test("who has stopped is not called any more, and others of its prefix still are", async () => {
  const watchers = createWatchers();
  const called: string[] = [];
  const stops = ["first", "second"].map((name) => watchers.watch(["a"], () => called.push(name)));
  stops[0]?.();
  stops[0]?.();
  watchers.hint([["a", 1]]);
  await Promise.resolve();
  expect(called).toEqual(["second"]);
  expect(watchers.isWatched()).toBe(true);
  stops[1]?.();
  watchers.hint([["a", 1]]);
  await Promise.resolve();
  expect(called).toEqual(["second"]);
  expect(watchers.isWatched()).toBe(false);
});
