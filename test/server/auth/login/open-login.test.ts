import { describe, expect, test, vi } from "vitest";
import { openLoginBench, ORIGIN, toSession } from "../../../helpers/login-bench.ts";
import type { Wrongs } from "../../../stand-ins/login-provider.ts";

const MINUTE = 60_000;
/** Of the real clock, for a busy machine. */
const PATIENCE = { timeout: 20_000 };
const OVER = { name: "UNAUTHENTICATED" };

describe("signing in with a provider", () => {
  test("gives a session the rights of the access token, no more and no less, and asks for it by PKCE", async () => {
    const { login, provider, ask } = await openLoginBench();
    const { url, kept } = await login.begin("/console/versions?all=false");
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      client_id: "cairn-console",
      redirect_uri: `${ORIGIN}/console/login/callback`,
      response_type: "code",
      scope: "openid versions:read offline_access",
      code_challenge_method: "S256",
      resource: ORIGIN,
    });
    const outcome = await login.finish(new URL(provider.visit(url)).searchParams, kept, undefined);
    expect(outcome.returnTo).toBe("/console/versions?all=false");
    const { form } = provider.requests.find(({ path }) => path === "/token") ?? {};
    expect(Object.fromEntries(form ?? [])).toMatchObject({
      grant_type: "authorization_code",
      redirect_uri: `${ORIGIN}/console/login/callback`,
      resource: ORIGIN,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const [accessToken = ""] = provider.issued;
    const caller = await ask(toSession(outcome));
    expect(caller).toEqual(await ask(accessToken));
    expect(caller).toMatchObject({ tenant: "acme", actor: "ada via cairn-console", roles: ["reader"] });
  });

  test.each<[string, Wrongs, string]>([
    ["an ID token for another attempt (replay)", { idToken: { nonce: "other" } }, "invalid"],
    ["an ID token without a nonce", { idToken: { nonce: undefined } }, "invalid"],
    ["an ID token for another client", { idToken: { aud: "another-app" } }, "invalid"],
    [
      "an ID token for several clients, made for another",
      { idToken: { aud: ["cairn-console", "b"], azp: "b" } },
      "invalid",
    ],
    ["an ID token for this client alone, made for another", { idToken: { azp: "another-app" } }, "invalid"],
    ["an ID token of another issuer", { idToken: { iss: "https://evil.example" } }, "invalid"],
    ["an ID token that has expired", { idToken: { exp: 1_700_000_000 } }, "invalid"],
    ["an ID token without a signature", { signature: "none" }, "invalid"],
    ["an ID token that is signed with the client's secret", { signature: "HS256" }, "invalid"],
    ["an ID token that another key has signed", { signature: "other-key" }, "invalid"],
    ["an answer of another issuer (mix-up)", { answer: { iss: "https://evil.example" } }, "invalid"],
    ["an answer that hides its issuer", { answer: { iss: "" } }, "invalid"],
    ["an answer to another attempt", { answer: { state: "other" } }, "invalid"],
    ["a code that the provider does not know (code injection)", { answer: { code: "stolen" } }, "invalid"],
    ["a reader who says no", { answer: { code: "", error: "access_denied" } }, "denied"],
    ["a request that the provider refuses", { answer: { code: "", error: "invalid_scope" } }, "refused"],
    ["a provider that is overloaded", { answer: { code: "", error: "temporarily_unavailable" } }, "unreachable"],
    ["a client that the provider refuses", { at: { path: "/token", how: "invalid_client" } }, "refused"],
    ["a provider that fails", { at: { path: "/token", how: "down" } }, "unreachable"],
    ["a provider that leads the code elsewhere", { at: { path: "/token", how: "redirect" } }, "unreachable"],
    ["a provider that never answers", { at: { path: "/token", how: "slow" } }, "unreachable"],
    ["a provider without its keys", { at: { path: "/keys", how: "down" } }, "unreachable"],
    ["an access token for another service", { accessToken: { aud: "https://other.example" } }, "token"],
    ["an access token for one MCP server", { accessToken: { aud: `${ORIGIN}/agent/1.0.0/runner` } }, "token"],
    ["an access token of another issuer", { accessToken: { iss: "https://evil.example" } }, "token"],
    ["an access token that has expired", { accessToken: { exp: 1_700_000_000 } }, "token"],
    ["an access token of no tenant", { accessToken: { tenant: undefined } }, "token"],
  ])("signs nobody in by %s", async (_what, wrongs, problem) => {
    const { provider, signIn, lines, store } = await openLoginBench();
    provider.wrongs = wrongs;
    expect(await signIn()).toEqual({ problem, returnTo: "/console/versions" });
    expect(await Array.fromAsync(store.scan({ prefix: ["login-session"] }))).toEqual([]);
    const log = lines.join("");
    expect(log).toContain("signing in with the provider does not work");
    for (const secret of [...provider.issued, "code-", "planted-secret", "\u001b"]) expect(log).not.toContain(secret);
  });

  test("signs nobody in by an answer that was used before, that nothing of is kept, or that is too old", async () => {
    const { login, provider, pass } = await openLoginBench();
    const { url, kept } = await login.begin("/");
    const answer = new URL(provider.visit(url)).searchParams;
    const invalid = { problem: "invalid", returnTo: "/" };
    expect(await login.finish(answer, undefined, undefined)).toEqual(invalid);
    expect(await login.finish(answer, "made.up.text", undefined)).toEqual(invalid);
    expect(provider.requests.filter(({ path }) => path === "/token")).toEqual([]);
    const { kept: other } = await login.begin("/");
    expect(await login.finish(answer, other, undefined)).toEqual(invalid);
    toSession(await login.finish(answer, kept, undefined));
    expect(await login.finish(answer, kept, undefined)).toEqual(invalid);

    const late = await login.begin("/");
    pass(11 * MINUTE);
    expect(await login.finish(new URL(provider.visit(late.url)).searchParams, late.kept, undefined)).toEqual(invalid);
  });

  test.each(["down", "slow", "redirect"] as const)("says at once that a provider is %s", async (how) => {
    const { login, provider } = await openLoginBench();
    provider.wrongs = { at: { path: "/.well-known/openid-configuration", how } };
    await expect(login.begin("/")).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: expect.stringContaining("Example cannot be reached") as string,
    });
    provider.wrongs = {};
    expect((await login.begin("/")).url).toContain(provider.issuer);
  });

  test("does not let made-up answers turn the service against its provider", async () => {
    const { login, provider } = await openLoginBench();
    provider.wrongs = { at: { path: "/token", how: "slow" } };
    const attempts = await Promise.all(Array.from({ length: 40 }, () => login.begin("/")));
    const outcomes = await Promise.all(
      attempts.map(({ url, kept }) => login.finish(new URL(provider.visit(url)).searchParams, kept, undefined)),
    );
    expect(outcomes.filter((one) => "problem" in one && one.problem === "busy")).toHaveLength(8);
    expect(provider.requests.filter(({ path }) => path === "/token").length).toBeLessThanOrEqual(32);
  });
});

