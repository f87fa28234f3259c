import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { loadSecret } from "../../../server/store/secret.ts";
import { openTestStore } from "../../helpers/store.ts";

describe("a secret of the store", () => {
  test("is made once, of 32 random bytes, and kept", async () => {
    const store = await openTestStore();
    const made = await loadSecret(store, "one", (length) => Buffer.alloc(length, 7));
    expect(made).toEqual(Buffer.alloc(32, 7));
    const never = () => {
      throw new Error("made again");
    };
    expect(await loadSecret(store, "one", never)).toEqual(made);
  });

  test("is another under another name", async () => {
    const store = await openTestStore();
    const [one, two] = [await loadSecret(store, "one", randomBytes), await loadSecret(store, "two", randomBytes)];
    expect(one.equals(two)).toBe(false);
  });

  test("is the same for all who need it first at the same time", async () => {
    const store = await openTestStore();
    const loaded = await Promise.all(Array.from({ length: 10 }, () => loadSecret(store, "one", randomBytes)));
    expect(new Set(loaded.map((secret) => secret.toString("hex"))).size).toBe(1);
    expect(loaded[0]).toHaveLength(32);
  });
});
