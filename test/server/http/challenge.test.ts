import { expect, test } from "vitest";
import { createInvalidToken } from "../../../server/auth/verified.ts";
import { CairnError } from "../../../server/errors.ts";
import { createChallenge } from "../../../server/http/challenge.ts";

const ORIGIN = "https://cairn.example.com";
const ENDPOINT = { path: "/agent/1.0.0/runner", server: "runner" };
const METADATA = `${ORIGIN}/.well-known/oauth-protected-resource`;
const missing = new CairnError("UNAUTHENTICATED", "A token, please.");
const lacking = new CairnError("INSUFFICIENT_SCOPE", "More.", { details: { scope: "tuner" } });

test.each([
  [missing, undefined, `Bearer realm="cairn", resource_metadata="${METADATA}"`],
  [missing, ENDPOINT, `Bearer realm="cairn", scope="runner", resource_metadata="${METADATA}/agent/1.0.0/runner"`],
  [
    createInvalidToken('It is "wrong".'),
    undefined,
    `Bearer realm="cairn", error="invalid_token", error_description="It is %22wrong%22.", resource_metadata="${METADATA}"`,
  ],
  [
    lacking,
    ENDPOINT,
    `Bearer realm="cairn", error="insufficient_scope", error_description="More.", scope="tuner", resource_metadata="${METADATA}/agent/1.0.0/runner"`,
  ],
  [
    missing,
    { path: '/agent/1"/r\\\u00e4\ud800', server: 'r", x="y' },
    `Bearer realm="cairn", scope="r%22, x=%22y", resource_metadata="${METADATA}/agent/1%22/r%5C%C3%A4"`,
  ],
])("%s at %j is answered with how to be let in", (error, endpoint, expected) => {
  expect(createChallenge(ORIGIN)(error, endpoint)).toEqual(["www-authenticate", expected]);
});

test("without an issuer there is nowhere to lead to", () => {
  expect(createChallenge(undefined)(missing, ENDPOINT)).toEqual([
    "www-authenticate",
    'Bearer realm="cairn", scope="runner"',
  ]);
});

test("other errors have no such answer", () => {
  expect(createChallenge(ORIGIN)(new CairnError("FORBIDDEN", "No."), ENDPOINT)).toEqual([]);
  expect(createChallenge(ORIGIN)(new Error("No."), ENDPOINT)).toEqual([]);
});
