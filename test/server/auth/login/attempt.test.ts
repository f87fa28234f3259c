import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAttempt, readAttempt, toAttemptSecrets, writeAttempt } from "../../../../server/auth/login/attempt.ts";

const begin = (returnTo: string) => createAttempt(returnTo, randomBytes, 1_700_000_000_000);

describe("an attempt to sign in", () => {
  test("survives the way through a cookie, with one state, nonce and verifier, each of them another", () => {
    const attempt = begin("/console/versions?all=false");
    const read = readAttempt(writeAttempt(attempt));
    expect(read).toEqual(attempt);
    expect(read && toAttemptSecrets(read)).toEqual(toAttemptSecrets(attempt));
    expect(new Set(Object.values(toAttemptSecrets(attempt))).size).toBe(4);
    expect(toAttemptSecrets(begin("/"))).not.toEqual(toAttemptSecrets(begin("/")));
  });

  test("has other values when its path or its time is exchanged on the way", () => {
    const attempt = begin("/console/versions");
    const { state } = toAttemptSecrets(attempt);
    expect(toAttemptSecrets({ ...attempt, returnTo: "/console/audit" }).state).not.toBe(state);
    expect(toAttemptSecrets({ ...attempt, startedAt: attempt.startedAt + 1 }).state).not.toBe(state);
  });

  test.each(["", "a", "a.b.c", `${"a".repeat(12)}.${"b".repeat(43)}.`, `a.${"b".repeat(42)}.`])(
    "is not read from `%s`",
    (text) => {
      expect(readAttempt(text)).toBeUndefined();
    },
  );

  test.each([
    ["/console/versions/1.0.0?tool=a#x", "/console/versions/1.0.0?tool=a"],
    ["/console/versions", "/console/versions"],
    ["https://evil.example/console/versions", "/"],
    ["//evil.example/console/versions", "/"],
    ["/\\evil.example/console/versions", "/"],
    ["/console/../../evil", "/"],
    ["/console/..//evil.example", "/"],
    ["/console/%2e%2e//evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/agent/1.0.0/runner", "/"],
    ["/console/login/leave", "/"],
    ["/console/login?return_to=/console/login", "/"],
    [`/console/${"a".repeat(1000)}`, "/"],
    ["http://[", "/"],
  ])("that wants to return to `%s` returns to `%s`", (asked, found) => {
    expect(begin(asked).returnTo).toBe(found);
  });

  test("returns to a path of this origin, whatever was asked for", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `/console/${text}`),
        ),
        (asked) => {
          const { returnTo } = begin(asked);
          expect(returnTo).toMatch(/^\/(?:console\/|$)/);
          expect(new URL(returnTo, "https://cairn.example.com").origin).toBe("https://cairn.example.com");
          expect(returnTo).toMatch(/^[\x21-\x7e]*$/);
        },
      ),
    );
  });
});
