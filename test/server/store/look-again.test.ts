import { describe, expect, test } from "vitest";
import { createIdentifiers } from "../../../server/identifiers.ts";
import { lookAgain } from "../../../server/store/look-again.ts";
import { openTestStore } from "../../helpers/store.ts";

describe("a store that other nodes use", () => {
  test("is looked at again for the record of a call that was answered a moment ago, and for nothing else", async () => {
    const store = await openTestStore();
    let looks = 0;
    const counted = {
      ...store,
      getMany: async (keys: Parameters<typeof store.getMany>[0]) => (looks++, store.getMany(keys)),
    };
    const again = lookAgain(counted, Date.now);
    const id = createIdentifiers(Date.now)();
    const key = ["call", "acme", "c", id];
    const found = again.get(key);
    await store.commit({ set: [{ key, value: 1 }] });
    expect(await found).toMatchObject({ value: 1 });
    expect(await again.get(["tuned", "acme", createIdentifiers(Date.now)()])).toBeUndefined();
    looks = 0;
    const old = createIdentifiers(() => Date.now() - 60_000)();
    for (const absent of [
      ["call", "acme", "c", old],
      ["session", "acme", "c", id],
      ["call", "acme", "c", "x"],
    ]) {
      expect(await again.get(absent)).toBeUndefined();
    }
    expect(looks).toBe(3);
  });
});