describe("a session", () => {
  test("outlives the process, and is worth nothing without the browser's part", async () => {
    const { provider, signIn, store, openAnother } = await openLoginBench();
    const session = toSession(await signIn());
    expect((await (await openAnother()).ask(session)).actor).toBe("ada via cairn-console");
    const kept = JSON.stringify(await Array.fromAsync(store.scan({ prefix: ["login-session"] })));
    for (const clear of [...provider.issued, session, session.slice(-43)]) expect(kept).not.toContain(clear);
  });

  test.each(["cairn_session_x", `cairn_session_${"a".repeat(22)}_${"b".repeat(43)}`])("is none: %s", async (made) => {
    const { ask } = await openLoginBench();
    await expect(ask(made)).rejects.toMatchObject(OVER);
  });

  test("is refreshed before its access token ends, once for all requests and processes, and nobody waits for it", async () => {
    const { provider, signIn, ask, pass, openAnother } = await openLoginBench();
    const session = toSession(await signIn());
    const another = await openAnother();
    pass(9.5 * MINUTE);
    provider.wrongs = { accessToken: { roles: ["editor"] } };
    const asked = await Promise.all([...Array.from({ length: 10 }, () => ask(session)), another.ask(session)]);
    expect(asked.every(({ roles }) => roles[0] === "reader")).toBe(true);
    await vi.waitFor(async () => {
      pass(1_000);
      expect((await ask(session)).roles).toEqual(["editor"]);
    }, PATIENCE);
    expect(provider.issued).toHaveLength(6);
    const refreshes = provider.requests.filter(({ form }) => form.get("grant_type") === "refresh_token");
    expect(refreshes.map(({ form }) => form.get("refresh_token"))).toEqual([provider.issued[1]]);
    expect(refreshes[0]?.form.get("resource")).toBe(ORIGIN);
  });

  test("whose access token has ended is refreshed once for all who ask at once, in whichever process", async () => {
    const { provider, signIn, ask, pass, openAnother } = await openLoginBench();
    const session = toSession(await signIn());
    const another = await openAnother();
    for (const round of [1, 2, 3]) {
      pass(11 * MINUTE);
      const asked = await Promise.all([ask(session), another.ask(session), ask(session), another.ask(session)]);
      expect(asked.map(({ actor }) => actor)).toEqual(Array.from({ length: 4 }, () => "ada via cairn-console"));
      expect(provider.issued).toHaveLength(3 + 3 * round);
    }
  });

  test("ends when the provider refuses to refresh it", async () => {
    const { provider, signIn, ask, pass, store } = await openLoginBench();
    const session = toSession(await signIn());
    provider.wrongs = { at: { path: "/token", how: "invalid_grant" } };
    pass(11 * MINUTE);
    await expect(ask(session)).rejects.toMatchObject(OVER);
    provider.wrongs = {};
    await expect(ask(session)).rejects.toMatchObject(OVER);
    expect(await Array.fromAsync(store.scan({ prefix: ["login-session"] }))).toEqual([]);
  });

  test.each<[string, Wrongs]>([
    ["fails", { at: { path: "/token", how: "down" } }],
    ["answers for another reader", { idToken: { sub: "eve" } }],
    ["answers with an ID token that another key has signed", { signature: "other-key" }],
  ])("goes on while a provider %s, as long as its access token does", async (_what, wrongs) => {
    const { provider, signIn, ask, pass, lines } = await openLoginBench();
    const session = toSession(await signIn());
    provider.wrongs = wrongs;
    pass(9.5 * MINUTE);
    expect((await ask(session)).actor).toBe("ada via cairn-console");
    await vi.waitFor(() => expect(lines.join("")).toContain("refresh"), PATIENCE);
    pass(2 * MINUTE);
    await expect(ask(session)).rejects.toMatchObject({ name: expect.stringMatching(/^UNA/) as string });
  });

  test("comes back as soon as its provider does", async () => {
    const { provider, signIn, ask, pass } = await openLoginBench();
    const session = toSession(await signIn());
    provider.wrongs = { at: { path: "/token", how: "slow" } };
    pass(11 * MINUTE);
    await expect(ask(session)).rejects.toMatchObject({ name: "UNAVAILABLE" });
    provider.wrongs = {};
    expect((await ask(session)).actor).toBe("ada via cairn-console");
  });

  test("ends after twelve hours, however often it was refreshed", async () => {
    const { signIn, ask, pass } = await openLoginBench();
    const session = toSession(await signIn());
    for (let hour = 0; hour < 11; hour++) {
      pass(60 * MINUTE);
      await ask(session);
    }
    pass(61 * MINUTE);
    await expect(ask(session)).rejects.toMatchObject(OVER);
  });

  test("ends with its access token where there is no refresh token", async () => {
    const { provider, login, ask, pass } = await openLoginBench();
    provider.wrongs = { omitsRefreshToken: true };
    const { url, kept } = await login.begin("/");
    const session = toSession(await login.finish(new URL(provider.visit(url)).searchParams, kept, undefined));
    pass(9.5 * MINUTE);
    expect((await ask(session)).tenant).toBe("acme");
    pass(MINUTE);
    await expect(ask(session)).rejects.toMatchObject(OVER);
  });

  test("makes room for the eleventh of one account", async () => {
    const { signIn, ask, pass } = await openLoginBench();
    const sessions: string[] = [];
    for (let count = 0; count < 11; count++) {
      sessions.push(toSession(await signIn()));
      pass(1_000);
    }
    const [first = "", second = ""] = sessions;
    await expect(ask(first)).rejects.toMatchObject(OVER);
    expect((await ask(second)).tenant).toBe("acme");
  });

  test("that is ended is refused within a second, its refresh token is taken back, and the provider can be told who leaves", async () => {
    const { provider, login, signIn, ask, pass, openAnother } = await openLoginBench();
    const session = toSession(await signIn());
    const another = await openAnother();
    await another.ask(session);
    const idToken = await login.end(session);
    expect(idToken).toBe(provider.issued[2]);
    expect(provider.requests.find(({ path }) => path === "/revoke")?.form.get("token")).toBe(provider.issued[1]);
    pass(1_000);
    await expect(ask(session)).rejects.toMatchObject(OVER);
    await expect(another.ask(session)).rejects.toMatchObject(OVER);
    const leave = new URL((await login.leave(idToken)) ?? "");
    expect(leave.origin + leave.pathname).toBe(`${provider.issuer}/leave`);
    expect(Object.fromEntries(leave.searchParams)).toEqual({
      client_id: "cairn-console",
      post_logout_redirect_uri: `${ORIGIN}/`,
      id_token_hint: idToken,
    });
    expect(await login.end(session)).toBeUndefined();
  });

  test("ends here also when the provider does not hear of it", async () => {
    const { provider, login, signIn, ask, pass } = await openLoginBench();
    const session = toSession(await signIn());
    await ask(session);
    provider.wrongs = { at: { path: "/revoke", how: "slow" } };
    await login.end(session);
    pass(1_000);
    await expect(ask(session)).rejects.toMatchObject(OVER);
  });
});
