import { describe, expect, test, vi } from "vitest";
import { createAuthenticate } from "../../../server/auth/authenticate.ts";
import { createInvalidToken, type Verified } from "../../../server/auth/verified.ts";

const CALLER = { tenant: "acme", actor: "ada", roles: ["a"], scopes: new Set(["runner"]) };
const PATH = "/agent/1.0.0/runner";

function create(found: Partial<Verified> = {}) {
  let time = 0;
  const verify = vi.fn(async (token: string): Promise<Verified> => ({
    caller: { ...CALLER, actor: token, scopes: new Set(CALLER.scopes) },
    paths: [""],
    ttl: 1_000,
    ...found,
  }));
  const authenticate = createAuthenticate({ verify, uptime: () => time });
  const ask = (authorization: string | undefined, path = PATH) => authenticate({ authorization, path });
  return { ask, verify, wait: (ms: number) => (time += ms) };
}

const refused = (details: object) => expect.objectContaining({ name: "UNAUTHENTICATED", details });
const MISSING = expect.toSatisfy((error) => error.name === "UNAUTHENTICATED" && error.details === undefined);

describe("createAuthenticate", () => {
  test("verifies a token once, then knows it without waiting", async () => {
    const { ask, verify } = create();
    const caller = await ask("Bearer one");
    expect(caller.actor).toBe("one");
    expect(ask("bearer  one")).toBe(caller);
    expect(verify).toHaveBeenCalledTimes(1);
  });

  test("looks again when the time is up, and keeps the object while it says the same", async () => {
    const { ask, verify, wait } = create();
    const caller = await ask("Bearer one");
    wait(999);
    expect(ask("Bearer one")).toBe(caller);
    wait(1);
    const again = ask("Bearer one");
    expect(again).toBeInstanceOf(Promise);
    expect(await again).toBe(caller);
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test("takes up at once what changed about a token", async () => {
    const { ask, verify, wait } = create();
    await ask("Bearer one");
    wait(1_000);
    verify.mockResolvedValueOnce({ caller: { ...CALLER, roles: [] }, paths: [""], ttl: 1_000 });
    expect((await ask("Bearer one")).roles).toEqual([]);
    wait(1_000);
    verify.mockRejectedValueOnce(createInvalidToken("The token was revoked."));
    await expect(ask("Bearer one")).rejects.toEqual(refused({ error: "invalid_token" }));
  });

  test("verifies once for all who wait, and counts the time from the beginning", async () => {
    const { ask, verify, wait } = create();
    const { promise, resolve } = Promise.withResolvers<Verified>();
    verify.mockReturnValueOnce(promise);
    const asking = [ask("Bearer one"), ask("Bearer one")];
    wait(600);
    resolve({ caller: CALLER, paths: [""], ttl: 1_000 });
    expect(await Promise.all(asking)).toEqual([CALLER, CALLER]);
    expect(verify).toHaveBeenCalledTimes(1);
    wait(400);
    expect(ask("Bearer one")).toBeInstanceOf(Promise);
  });

  test("looks where a token is good each time, known or not", async () => {
    const { ask } = create({ paths: ["/agent/1.0.0/runner"] });
    await expect(ask("Bearer one", "/agent/1.0.0/tuner")).rejects.toEqual(refused({ error: "invalid_token" }));
    expect(await ask("Bearer one")).toMatchObject({ actor: "one" });
    expect(() => ask("Bearer one", "/versions")).toThrow(refused({ error: "invalid_token" }));
  });

  test.each([undefined, "", "Basic YTpi", "Bearers x", "cairn_x"])("%j is no token at all", (header) => {
    expect(() => create().ask(header)).toThrow(MISSING);
  });

  test.each([
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Bearer a,b",
    "Bearer \u00e4",
    "Bearer a\tb",
    `Bearer ${"a".repeat(9_000)}`,
  ])("%j is no token of its form", (header) => {
    const { ask, verify } = create();
    expect(() => ask(header)).toThrow(refused({ error: "invalid_token" }));
    expect(verify).not.toHaveBeenCalled();
  });
});
