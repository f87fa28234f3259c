import { createHmac } from "node:crypto";
import fc from "fast-check";
import {
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { createVerifyJwt, isJwt } from "../../../server/auth/jwt.ts";
import type { Verify } from "../../../server/auth/verified.ts";

const ISSUER = "https://login.example.com";
const ORIGIN = "https://cairn.example.com";
const NOW = 1_700_000_000;
const CLAIMS: JWTPayload = { iss: ISSUER, aud: ORIGIN, sub: "ada", tenant: "acme", scope: "runner", exp: NOW + 600 };

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let rsa: Keys;
let ec: Keys;
let stranger: Keys;
let verify: Verify;

beforeAll(async () => {
  [rsa, ec, stranger] = await Promise.all([
    generateKeyPair("RS256", { extractable: true }),
    generateKeyPair("ES256", { extractable: true }),
    generateKeyPair("RS256"),
  ]);
  const keys = createLocalJWKSet({
    keys: [
      { ...(await exportJWK(rsa.publicKey)), kid: "rsa", alg: "RS256" },
      { ...(await exportJWK(ec.publicKey)), kid: "ec" },
    ],
  });
  const rules = { tenantClaim: "tenant", rolesClaim: "roles" };
  verify = createVerifyJwt({ issuer: ISSUER, origin: ORIGIN, keys, rules, now: () => NOW * 1000 });
});

const sign = (claims: Readonly<Record<string, unknown>> = CLAIMS, header: object = {}, key = rsa.privateKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "rsa", typ: "at+jwt", ...header }).sign(key);

const refusal = (message: unknown = expect.any(String)) =>
  expect.objectContaining({ name: "UNAUTHENTICATED", message, details: { error: "invalid_token" } });

