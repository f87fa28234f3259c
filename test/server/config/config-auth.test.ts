import { describe, expect, test } from "vitest";
import { readConfig } from "../../../server/config/config.ts";

const OAUTH = {
  CAIRN_PUBLIC_URL: "https://cairn.example.com/",
  CAIRN_OAUTH_ISSUER: "https://login.example.com/realms/a",
};

function readAuth(environment: Record<string, string>) {
  const result = readConfig(environment);
  return result.ok ? result.config.auth : result.problems;
}

describe("readAuthConfig", () => {
  test("reads every variable", () => {
    expect(
      readAuth({
        ...OAUTH,
        CAIRN_AUTH: "tokens",
        CAIRN_PUBLIC_VERSIONS: "true",
        CAIRN_OAUTH_JWKS_URI: "https://login.example.com/keys",
        CAIRN_OAUTH_TENANT_CLAIM: "org",
        CAIRN_OAUTH_ROLES_CLAIM: "realm_access.roles",
        CAIRN_OAUTH_ADMIN_ROLE: "cairn-admin",
        CAIRN_OAUTH_INTROSPECTION_URL: "https://login.example.com/introspect",
        CAIRN_OAUTH_CLIENT_ID: "cairn",
        CAIRN_OAUTH_CLIENT_SECRET: "env:THE_SECRET",
        THE_SECRET: "s",
      }),
    ).toEqual({
      mode: "tokens",
      publicVersions: true,
      oauth: {
        issuer: "https://login.example.com/realms/a",
        origin: "https://cairn.example.com",
        jwksUri: "https://login.example.com/keys",
        tenantClaim: "org",
        rolesClaim: "realm_access.roles",
        adminRole: "cairn-admin",
        introspection: { url: "https://login.example.com/introspect", clientId: "cairn", secret: { value: "s" } },
      },
    });
  });

  test("needs little for an issuer", () => {
    expect(readAuth({ ...OAUTH, CAIRN_OAUTH_TENANT: "acme" })).toMatchObject({
      mode: "auto",
      oauth: { tenant: "acme", tenantClaim: "tenant", rolesClaim: "roles" },
    });
  });

  test("takes requests that are addressed to the public URL", () => {
    const result = readConfig({ CAIRN_PUBLIC_URL: "https://cairn.example.com:8443" });
    expect(result.ok && result.config.allowedHosts).toEqual(["cairn.example.com"]);
  });

  test.each([
    [
      { ...OAUTH, CAIRN_OAUTH_LOGIN_SCOPES: "runner" },
      "CAIRN_OAUTH_LOGIN_SCOPES is set but CAIRN_OAUTH_LOGIN_CLIENT_ID is not; it says as which client",
    ],
    [
      { ...OAUTH, CAIRN_OAUTH_LOGIN_CLIENT_ID: "console", CAIRN_OAUTH_LOGIN_CLIENT_SECRET: "plain" },
      "CAIRN_OAUTH_LOGIN_CLIENT_SECRET must be `env:NAME` or `file:/path`: a reference to the secret, not the secret",
    ],
    [
      { ...OAUTH, CAIRN_OAUTH_LOGIN_CLIENT_ID: "console", CAIRN_OAUTH_LOGIN_SCOPES: "runner,tuner" },
      "CAIRN_OAUTH_LOGIN_SCOPES is `runner,tuner`; `runner,tuner` is no scope; spaces stand between scopes",
    ],
    [
      { CAIRN_OAUTH_TENANT: "acme" },
      "CAIRN_OAUTH_TENANT is set but CAIRN_OAUTH_ISSUER is not; it says whose tokens to take",
    ],
    [
      { CAIRN_OAUTH_ISSUER: "https://login.example.com" },
      "CAIRN_OAUTH_ISSUER is set but CAIRN_PUBLIC_URL is not; it says what tokens must be meant for",
    ],
    [
      { ...OAUTH, CAIRN_OAUTH_ISSUER: "http://login.example.com" },
      "CAIRN_OAUTH_ISSUER is `http://login.example.com`; it must be an https URL without query or fragment (http only for this machine)",
    ],
    [
      { ...OAUTH, CAIRN_PUBLIC_URL: "https://cairn.example.com/base" },
      "CAIRN_PUBLIC_URL is `https://cairn.example.com/base`; it must be https, without a path (http only for this machine)",
    ],
    [
      { ...OAUTH, CAIRN_OAUTH_TENANT: "acme", CAIRN_OAUTH_TENANT_CLAIM: "org" },
      "CAIRN_OAUTH_TENANT_CLAIM is `org`; it must not be set besides CAIRN_OAUTH_TENANT, which leaves it no meaning",
    ],
    [
      { ...OAUTH, CAIRN_OAUTH_INTROSPECTION_URL: "https://login.example.com/introspect" },
      "CAIRN_OAUTH_INTROSPECTION_URL needs CAIRN_OAUTH_CLIENT_ID and CAIRN_OAUTH_CLIENT_SECRET",
    ],
    [
      {
        ...OAUTH,
        CAIRN_OAUTH_INTROSPECTION_URL: "https://login.example.com/introspect",
        CAIRN_OAUTH_CLIENT_ID: "cairn",
        CAIRN_OAUTH_CLIENT_SECRET: "env:NOT_SET",
      },
      "CAIRN_OAUTH_CLIENT_SECRET names the environment variable `NOT_SET`, which is not set",
    ],
    [{ CAIRN_AUTH: "none" }, "CAIRN_AUTH is `none`; it must be one of auto, tokens"],
  ])("refuses %j", (environment, problem) => {
    expect(readAuth(environment)).toEqual([problem]);
  });

  test("never repeats a secret that stands where its reference should", () => {
    const problems = readAuth({
      ...OAUTH,
      CAIRN_OAUTH_INTROSPECTION_URL: "https://login.example.com/introspect",
      CAIRN_OAUTH_CLIENT_ID: "cairn",
      CAIRN_OAUTH_CLIENT_SECRET: "planted-secret",
    });
    expect(problems).toEqual([
      "CAIRN_OAUTH_CLIENT_SECRET must be `env:NAME` or `file:/path`: a reference to the secret, not the secret",
    ]);
  });
});
