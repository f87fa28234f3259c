import { expect, test } from "vitest";
import { createApiToken } from "../../../../../server/auth/api-token.ts";
import { revokeApiToken, saveApiToken } from "../../../../../server/auth/api-tokens.ts";
import { createTokensOperation } from "../../../../../server/http/rest/service/tokens.ts";
import { openTestStore } from "../../../../helpers/store.ts";
import { answerOperation } from "./answer-operation.ts";

const NOTHING = () => ({ set: [], append: [] });

/** Opens a store with a token of each of three people, and lists tokens there. */
async function openTokens() {
  const store = await openTestStore();
  const people = [
    ["acme", "ada"],
    ["acme", "bob"],
    ["other", "ada"],
  ] as const;
  for (const [index, [tenant, actor]] of people.entries()) {
    const grant = { name: `of ${actor}`, tenant, actor, roles: ["user"], scopes: ["runner"] };
    const { record } = createApiToken(grant, (count) => new Uint8Array(count).fill(index + 1), 1000 * (index + 1));
    await saveApiToken(store, record, NOTHING);
  }
  await revokeApiToken(store, "02".repeat(8), 5000, NOTHING);
  return async (tenant: string, actor: string, scopes: readonly string[], query = "") => {
    const caller = { tenant, actor, roles: [], scopes: new Set(scopes) };
    return (await answerOperation(createTokensOperation({ store }), caller, query)) as {
      readonly tokens: readonly { readonly actor: string; readonly revoked_at?: string }[];
    };
  };
}

test("callers see their own tokens, readers of the audit log those of their tenant, and nobody others", async () => {
  const list = await openTokens();
  expect((await list("acme", "ada", ["runner"])).tokens.map(({ actor }) => actor)).toEqual(["ada"]);
  const { tokens } = await list("acme", "mia", ["audit:read"]);
  expect(tokens.map(({ actor, revoked_at: at }) => [actor, at])).toEqual([
    ["bob", "1970-01-01T00:00:05.000Z"],
    ["ada", undefined],
  ]);
  expect((await list("acme", "mia", ["runner"])).tokens).toEqual([]);
  expect(await list("acme", "mia", ["*"], "?limit=1")).toMatchObject({ tokens: [{ actor: "bob" }], truncated: true });
});

test("nothing in the list lets anybody use or guess a token", async () => {
  const list = await openTokens();
  expect(JSON.stringify(await list("acme", "mia", ["*"]))).not.toMatch(/salt|digest|cairn_/);
});
