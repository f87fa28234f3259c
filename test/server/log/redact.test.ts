import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, MASK, SHAPES_ONLY } from "../../../server/log/redact.ts";
import { expectQuick } from "../../helpers/expect-quick.ts";

const KEY = "PRIVATE KEY";
const { text, json } = SHAPES_ONLY;

describe("what has the form of a credential", () => {
  test.each([
    ["a bearer token", `Bearer ${"a1b2".repeat(5)}`],
    ["a JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"],
    ["a token of Cairn", `cairn_pat_${"Zx9Yw8".repeat(4)}`],
    ["a key of AWS", `AKIA${"ABCD1234".repeat(2)}`],
    ["a token of GitHub", `ghp_${"a1B2".repeat(9)}`],
    ["a key as OpenAI writes it", `sk-proj-${"a1B2".repeat(9)}`],
    ["a private key", `-----BEGIN RSA ${KEY}-----\nMIIE/+=\n-----END RSA ${KEY}-----`],
    [
      "a private key as JSON writes it",
      JSON.stringify(`-----BEGIN ${KEY}-----\nMIIE\n-----END ${KEY}-----`).slice(1, -1),
    ],
    ["a private key that was cut off", `-----BEGIN ${KEY}-----\nMIIEvQIB`],
  ])("%s is masked, and what stands around it stays", (_, secret) => {
    const masked = text(`before ${secret} after`);
    expect(masked.startsWith("before ")).toBe(true);
    expect(masked).toContain(MASK);
    expect(masked).not.toContain(secret.slice(-8));
  });

  test.each([
    ["Authorization: Basic dXNlcjpwYXNz", `Authorization: ${MASK}`],
    ["https://someone:pass@host/x", `https://${MASK}@host/x`],
    ["GET /?token=abcdef&x=1", `GET /?token=${MASK}&x=1`],
    ["MY_API_KEY=abcdef next", `MY_API_KEY=${MASK} next`],
    ['{"password":"a b"}', `{"password":"${MASK}"}`],
  ])("%s", (whole, masked) => {
    expect(text(whole)).toBe(masked);
  });

  test("what Cairn itself says is left alone, wherever it says it", () => {
    // What these print for people to copy is no message, and passes no redactor.
    const copied = /^server\/(?:cli\/(?:client\/connect-clients|service\/greet)|versions\/git\/run-remote)\.ts$/;
    const eaten: string[] = [];
    let count = 0;
    for (const file of globSync("{server,tools}/**/*.ts")) {
      const code = readFileSync(file, "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
      for (const [quoted] of code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`/g)) {
        const said = quoted
          .slice(1, -1)
          .replace(/\$\{[^{}]*\}/g, "x")
          .replaceAll("\\`", "`");
        if (!said.includes(" ")) continue;
        count += 1;
        if (text(said) !== said && !copied.test(file)) eaten.push(`${file}: ${text(said)}`);
      }
    }
    expect(count).toBeGreaterThan(2_000);
    expect(eaten).toEqual([]);
  });

  test("ordinary texts, ids and digests are left alone", () => {
    for (const plain of [
      "commit 0996d33ab0996d33ab0996d33ab0996d33ab0996 of version 1.6.0",
      "conversation 01234567-89ab-7000-bfff-ffffffffffff",
      "cairn_tool_call_duration_seconds",
      "There is no tool `x` here; see https://example.com/a@b.",
      "Basic authentication is not offered.",
    ]) {
      expect(text(plain)).toBe(plain);
    }
  });
});

test("members under a secret's name are masked whole, at any depth, and names are looked at too", () => {
  expect(json({ a: [{ Authorization: "x", n: 1 }], password: "p q", [`ghp_${"a".repeat(30)}`]: true })).toEqual({
    a: [{ Authorization: MASK, n: 1 }],
    password: MASK,
    [MASK]: true,
  });
});

test("configured secrets are masked as they are and as JSON writes them; short ones are not looked for", () => {
  const redactor = createRedactor(['se"cret-value', "abc"]);
  expect(redactor.text('x se"cret-value abc')).toBe(`x ${MASK} abc`);
  expect(redactor.text(JSON.stringify('se"cret-value'))).toBe(JSON.stringify(MASK));
});

test("values of one call are masked for that call; short ones only where they stand alone", () => {
  const redactor = SHAPES_ONLY.with(["patient", "7"]);
  expect(redactor.text("patients: 7 of 77")).toBe(`${MASK}s: ${MASK} of 77`);
  expect(redactor.json([7, 77])).toEqual([MASK, 77]);
  expect(SHAPES_ONLY.text("patient 7")).toBe("patient 7");
});

test("a line of JSON stays JSON", () => {
  const piece = fc.constantFrom(
    "Bearer ",
    "a1b2c3d4e5f6g7h8",
    '"',
    "\\",
    "\n",
    "token=",
    "eyJabcd.",
    "://",
    "@",
    ":",
    " ",
  );
  const value = fc.dictionary(
    fc.constantFrom("authorization", "a", "password"),
    fc.array(piece).map((all) => all.join("")),
  );
  fc.assert(fc.property(value, (object) => void JSON.parse(text(JSON.stringify(object)))));
});

test("hostile texts are masked in time linear in their length", async () => {
  const begin = `-----BEGIN ${KEY}-----`;
  for (const part of [
    begin,
    `${begin}-`,
    "eyJ",
    "eyJaaaa.",
    "a://",
    "a://b",
    "cairn_a_",
    "sk-",
    "bearer ",
    "token=",
    "authorization:",
    '"token":"',
    "-----BEGIN ",
    "cookie ",
    " ",
    "_",
  ]) {
    await expectQuick(1500, () => text(part.repeat(1_000_000 / part.length)));
  }
});
