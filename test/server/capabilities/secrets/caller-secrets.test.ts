import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { callerSecretKey, openCallerSecrets } from "../../../../server/capabilities/secrets/caller-secrets.ts";
import { openLmdbStore } from "../../../../server/store/lmdb/lmdb.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const ADA = { tenant: "acme", actor: "ada" };
const BOB = { tenant: "acme", actor: "bob" };
const OTHER = { tenant: "other", actor: "ada" };
const KEY = randomBytes(32).toString("base64");
const NEXT = randomBytes(32).toString("base64url");
const VALUE = "ghs-0123456789-abcdefgh";

async function setUp(key: string | undefined = KEY) {
  const directory = join(await temporaryFolder(), "store");
  const store = await openLmdbStore({ directory, now: Date.now });
  onTestFinished(() => store.admin.close());
  const changes: unknown[] = [];
  const audit = { changed: async (change: unknown) => String(changes.push(change)) };
  const open = (value: string | undefined) =>
    openCallerSecrets({ store, audit, key: value === undefined ? undefined : { value }, randomBytes, now: () => 5 });
  return { directory, store, changes, open, secrets: open(key) };
}

describe("[D12] the secrets that callers set", () => {
  test("are found by their owner alone, listed without values, and gone when they are removed", async () => {
    const { secrets, changes } = await setUp();
    expect(await secrets.set(ADA, "GITHUB", VALUE)).toEqual({ name: "GITHUB", setAt: 5 });
    await secrets.set(ADA, "A", "another-value");
    expect(await secrets.find(ADA, "GITHUB")).toBe(VALUE);
    expect(await secrets.list(ADA)).toEqual([
      { name: "A", setAt: 5 },
      { name: "GITHUB", setAt: 5 },
    ]);
    for (const owner of [BOB, OTHER]) {
      expect(await secrets.find(owner, "GITHUB")).toBeUndefined();
      expect(await secrets.list(owner)).toEqual([]);
      await expect(secrets.remove(owner, "GITHUB")).rejects.toMatchObject({ name: "NOT_FOUND" });
    }
    await secrets.remove(ADA, "GITHUB");
    expect(await secrets.find(ADA, "GITHUB")).toBeUndefined();
    expect(changes).toEqual([
      { change: "secret.set", ...ADA, target: "GITHUB" },
      { change: "secret.set", ...ADA, target: "A" },
      { change: "secret.removed", ...ADA, target: "GITHUB" },
    ]);
  });

  test("are on the disk in no form that shows them", async () => {
    const { secrets, store, directory } = await setUp();
    await secrets.set(ADA, "GITHUB", VALUE);
    await store.admin.close();
    for (const file of await readdir(directory)) {
      const bytes = await readFile(join(directory, file));
      for (const form of [VALUE, Buffer.from(VALUE).toString("base64"), KEY]) expect(bytes.includes(form)).toBe(false);
    }
  });

  test("do not decrypt at the place of another owner, of another name, or when a byte was changed", async () => {
    const { secrets, store } = await setUp();
    await secrets.set(ADA, "GITHUB", VALUE);
    const stored = (await store.get(callerSecretKey(ADA, "GITHUB")))?.value as Record<string, string>;
    const moved = [callerSecretKey(BOB, "GITHUB"), callerSecretKey(ADA, "OTHER")];
    await store.commit({ set: moved.map((key) => ({ key, value: stored })) });
    await expect(secrets.find(BOB, "GITHUB")).rejects.toMatchObject({ name: "UNAVAILABLE" });
    await expect(secrets.find(ADA, "OTHER")).rejects.toMatchObject({ name: "UNAVAILABLE" });
    const sealed = `${stored["sealed"]?.startsWith("A") ? "B" : "A"}${stored["sealed"]?.slice(1)}`;
    await store.commit({ set: [{ key: callerSecretKey(ADA, "GITHUB"), value: { ...stored, sealed } }] });
    await expect(secrets.find(ADA, "GITHUB")).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "The secret `GITHUB` is not as it was stored, and so is not used; set it again.",
    });
  });

  test("have another ciphertext each time that they are set", async () => {
    const { secrets, store } = await setUp();
    const seen = new Set<unknown>();
    for (let at = 0; at < 3; at++) {
      await secrets.set(ADA, "GITHUB", VALUE);
      for await (const { value } of store.scan({ prefix: callerSecretKey(ADA) })) {
        seen.add((value as Record<string, unknown>)["sealed"]);
      }
    }
    expect(seen.size).toBe(3);
  });

  test("outlive a change of keys, as long as the earlier key is listed", async () => {
    const { secrets, open } = await setUp();
    await secrets.set(ADA, "GITHUB", VALUE);
    const both = open(`${NEXT}\n${KEY}`);
    expect(await both.find(ADA, "GITHUB")).toBe(VALUE);
    await both.set(ADA, "STRIPE", VALUE);
    const next = open(NEXT);
    expect(await next.find(ADA, "STRIPE")).toBe(VALUE);
    await expect(next.find(ADA, "GITHUB")).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "The secret `GITHUB` was encrypted with a key that the service has no more; set it again.",
    });
  });

  test.each([
    ["no key", undefined, "The service keeps no secrets of its callers: its operator has to set CAIRN_SECRETS_KEY."],
    [
      "a key that is none",
      "hunter2hunter2",
      "CAIRN_SECRETS_KEY names no key of 32 bytes in base64; make one with `openssl rand -base64 32`.",
    ],
  ])("cannot be set with %s, and the audit has nothing of it", async (_, key, message) => {
    const { open, changes } = await setUp();
    await expect(open(key).set(ADA, "GITHUB", VALUE)).rejects.toMatchObject({ name: "UNAVAILABLE", message });
    expect(changes).toEqual([]);
  });

  test("are at most a hundred of one caller, of which each can be replaced", async () => {
    const { secrets } = await setUp();
    for (let at = 0; at < 100; at++) await secrets.set(ADA, `S${at}`, VALUE);
    await expect(secrets.set(ADA, "MORE", VALUE)).rejects.toMatchObject({ name: "CONFLICT" });
    await secrets.set(ADA, "S7", "another-value");
    expect(await secrets.find(ADA, "S7")).toBe("another-value");
  });
});