describe("createVerifyJwt", () => {
  test("takes a token of its issuer, for itself", async () => {
    expect(await verify(await sign())).toEqual({
      caller: { tenant: "acme", actor: "ada", roles: [], scopes: new Set(["runner"]) },
      paths: [""],
      ttl: 60_000,
    });
  });

  test.each([
    { at_hash: "x" },
    { c_hash: "x" },
    { events: { "http://schemas.openid.net/event/backchannel-logout": {} } },
    { typ: "ID" },
    { typ: "Refresh" },
    { token_use: "id" },
  ])("refuses a token that is of another kind by its claims: %j", async (claims) => {
    for (const typ of ["JWT", undefined, "at+jwt"]) {
      await expect(verify(await sign({ ...CLAIMS, ...claims }, { typ }))).rejects.toEqual(refusal());
    }
  });

  test("takes the access tokens of issuers that name their kind", async () => {
    for (const claims of [{ typ: "Bearer" }, { token_use: "access" }, { nonce: "n" }]) {
      expect(await verify(await sign({ ...CLAIMS, ...claims }, { typ: "JWT" }))).toMatchObject({
        caller: { actor: "ada" },
      });
    }
  });

  test.each(["at+jwt", "application/at+jwt", "AT+JWT", "JWT", undefined])("takes the type %s", async (typ) => {
    expect(await verify(await sign(CLAIMS, { typ }))).toMatchObject({ caller: { actor: "ada" } });
  });

  test("takes elliptic curves", async () => {
    expect(await verify(await sign(CLAIMS, { alg: "ES256", kid: "ec" }, ec.privateKey))).toBeDefined();
  });

  test("keeps a token no longer than it is good for, give or take the clocks' difference", async () => {
    expect(await verify(await sign({ ...CLAIMS, exp: NOW + 7 }))).toMatchObject({ ttl: 12_000 });
    expect(await verify(await sign({ ...CLAIMS, exp: NOW - 4 }))).toMatchObject({ ttl: 1_000 });
  });

  test.each<[string, Record<string, unknown>, unknown]>([
    ["has expired", { exp: NOW - 5 }, "The token has expired."],
    ["never ends", { exp: undefined }, "The claim `exp` of the token is missing."],
    ["is not valid yet", { nbf: NOW + 6 }, "The token is not valid yet."],
    ["is of another issuer", { iss: `${ISSUER}/` }, expect.stringContaining("another issuer")],
    ["is of no issuer", { iss: undefined }, expect.any(String)],
    ["is for another service", { aud: "https://other.example.com" }, expect.stringContaining("another service")],
    ["is for nobody", { aud: undefined }, "The claim `aud` of the token is missing."],
    ["is nobody's", { sub: undefined }, "The claim `sub` of the token is missing."],
    ["is no tenant's", { tenant: undefined }, expect.stringContaining("`tenant`")],
    ["is bound to a key", { cnf: { jkt: "x" } }, expect.stringContaining("bound to a key")],
  ])("[abuse 32] refuses one that %s", async (_, claims, message) => {
    await expect(verify(await sign({ ...CLAIMS, ...claims }))).rejects.toEqual(refusal(message));
  });

  test.each([["logout+jwt"], ["dpop+jwt"], ["secevent+jwt"], [5], [null], [["jwt"]], [{}]])(
    "refuses the type %j",
    async (typ) => {
      await expect(verify(await sign(CLAIMS, { typ }))).rejects.toEqual(refusal());
    },
  );

  test("[abuse 32] refuses what its issuer did not sign", async () => {
    const head = (header: object) => Buffer.from(JSON.stringify(header)).toString("base64url");
    const [, payload = "", signature = ""] = (await sign()).split(".");
    const hmac = async (key: string) => {
      const text = `${head({ alg: "HS256", kid: "rsa", typ: "at+jwt" })}.${payload}`;
      return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
    };
    const forged = [
      new UnsecuredJWT(CLAIMS).encode(),
      `${head({ alg: "none" })}.${payload}.${signature}`,
      `${head({ alg: "nOnE", kid: "rsa" })}.${payload}.`,
      await hmac(await exportSPKI(rsa.publicKey)),
      await hmac(JSON.stringify(await exportJWK(rsa.publicKey))),
      await sign(CLAIMS, {}, stranger.privateKey),
      await sign(CLAIMS, { kid: "unknown" }),
      // Keys that the token itself brings or names are nobody's.
      await sign(CLAIMS, { jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey),
      await sign(CLAIMS, { jku: "https://evil.example/keys" }, stranger.privateKey),
      await sign(CLAIMS, { kid: "ec" }),
      `${head({ alg: "RS256", kid: "rsa", crit: ["x"], x: 1 })}.${payload}.${signature}`,
      "e30.e30.",
      "eyJ.eyJ.eyJ",
    ];
    for (const token of forged) await expect(verify(token), token).rejects.toEqual(refusal());
  });

  test("refuses every token once any character of it is another one", async () => {
    const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."];
    const tokens = [await sign(), await sign(CLAIMS, { alg: "ES256", kid: "ec" }, ec.privateKey)];
    const mutation = fc.record({
      token: fc.constantFrom(...tokens),
      place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      replacement: fc.oneof(fc.constantFrom(...alphabet), fc.constant(""), fc.constantFrom("=", "==", " ", "AA")),
    });
    const check = async (mutated: string) => expect(verify(mutated)).rejects.toEqual(refusal());
    // The last character of a signature has bits that mean nothing: every other one there, besides chance.
    for (const token of tokens) {
      for (const last of alphabet) if (!token.endsWith(last)) await check(token.slice(0, -1) + last);
    }
    await fc.assert(
      fc.asyncProperty(mutation, async ({ token, place, replacement }) => {
        const at = Math.floor(place * token.length);
        const mutated = token.slice(0, at) + replacement + token.slice(at + 1);
        fc.pre(mutated !== token);
        await check(mutated);
      }),
      { numRuns: 300 },
    );
  });

  describe("of an issuer with several keys of one kind", () => {
    const make = async (count: number) => {
      const others = await Promise.all(Array.from({ length: count - 1 }, () => generateKeyPair("ES256")));
      const jwks = await Promise.all(
        [...others, ec].map(async ({ publicKey }) => ({ ...(await exportJWK(publicKey)) })),
      );
      const rules = { tenantClaim: "tenant", rolesClaim: "roles" };
      const keys = createLocalJWKSet({ keys: jwks });
      return createVerifyJwt({ issuer: ISSUER, origin: ORIGIN, keys, rules, now: () => NOW * 1000 });
    };
    const unnamed = { alg: "ES256", kid: undefined };

    test("tries each on a token that names none", async () => {
      const verifyWithAny = await make(10);
      expect(await verifyWithAny(await sign(CLAIMS, unnamed, ec.privateKey))).toMatchObject({
        caller: { actor: "ada" },
      });
      const forged = await generateKeyPair("ES256");
      await expect(verifyWithAny(await sign(CLAIMS, unnamed, forged.privateKey))).rejects.toEqual(
        refusal("The token is not well-formed, or not its issuer's."),
      );
      await expect(verifyWithAny(await sign({ ...CLAIMS, exp: NOW - 5 }, unnamed, ec.privateKey))).rejects.toEqual(
        refusal("The token has expired."),
      );
    });

    test("says that a token names none where they are too many to try", async () => {
      const verifyWithAny = await make(11);
      await expect(verifyWithAny(await sign(CLAIMS, unnamed, ec.privateKey))).rejects.toEqual(
        refusal("The token names no key (`kid`), and its issuer has more than 10."),
      );
    });
  });

  test("says nothing of what a token holds", async () => {
    const planted = { ...CLAIMS, secret: "planted-secret", exp: NOW - 60 };
    const token = await sign(planted);
    const error: unknown = await verify(token).catch((caught: unknown) => caught);
    const told = JSON.stringify([error, String(error), (error as Error).cause]);
    for (const part of ["planted-secret", ...token.split(".")]) expect(told).not.toContain(part);
  });
});

test.each([
  ["eyJhbGciOiJSUzI1NiJ9.e30.c2ln", true],
  ["eyJhbGciOiJub25lIn0.e30.", true],
  ["eyopaque", false],
  ["opaque.token.here", false],
  ["eyJ.e30", false],
])("%s is a JWT: %s", (token, expected) => {
  expect(isJwt(token)).toBe(expected);
});
