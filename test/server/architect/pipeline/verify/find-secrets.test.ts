import { describe, expect, test } from "vitest";
import { findSecrets } from "../../../../../server/architect/pipeline/verify/find-secrets.ts";
import { expectQuick } from "../../../../helpers/expect-quick.ts";

// Put together here, so that no one who searches this repository finds what looks like one.
const GITHUB = ["ghp", "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789"].join("_");
const CAIRN = ["cairn", "local", "aBcDeFgHiJkLmNoPqRsT0123"].join("_");
const JWT = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"].join(
  ".",
);
const KEY = [
  "-----BEGIN RSA",
  " PRIVATE KEY-----\nMIIEowIBAAKCAQEA04up8hoqzS1\n-----END RSA",
  " PRIVATE KEY-----",
].join("");
const ADDRESS = ["postgres://ada", "hunter22secret@db.example.net/x"].join(":");
const DRAWN = "fK29xQz81LmPw7Rt";

describe("finding credentials", () => {
  test.each([
    ["a token of GitHub", GITHUB],
    ["a token of Cairn", CAIRN],
    ["a signed web token", JWT],
    ["a private key", KEY],
    ["an address with a password", ADDRESS],
  ])("finds %s, and where", async (_what, secret) => {
    const [found, ...more] = await findSecrets("a.yaml", `first: line\nkey: "${secret}"\n`);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ line: 2, value: expect.stringContaining(secret.slice(0, 10)) });
    expect(found?.column).toBeGreaterThanOrEqual(6);
    expect(found?.kind).not.toContain(secret.slice(-8));
  });

  test.each([
    ["YAML", `password: ${DRAWN}`],
    ["code", `const apiKey = "${DRAWN}";`],
    ["JSON", `{"client_secret": "${DRAWN}"}`],
    ["the environment", `ACCESS_TOKEN=${DRAWN}`],
  ])("finds what a credential's name stands before in %s", async (_what, line) => {
    expect(await findSecrets("a", line)).toEqual([
      { line: 1, column: line.indexOf(DRAWN) + 1, kind: "NamedSecret", value: DRAWN },
    ]);
  });

  test.each([
    "token: { type: string, description: What to show at the door. }",
    "const token = readTokenFromHeader1234(request);",
    "password: correct horse battery staple",
    "secret: aaaaaaaaaaaaaaaa1111",
    "commit: 5f4dcc3b5aa765d61d8327deb882cf99e33698de",
    "integrity: sha512-IcOR87MpNjp/WTO7bVMsIj3qkhVD+Qr/oNaA0Xl4Ok1LqG4bjXu5RjiY0Kid70BoR9eCJgkoq5gNHDGXPx+o1g==",
    "requiredCapabilities: [tool:get_weather, data.read]",
  ])("takes %j for none", async (line) => {
    expect(await findSecrets("a.yaml", line)).toEqual([]);
  });

  test("is not switched off by comments", async () => {
    const text = `// secretlint-disable\n/* secretlint-disable-line */ const key = "${GITHUB}"; // secretlint-disable-line\n`;
    expect(await findSecrets("a.ts", text)).toMatchObject([{ line: 2, value: GITHUB }]);
  });

  test.each([
    ["one letter", "a".repeat(1_000_000)],
    ["names", "token=".repeat(160_000)],
    ["blanks after a name", `password${" ".repeat(900_000)}`],
    ["the beginning of keys", "-----BEGIN PRIVATE KEY-----".repeat(30_000)],
    ["the beginning of addresses", "postgres://a:".repeat(70_000)],
    ["web tokens without an end", "eyJaaaaaaaa.".repeat(80_000)],
  ])("takes no long time for a megabyte of %s", async (_what, text) => {
    await expectQuick(1_000, () => findSecrets("a", text));
  });
});
