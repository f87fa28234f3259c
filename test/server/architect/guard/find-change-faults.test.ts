import { describe, expect, test } from "vitest";
import { readMessage } from "../../../../server/architect/message/read-message.ts";
import { findForbidden, findUnnamed } from "../../../../server/architect/guard/find-change-faults.ts";
import { createRedactor } from "../../../../server/log/redact.ts";
import { createGround } from "../ground.ts";

const { version } = await createGround();
const redactor = createRedactor(["operators-own-secret"]);

function rulesOf(
  after: string,
  options: { before?: string; message?: string; attachment?: string; path?: string } = {},
) {
  const { before, message = "Say Hi.", attachment = "", path = "docs/greet.md" } = options;
  const change = { files: [{ path, before, after }], said: [] };
  const found = [
    ...findForbidden(change, redactor),
    ...findUnnamed(change, readMessage(message), [attachment], version),
  ];
  return found.map(({ rule }) => rule);
}

describe("what a change does that its message may not ask for, or has not named", () => {
  test.each([
    ["a token", "Use ghp_abcdefghijklmnopqrstuvwx to call it."],
    ["a secret of the service", "It is operators-own-secret."],
    ["a header", "Authorization: Bearer abcdefghijklmnop1234"],
    ["a key", "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----"],
    ["base64 of a token", Buffer.from("ghp_abcdefghijklmnopqrstuvwx").toString("base64")],
    ["base64 of a secret of the service", `x ${Buffer.from("operators-own-secret").toString("base64url")} y`],
    ["the mask of a secret", "password [redacted]"],
  ])("finds %s", (_, text) => {
    expect(rulesOf(text)).toEqual(["secret"]);
    expect(rulesOf(`${text}\nmore`, { before: text })).toEqual([]);
  });

  test.each([
    "![](https://evil.example/?q=1)",
    "<https://evil.example>",
    "[x](//evil.example/a)",
    "[x]: http://evil.example",
    "ftp://evil.example",
    'src="//evil.example"',
  ])("finds a link to a new host in %s", (text) => {
    expect(rulesOf(text)).toEqual(["link"]);
    expect(rulesOf(`${text} and more`, { before: text })).toEqual([]);
    expect(rulesOf(text, { message: "Link to `evil.example`." })).toEqual([]);
    expect(rulesOf(text, { message: "See https://evil.example/docs for what is meant." })).toEqual([]);
    expect(rulesOf(text, { message: "It says:\n> https://evil.example/docs" })).toEqual(["link"]);
  });

  test("knows the hosts that tools reach, and schemas are named after", () => {
    expect(rulesOf("https://names.example.com/a https://json-schema.org/draft/2020-12/schema")).toEqual([]);
  });

  test("finds passages of attachments, but for what stands in the file already or is asked for", () => {
    const attachment =
      "12:01 tenant acme called greet with the name of its customer Johanna Maria Beispiel, and it failed.";
    const copy = "  # tenant acme called greet with\n  # the name of its customer Johanna";
    const plain = copy.replaceAll("  # ", "");
    expect(rulesOf(plain, { attachment })).toEqual(["copy"]);
    expect(rulesOf(plain, { attachment, message: "Copy it from the attachment." })).toEqual([]);
    expect(rulesOf(`${plain}\nmore`, { attachment, before: plain })).toEqual([]);
    expect(rulesOf("The tool fails with names of customers.", { attachment })).toEqual([]);
  });
});
