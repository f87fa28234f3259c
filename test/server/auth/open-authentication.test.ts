import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createApiToken } from "../../../server/auth/api-token.ts";
import { revokeApiToken, saveApiToken } from "../../../server/auth/api-tokens.ts";
import { LOCAL_CALLER } from "../../../server/auth/caller.ts";
import { openAuthentication, openUntilToken } from "../../../server/auth/open-authentication.ts";
import type { AuthConfig, OAuthConfig } from "../../../server/config/config-auth.ts";
import { createLog } from "../../../server/log/log.ts";
import { eventually } from "../../helpers/eventually.ts";
import { openTestStore } from "../../helpers/store.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";
import { type Issuer, startIssuer, type Trouble } from "../../stand-ins/issuer.ts";

const noNote = () => ({ set: [], append: [] });

const ORIGIN = "https://cairn.example.com";
const PATH = "/agent/1.0.0/runner";
const MINUTE = 60_000;
/** An issuer that never answers need not be waited for as long as others. */
const PATIENCE: Partial<Record<Trouble, number>> = { slow: 250 };
/** Milliseconds that dozens of requests at once may take to reach an issuer that answers none of them. */
const FLOOD_PATIENCE = 1_500;

interface Options {
  readonly mode?: AuthConfig["mode"];
  readonly oauth?: Partial<OAuthConfig>;
  readonly issuer?: Issuer;
  /** Milliseconds of the real clock that the issuer is waited for. */
  readonly patience?: number | undefined;
}

async function open({ mode = "auto", oauth = {}, issuer, patience = 10_000 }: Options = {}) {
  let time = 1_700_000_000_000;
  const now = () => time;
  const store = await openTestStore();
  const lines: string[] = [];
  const rules = { tenantClaim: "tenant", rolesClaim: "roles" };
  const { authenticate, isOpen } = await openAuthentication({
    config: {
      mode,
      publicVersions: false,
      ...(issuer === undefined ? {} : { oauth: { issuer: issuer.url, origin: ORIGIN, ...rules, ...oauth } }),
    },
    store,
    randomBytes,
    fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(patience) }),
    now,
    uptime: now,
    log: createLog("debug", { write: (line) => void lines.push(line) }),
  });
  const ask = async (token: string | undefined, address = "192.0.2.1") =>
    authenticate({ authorization: token === undefined ? undefined : `Bearer ${token}`, path: PATH, address });
  const claims = () => ({ iss: issuer?.url, aud: ORIGIN, sub: "ada", tenant: "acme", exp: time / 1000 + 86_400 * 3 });
  const make = async () => {
    const grant = { name: "", tenant: "acme", actor: "ci", roles: [], scopes: [] };
    const { token, record } = createApiToken(grant, randomBytes, time);
    await saveApiToken(store, record, noNote);
    return { token, id: record.id };
  };
  const revoke = (id: string) => revokeApiToken(store, id, time, noNote);
  return { ask, isOpen, claims, lines, make, revoke, wait: (ms: number) => void (time += ms) };
}

async function useIssuer(): Promise<Issuer> {
  const issuer = await startIssuer();
  onTestFinished(() => issuer.close());
  return issuer;
}

const refused = expect.objectContaining({ name: "UNAUTHENTICATED" });
const unavailable = expect.objectContaining({ name: "UNAVAILABLE" });

describe("without an issuer", () => {
  test("everybody is let in until there is a token, then only who has one", async () => {
    const { ask, isOpen, make, wait } = await open();
    expect(isOpen).toBe(true);
    expect(await ask(undefined)).toBe(LOCAL_CALLER);
    const { token } = await make();
    wait(1_000);
    await expect(ask(undefined)).rejects.toEqual(refused);
    expect(await ask(token)).toMatchObject({ tenant: "acme", actor: "ci" });
  });

  test("`tokens` shuts everybody out before there is one", async () => {
    const { ask, isOpen } = await open({ mode: "tokens" });
    expect(isOpen).toBe(false);
    await expect(ask(undefined)).rejects.toEqual(refused);
    await expect(ask("anything")).rejects.toEqual(refused);
  });

  test("a revoked token is refused within a second", async () => {
    const { ask, make, revoke, wait } = await open({ mode: "tokens" });
    const { token, id } = await make();
    expect(await ask(token)).toMatchObject({ actor: "ci" });
    await revoke(id);
    wait(1_000);
    await expect(ask(token)).rejects.toMatchObject({ message: "The token was revoked." });
  });
});

