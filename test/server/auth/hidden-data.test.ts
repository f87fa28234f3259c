import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createApiToken } from "../../../server/auth/api-token.ts";
import { saveApiToken } from "../../../server/auth/api-tokens.ts";
import { findHiddenData } from "../../../server/auth/hidden-data.ts";
import { sessionKey, stateKey, taskKey, tunedKey } from "../../../server/store/keys.ts";
import type { Store } from "../../../server/store/store.ts";
import { openTestStore } from "../../helpers/store.ts";

async function fill(store: Store, tenant: string) {
  const keys = [
    stateKey(tenant, "desk", "1", ["seats"]),
    sessionKey(tenant, "c0", "c1"),
    tunedKey(tenant, "c1"),
    taskKey(tenant, "work", "t1"),
  ];
  await store.commit({ set: keys.map((key) => ({ key, value: 1 })) });
}

async function makeToken(store: Store, tenant: string) {
  const grant = { name: "", tenant, actor: "ci", roles: [], scopes: [] };
  await saveApiToken(store, createApiToken(grant, randomBytes, 0).record, () => ({ set: [], append: [] }));
}

describe("data that no token leads to", () => {
  test("is none in a new store, and none where only other tenants have data", async () => {
    const store = await openTestStore();
    expect(await findHiddenData(store)).toBeUndefined();
    await fill(store, "acme");
    await fill(store, "locals");
    expect(await findHiddenData(store)).toBeUndefined();
  });

  test("is what callers without a token stored, until a token of their tenant is made", async () => {
    const store = await openTestStore();
    await fill(store, "local");
    await makeToken(store, "acme");
    expect(await findHiddenData(store)).toBe(
      "The tenant `local` has data of callers without a token, state, sessions, tuning, tasks; only tokens of this tenant see it (`cairn token create --tenant local`).",
    );
    await makeToken(store, "local");
    expect(await findHiddenData(store)).toBeUndefined();
  });

  test("is named by its kinds alone", async () => {
    const store = await openTestStore();
    await store.commit({ set: [{ key: stateKey("local", "desk", "1", ["seats"]), value: 1 }] });
    expect(await findHiddenData(store)).toContain("without a token, state; only");
  });
});
