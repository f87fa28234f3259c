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

test("tens of thousands of values of one call are masked in as many texts within a second or so", async () => {
  const values = Array.from({ length: 40_000 }, (_, at) => `secret-${at + 10_000}`);
  const others = values.map((value) => value.replace("secret", "plain"));
  const redactor = SHAPES_ONLY.with(values);
  const masked = await expectQuick(1_500, () => redactor.json([...values, ...others]));
  expect(masked).toEqual([...values.map(() => MASK), ...others]);
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

describe("a look before masking", () => {
  const piece = fc.constantFrom(
    ...'Bearer |token|=|:|a1b2c3d4e5f6g7h8|pwd|cookie|eyJabcd.|abcd.|://|@|a|sk-|xoxb-|AKIAABCD1234ABCD1234|_|npm_|"|\\|-----BEGIN |PRIVATE KEY-----'.split(
      "|",
    ),
    " ",
    "\n",
  );
  /** Makes a text long enough to be masked without that look; no form begins with it. */
  const pad = '"'.repeat(1_000);

  test("misses nothing", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((all) => all.join("")),
        (whole) => void expect(pad + text(whole)).toBe(text(pad + whole)),
      ),
      { numRuns: 3_000 },
    );
  });

  test("passes over numbers, whose texts have no such form, unless one of them is to be masked", () => {
    fc.assert(fc.property(fc.double(), (number) => void expect(text(String(number))).toBe(String(number))));
    expect(json([1_234_567, -1.5e300])).toEqual([1_234_567, -1.5e300]);
    const secret = createRedactor(["1234567"]);
    expect(secret.json([1_234_567, 912_345_678, 1_234_568])).toEqual([MASK, MASK, 1_234_568]);
    expect(secret.with(["e+300", "Jo"]).json([-1.5e300, 1_234_567, 8])).toEqual([MASK, MASK, 8]);
  });
});

describe("a value", () => {
  test("is given back itself where nothing in it is masked, and copied as far as needed where something is", () => {
    const plain = { a: [1, { b: "c" }], d: null };
    expect(json(plain)).toBe(plain);
    const mixed = { first: plain, list: [1, "token=abcdef", plain], last: true };
    const copy = json(mixed);
    expect(copy).toEqual({ first: plain, list: [1, `token=${MASK}`, plain], last: true });
    expect(copy.first).toBe(plain);
    expect(mixed.list[1]).toBe("token=abcdef");
  });

  test("that nests is looked at once at each level", async () => {
    let nested: unknown = "token=abcdef";
    for (let depth = 0; depth < 90; depth += 1) nested = depth % 2 === 0 ? { nested } : [nested];
    expect(JSON.stringify(await expectQuick(100, () => json(nested)))).toContain(MASK);
  });

  test.each([
    ["members", Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`k${at.toString(16)}`, 1]))],
    ["numbers", Array.from({ length: 450_000 }, () => 1)],
    ["objects", Array.from({ length: 300_000 }, () => ({}))],
    ["texts with signs", Array.from({ length: 70_000 }, () => "a- :_.=b@")],
  ])("of a megabyte of %s takes no longer than reading it did", async (_, value) => {
    expect(await expectQuick(150, () => json(value))).toBe(value);
  });
});