describe("signed tokens", () => {
  test("are taken with keys that the issuer's metadata leads to", async () => {
    const issuer = await useIssuer();
    const { ask, claims, isOpen } = await open({ issuer });
    expect(isOpen).toBe(false);
    expect(await ask(await issuer.sign(claims()))).toMatchObject({ tenant: "acme", actor: "ada" });
    expect(issuer.requests.map(({ path }) => path)).toEqual([
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
      "/keys",
    ]);
    expect(await ask(await issuer.sign({ ...claims(), sub: "bob" }))).toMatchObject({ actor: "bob" });
    expect(issuer.requests).toHaveLength(3);
  });

  test("are taken after the issuer took a new key, which is looked for once in ten seconds", async () => {
    const issuer = await useIssuer();
    const { ask, claims, wait } = await open({ issuer, oauth: { jwksUri: `${issuer.url}/keys` } });
    const old = await issuer.sign(claims());
    await ask(old);
    await issuer.rotate();
    const token = await issuer.sign(claims());
    await expect(ask(token)).rejects.toEqual(refused);
    expect(issuer.requests).toHaveLength(1);
    wait(10_000);
    expect(await ask(token)).toMatchObject({ actor: "ada" });
    expect(issuer.requests).toHaveLength(2);
    // The withdrawn key goes on for a minute with tokens that were verified with it, and no longer.
    wait(MINUTE);
    await expect(ask(old)).rejects.toEqual(refused);
  });

  test("are refused eleven minutes after their key was withdrawn, even if nobody asked meanwhile", async () => {
    const issuer = await useIssuer();
    const { ask, claims, wait } = await open({ issuer });
    const token = await issuer.sign(claims());
    await ask(token);
    await issuer.rotate();
    wait(11 * MINUTE);
    await expect(ask(token)).rejects.toEqual(refused);
  });

  test("are refused when their key was withdrawn while nobody asked, also by the second of two at once", async () => {
    const issuer = await useIssuer();
    const { ask, claims, wait } = await open({ issuer });
    const tokens = [await issuer.sign(claims()), await issuer.sign({ ...claims(), sub: "bob" })];
    for (const token of tokens) await ask(token);
    await issuer.rotate();
    wait(11 * MINUTE);
    for (const result of await Promise.allSettled(tokens.map((token) => ask(token)))) {
      expect(result).toMatchObject({ status: "rejected", reason: refused });
    }
  });

  test("with a known key do not wait for an issuer that hangs", async () => {
    const issuer = await useIssuer();
    const { ask, claims, wait } = await open({ issuer, patience: 300_000 });
    const token = await issuer.sign(claims());
    await ask(token);
    issuer.misbehave("slow");
    for (let minute = 6; minute < 30; minute += 1) {
      wait(minute === 6 ? 6 * MINUTE : MINUTE);
      expect(await ask(token)).toMatchObject({ actor: "ada" });
    }
    expect(issuer.requests).toHaveLength(4);
  });

  test("with a known key wait a second at most for an issuer that hangs when nobody has asked for long", async () => {
    const issuer = await useIssuer();
    const { ask, claims, wait } = await open({ issuer, patience: 300_000 });
    const tokens = await Promise.all(["ada", "bob"].map((sub) => issuer.sign({ ...claims(), sub })));
    for (const token of tokens) await ask(token);
    issuer.misbehave("slow");
    wait(60 * MINUTE);
    expect(await Promise.all(tokens.map((token) => ask(token)))).toMatchObject([{ actor: "ada" }, { actor: "bob" }]);
  });

  test("go on with the keys at hand for a day when the issuer is gone, then wait for it", async () => {
    const issuer = await useIssuer();
    const { ask, claims, wait } = await open({ issuer });
    const token = await issuer.sign(claims());
    await ask(token);
    issuer.misbehave("down");
    wait(11 * MINUTE);
    expect(await ask(token)).toMatchObject({ actor: "ada" });
    wait(24 * 60 * MINUTE);
    await expect(ask(token)).rejects.toEqual(unavailable);
    issuer.misbehave(undefined);
    wait(10_000);
    expect(await ask(token)).toMatchObject({ actor: "ada" });
  });

  test.each<[Trouble, string]>([
    ["down", "/"],
    ["slow", "/"],
    ["slow", "/keys"],
    ["redirect", "/keys"],
    ["huge", "/keys"],
    ["no-json", "/keys"],
    ["no-object", "/keys"],
    ["other-issuer", "/.well-known"],
    ["other-issuer", "/keys"],
  ])(
    "are answered with UNAVAILABLE when the issuer is %s at %s, and it is not asked again at once",
    async (how, at) => {
      const issuer = await useIssuer();
      issuer.misbehave(how, at);
      const { ask, claims, lines, wait } = await open({ issuer, patience: PATIENCE[how] });
      const token = await issuer.sign(claims());
      await expect(ask(token)).rejects.toEqual(unavailable);
      const { length } = issuer.requests;
      await expect(ask(token)).rejects.toEqual(unavailable);
      expect(issuer.requests).toHaveLength(length);
      issuer.misbehave(undefined);
      wait(10_000);
      expect(await ask(token)).toMatchObject({ actor: "ada" });
      expect(lines.join("")).not.toContain("planted-secret");
      expect(lines.join("")).not.toContain(token.split(".")[2]);
    },
  );

  test("nobody who is no issuer is asked about anything else", async () => {
    const issuer = await useIssuer();
    const { ask, make } = await open({ issuer });
    await expect(ask("opaque")).rejects.toEqual(refused);
    const { token } = await make();
    expect(await ask(token)).toMatchObject({ actor: "ci" });
    expect(issuer.requests).toEqual([]);
  });
});

