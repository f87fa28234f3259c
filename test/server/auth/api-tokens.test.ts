import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createApiToken, type TokenGrant } from "../../../server/auth/api-token.ts";
import {
  createVerifyApiToken,
  hasApiTokens,
  listApiTokens,
  revokeApiToken,
  saveApiToken,
} from "../../../server/auth/api-tokens.ts";
import { tokenKey } from "../../../server/store/keys.ts";
import type { Store } from "../../../server/store/store.ts";
import { openTestStore } from "../../helpers/store.ts";

const noNote = () => ({ set: [], append: [] });

const GRANT = { name: "", tenant: "acme", actor: "ci", roles: ["deployer"], scopes: ["runner"] };

async function make(store: Store, grant: Partial<TokenGrant> = {}, now = 0) {
  const made = createApiToken({ ...GRANT, ...grant }, randomBytes, now);
  await saveApiToken(store, made.record, noNote);
  return made;
}

const refusal = (message: string) =>
  expect.objectContaining({ name: "UNAUTHENTICATED", message, details: { error: "invalid_token" } });
const UNKNOWN = refusal("The token is not known here.");

describe("createVerifyApiToken", () => {
  test("knows a token's caller everywhere, for a second", async () => {
    const store = await openTestStore();
    const { token } = await make(store);
    expect(await createVerifyApiToken(store, () => 0)(token)).toEqual({
      caller: { tenant: "acme", actor: "ci", roles: ["deployer"], scopes: new Set(["runner"]) },
      paths: [""],
      ttl: 1_000,
    });
  });

  test("refuses one that has expired, and looks again when one does", async () => {
    const store = await openTestStore();
    const { token } = await make(store, { expiresAt: 5_000 });
    expect(await createVerifyApiToken(store, () => 4_400)(token)).toMatchObject({ ttl: 600 });
    await expect(createVerifyApiToken(store, () => 5_000)(token)).rejects.toEqual(refusal("The token has expired."));
  });

  test("refuses one that was revoked", async () => {
    const store = await openTestStore();
    const { token, record } = await make(store);
    expect(await revokeApiToken(store, record.id, 7, noNote)).toMatchObject({ revokedAt: 7 });
    expect(await revokeApiToken(store, token, 8, noNote)).toMatchObject({ revokedAt: 7 });
    await expect(createVerifyApiToken(store, () => 8)(token)).rejects.toEqual(refusal("The token was revoked."));
  });

  test("answers an unknown id, a wrong secret and a wrong form alike", async () => {
    const store = await openTestStore();
    const verify = createVerifyApiToken(store, () => 0);
    const { token } = await make(store);
    const { token: stranger } = createApiToken(GRANT, randomBytes, 0);
    await expect(verify(stranger)).rejects.toEqual(UNKNOWN);
    await expect(verify(token.slice(0, 23) + stranger.slice(23))).rejects.toEqual(UNKNOWN);
    await expect(verify("cairn_")).rejects.toEqual(UNKNOWN);
  });

  test("lets nobody in by a record that it cannot understand", async () => {
    const store = await openTestStore();
    const { token, record } = await make(store);
    await store.commit({ set: [{ key: tokenKey(record.id), value: { ...record, schemaVersion: 2 } }] });
    await expect(createVerifyApiToken(store, () => 0)(token)).rejects.toMatchObject({ name: "INTERNAL_ERROR" });
  });
});

test("records stay when tokens are revoked, so that authentication stays on", async () => {
  const store = await openTestStore();
  expect(await hasApiTokens(store)).toBe(false);
  const { record } = await make(store);
  await revokeApiToken(store, record.id, 1, noNote);
  expect(await hasApiTokens(store)).toBe(true);
});

test("lists the newest first, and does not repeat what it does not know", async () => {
  const store = await openTestStore();
  const one = await make(store, {}, 1);
  const two = await make(store, {}, 2);
  expect((await listApiTokens(store)).map(({ id }) => id)).toEqual([two.record.id, one.record.id]);
  await expect(revokeApiToken(store, "my-password", 0, noNote)).rejects.toMatchObject({
    name: "NOT_FOUND",
    message: expect.not.stringContaining("my-password"),
  });
  await expect(saveApiToken(store, one.record, noNote)).rejects.toMatchObject({ name: "CONFLICT" });
});
