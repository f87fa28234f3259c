import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCaller } from "../../../server/auth/claims.ts";

const RULES = { tenantClaim: "tenant", rolesClaim: "roles" };
const CLAIMS = { tenant: "acme", sub: "ada" };

describe("toCaller", () => {
  test("takes tenant, subject, roles and scopes", () => {
    expect(toCaller({ ...CLAIMS, roles: ["tuner"], scope: "runner versions:read" }, RULES)).toEqual({
      tenant: "acme",
      actor: "ada",
      roles: ["tuner"],
      scopes: new Set(["runner", "versions:read"]),
    });
  });

  test.each([
    ["scp as a list", { scp: ["a", "b"] }, { scopes: new Set(["a", "b"]) }],
    ["scp as a text", { scp: "a b" }, { scopes: new Set(["a", "b"]) }],
    ["roles as a text", { roles: "a b" }, { roles: ["a", "b"] }],
    ["no scopes at all", {}, { scopes: new Set() }],
    ["the client that acts for the subject", { client_id: "app" }, { actor: "ada via app" }],
    ["the client as `azp`", { azp: "app" }, { actor: "ada via app" }],
    ["a client on its own", { sub: "app", client_id: "app" }, { actor: "app" }],
    ["a client on its own without a subject", { sub: undefined, client_id: "app" }, { actor: "app" }],
    ["a subject with a space", { sub: "a b" }, { actor: "a%20b" }],
    ["a subject that looks like one with a space", { sub: "a%20b" }, { actor: "a%2520b" }],
    ["a subject with a percent sign", { sub: "100%25 Ada%" }, { actor: "100%25%20Ada%" }],
    ["a subject that looks like another pair", { sub: "ada via app" }, { actor: "ada%20via%20app" }],
  ])("understands %s", (_, claims, expected) => {
    expect(toCaller({ ...CLAIMS, ...claims }, RULES)).toMatchObject(expected);
  });

  test("does not take the scope that stands for all from an issuer", () => {
    expect(toCaller({ ...CLAIMS, scope: "* runner" }, RULES).scopes).toEqual(new Set(["runner"]));
  });

  test("makes two actors of two pairs of subject and client", () => {
    const part = fc.string({ unit: fc.constantFrom(" ", "%", "2", "5", "0", "a"), minLength: 1, maxLength: 12 });
    const pair = fc.record({ sub: part, client_id: fc.option(part, { nil: undefined }) });
    const toText = ({ sub, client_id }: { sub: string; client_id: string | undefined }) =>
      JSON.stringify([sub, client_id === sub ? undefined : client_id]);
    fc.assert(
      fc.property(pair, pair, (one, other) => {
        const same = toCaller({ ...CLAIMS, ...one }, RULES).actor === toCaller({ ...CLAIMS, ...other }, RULES).actor;
        expect(same).toBe(toText(one) === toText(other));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    [{}, ["tuner"]],
    [{ adminRole: "cairn-admin" }, ["tuner"]],
    [{ adminRole: "tuner" }, ["tuner", "*"]],
    [{ adminRole: "*" }, ["tuner", "*"]],
  ])(
    "takes the role that stands for all from an issuer only under the name that the operator gave: %j",
    (more, roles) => {
      expect(toCaller({ ...CLAIMS, roles: ["*", "tuner"] }, { ...RULES, ...more }).roles).toEqual(roles);
    },
  );

  test("finds a claim by its whole name before it looks into objects", () => {
    const rules = { tenantClaim: "https://example.com/tenant", rolesClaim: "realm_access.roles" };
    const claims = { sub: "ada", "https://example.com/tenant": "acme", realm_access: { roles: ["a"] } };
    expect(toCaller(claims, rules)).toMatchObject({ tenant: "acme", roles: ["a"] });
    expect(toCaller({ ...claims, "realm_access.roles": ["b"] }, rules)).toMatchObject({ roles: ["b"] });
  });

  test("takes the one tenant of the issuer, whatever the token says", () => {
    expect(toCaller({ ...CLAIMS, tenant: "other" }, { ...RULES, tenant: "acme" }).tenant).toBe("acme");
  });

  test.each([
    ["no tenant", { tenant: undefined }],
    ["an empty tenant", { tenant: "" }],
    ["a tenant that is no name", { tenant: "a/b" }],
    ["a list of tenants", { tenant: ["acme"] }],
    ["no subject", { sub: undefined }],
    ["a subject with a line break", { sub: "a\nb" }],
    ["a subject with a control character of ISO 6429", { sub: "a\u009b1mb" }],
    ["a subject that turns the direction of text", { sub: "a\u202eb" }],
    ["a subject with a character that nobody sees", { sub: "a\u200bb" }],
    ["a subject that is null, of a client", { sub: null, client_id: "app" }],
    ["a subject that is too long", { sub: "a".repeat(256) }],
    ["roles that are no names", { roles: [1] }],
    ["too many roles", { roles: Array.from({ length: 201 }, (_, at) => `r${at}`) }],
    ["a tenant that every object has", {}, { ...RULES, tenantClaim: "constructor" }],
  ])("refuses %s", (_, claims, rules = RULES) => {
    expect(() => toCaller({ ...CLAIMS, ...claims }, rules)).toThrow(
      expect.objectContaining({ name: "UNAUTHENTICATED", details: { error: "invalid_token" } }),
    );
  });
});