describe("tokens that only the issuer can read", () => {
  const introspection = (issuer: Issuer) => ({
    introspection: { url: `${issuer.url}/introspect`, clientId: "ca:irn", secret: { value: "s e&cret" } },
  });

  async function openAsking(how?: Trouble, patience = how && PATIENCE[how]) {
    const issuer = await useIssuer();
    const opened = await open({ issuer, oauth: introspection(issuer), patience });
    issuer.introspect = (token) => ({ active: token.startsWith("good"), ...opened.claims(), token_type: "Bearer" });
    return { issuer, ...opened };
  }

  test("are asked about with the client's credentials, and again after ten seconds", async () => {
    const { issuer, ask, wait } = await openAsking();
    expect(await ask("good")).toMatchObject({ tenant: "acme", actor: "ada" });
    expect(issuer.requests).toEqual([
      {
        path: "/introspect",
        body: "token=good&token_type_hint=access_token",
        // RFC 6749 §2.3.1: each part is form-encoded.
        authorization: `Basic ${Buffer.from("ca%3Airn:s+e%26cret").toString("base64")}`,
      },
    ]);
    wait(9_999);
    await ask("good");
    expect(issuer.requests).toHaveLength(1);
    issuer.introspect = () => ({ active: false });
    wait(1);
    await expect(ask("good")).rejects.toEqual(refused);
  });

  test("that are not active are not asked about again for a minute", async () => {
    const { issuer, ask, wait } = await openAsking();
    await expect(ask("bad")).rejects.toEqual(refused);
    await expect(ask("bad")).rejects.toEqual(refused);
    expect(issuer.requests).toHaveLength(1);
    wait(MINUTE);
    await expect(ask("bad")).rejects.toEqual(refused);
    expect(issuer.requests).toHaveLength(2);
  });

  test.each([
    ["active in words", { active: "true" }],
    ["another issuer's", { iss: "https://evil.example" }],
    ["for another service", { aud: "https://other.example.com" }],
    ["for nobody in particular", { aud: undefined }],
    ["expired all the same", { exp: 1_600_000_000 }],
    ["not valid yet", { nbf: 1_800_000_000 }],
    ["of no time at all", { exp: "soon" }],
    ["no Bearer token", { token_type: "DPoP" }],
    ["bound to a key", { cnf: { jkt: "x" } }],
  ])("are refused when they are %s", async (_, change) => {
    const { issuer, ask, claims } = await openAsking();
    issuer.introspect = () => ({ active: true, ...claims(), ...change });
    await expect(ask("good")).rejects.toEqual(refused);
  });

  test.each<Trouble>(["down", "slow", "redirect", "huge", "no-json", "no-object"])(
    "are answered with UNAVAILABLE when the issuer is %s",
    async (how) => {
      const { issuer, ask, lines } = await openAsking(how);
      issuer.misbehave(how);
      await expect(ask("good-planted-token")).rejects.toEqual(unavailable);
      issuer.misbehave(undefined);
      expect(await ask("good-planted-token")).toMatchObject({ actor: "ada" });
      for (const secret of ["planted", "s e&cret", "s+e%26cret"]) expect(lines.join("")).not.toContain(secret);
    },
  );

  test("never are API tokens, which the issuer is not shown", async () => {
    const { issuer, ask, make } = await openAsking();
    await expect(ask(`cairn_${"0".repeat(16)}_${"A".repeat(43)}`)).rejects.toEqual(refused);
    const { token } = await make();
    await ask(token);
    expect(issuer.requests).toEqual([]);
  });

  /** Has 80 made-up tokens asked about at once, of an issuer that answers nothing; the number of those refused at once. */
  async function flood({ ask, issuer }: Awaited<ReturnType<typeof openAsking>>, from: (at: number) => string) {
    issuer.misbehave("slow");
    const answers = await Promise.allSettled(Array.from({ length: 80 }, (_, at) => ask(`made-up-${at}`, from(at))));
    const messages = answers.map((answer) => (answer.status === "rejected" ? String(answer.reason) : ""));
    return messages.filter((message) => message.includes("Too many tokens")).length;
  }

  test.each([
    ["16 for one address", () => "203.0.113.7", 64],
    ["16 for one network of IPv6", (at: number) => `2001:db8:1:2::${at}`, 64],
    ["64 for all addresses", (at: number) => `203.0.113.${at}`, 16],
  ])("are asked about a few at a time: %s", async (_, from, refusedAtOnce) => {
    const opened = await openAsking("slow", FLOOD_PATIENCE);
    expect(await flood(opened, from)).toBe(refusedAtOnce);
    expect(opened.issuer.requests).toHaveLength(80 - refusedAtOnce);
  });

  test.each([
    ["one address makes up tokens, and a new token comes from another", () => "203.0.113.7", "good-new"],
    ["many addresses make up tokens, and the token was active a moment ago", (at: number) => `203.0.113.${at}`, "good"],
  ])("are asked about while %s", async (_, from, token) => {
    const opened = await openAsking("slow", FLOOD_PATIENCE);
    await opened.ask("good");
    opened.wait(10_000);
    const flooded = flood(opened, from);
    await eventually(() => expect(opened.issuer.requests.length).toBeGreaterThan(16));
    opened.issuer.misbehave(undefined);
    expect(await opened.ask(token)).toMatchObject({ actor: "ada" });
    await flooded;
  });

  test("the client's secret may be in a file, which must be there at the start", async () => {
    const issuer = await useIssuer();
    const file = join(await temporaryFolder(), "secret");
    const oauth = { introspection: { ...introspection(issuer).introspection, secret: { file } } };
    await expect(open({ issuer, oauth })).rejects.toEqual(unavailable);
    await writeFile(file, "from-a-file\n");
    const { ask, claims } = await open({ issuer, oauth });
    issuer.introspect = () => ({ active: true, ...claims() });
    await ask("good");
    expect(issuer.requests[0]?.authorization).toBe(`Basic ${Buffer.from("ca%3Airn:from-a-file").toString("base64")}`);
  });
});

