import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createApiToken, matchesSecret, parseApiToken, readTokenRecord } from "../../../server/auth/api-token.ts";
import { expectSchema } from "../../helpers/schemas.ts";

const GRANT = { name: "CI", tenant: "acme", actor: "ci", roles: ["*"], scopes: ["runner"], expiresAt: 2_000 };

describe("an API token", () => {
  const { token, record } = createApiToken(GRANT, randomBytes, 1_000);

  test("has the form that scanners for secrets can know, and 256 random bits", () => {
    expect(token).toMatch(/^cairn_[0-9a-f]{16}_[\w-]{43}$/);
    expect(Buffer.from(token.slice(23), "base64url")).toHaveLength(32);
  });

  test("is found by its id and matches its record", () => {
    const parsed = parseApiToken(token);
    expect(parsed?.id).toBe(record.id);
    expect(matchesSecret(record, parsed?.secret ?? "")).toBe(true);
  });

  test("leaves a record of the kind that its schema describes, without the secret", () => {
    expectSchema("token-record", record);
    expect(readTokenRecord(record)).toMatchObject({ ...GRANT, createdAt: 1_000 });
    expect(JSON.stringify(record)).not.toContain(token.slice(23));
  });

  test("has a record of its own salt", () => {
    const zeros = (size: number) => new Uint8Array(size);
    let count = 0;
    const counting = (size: number) => (size === 16 ? new Uint8Array(16).fill(++count) : zeros(size));
    const one = createApiToken(GRANT, counting, 0);
    const other = createApiToken(GRANT, counting, 0);
    expect(one.token).toBe(other.token);
    expect(one.record.digest).not.toBe(other.record.digest);
  });

  test("is refused once any character of it is another one", () => {
    const character = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. ");
    fc.assert(
      fc.property(fc.nat(token.length - 1), character, (at, replacement) => {
        fc.pre(token[at] !== replacement);
        const parsed = parseApiToken(token.slice(0, at) + replacement + token.slice(at + 1));
        expect(parsed?.id === record.id && matchesSecret(record, parsed.secret)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});