describe("a service without tokens", () => {
  const ADA = { tenant: "acme", actor: "ada", roles: [], scopes: new Set<string>() };
  const CREDENTIALS = { authorization: undefined, path: "/" };
  const openWith = (has: boolean) =>
    openUntilToken({ hasTokens: async () => has, authenticate: () => ADA, uptime: () => 0 });

  test("takes a caller by the name that it gives, with the rights of all", async () => {
    const authenticate = openWith(false);
    expect(await authenticate({ ...CREDENTIALS, person: "grace" })).toEqual({ ...LOCAL_CALLER, actor: "grace" });
    expect(await authenticate({ ...CREDENTIALS, person: "linus@home" })).toMatchObject({ actor: "linus@home" });
  });

  test.each(["", "anonymous", "two names", "a, b", "-x", "x".repeat(65), "ü"])(
    "refuses the name %j",
    async (person) => {
      const asked = async () => openWith(false)({ ...CREDENTIALS, person });
      await expect(asked()).rejects.toMatchObject({ name: "BAD_REQUEST" });
    },
  );

  test("gives names no meaning any more once there is a token", async () => {
    expect(await openWith(true)({ ...CREDENTIALS, person: "grace" })).toBe(ADA);
  });

  test("lets everybody in until there is a token, notices within a second, and never opens again", async () => {
    let time = 0;
    const hasTokens = vi.fn(async () => false);
    const authenticate = openUntilToken({ hasTokens, authenticate: () => ADA, uptime: () => time });
    expect(await authenticate(CREDENTIALS)).toBe(LOCAL_CALLER);
    hasTokens.mockResolvedValue(true);
    time = 999;
    expect(authenticate(CREDENTIALS)).toBe(LOCAL_CALLER);
    time = 1_000;
    expect(await authenticate(CREDENTIALS)).toBe(ADA);
    hasTokens.mockResolvedValue(false);
    time = 10_000;
    expect(authenticate(CREDENTIALS)).toBe(ADA);
    expect(hasTokens).toHaveBeenCalledTimes(2);
  });

  test("lets nobody in while it cannot tell", async () => {
    const hasTokens = () => Promise.reject(new Error("the disk failed"));
    const authenticate = openUntilToken({ hasTokens, authenticate: () => ADA, uptime: () => 0 });
    await expect(authenticate(CREDENTIALS)).rejects.toThrow("the disk failed");
  });
});
