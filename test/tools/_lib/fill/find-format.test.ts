import { describe, expect, test } from "vitest";
import { fillFormats } from "../../../../tools/_lib/fill/find-format.ts";
import { createFields, draftOf } from "../../fields.ts";

const read = (message: string, schema: object) =>
  fillFormats(draftOf(message), createFields({ it: { type: "string", ...schema } })).values["it"];

describe("fillFormats", () => {
  test.each([
    ["write to bob@example.com.", { format: "email" }, "bob@example.com"],
    ["see https://example.com/a?b=c, please", { format: "uri" }, "https://example.com/a?b=c"],
    ["id 01234567-89ab-7000-bfff-ffffffffffff!", { format: "uuid" }, "01234567-89ab-7000-bfff-ffffffffffff"],
    ["ping 10.0.0.1", { format: "ipv4" }, "10.0.0.1"],
    ["open www.example.com", { format: "hostname" }, "www.example.com"],
    ["what about (OPS-42)?", { pattern: "^[A-Z]+-\\d+$" }, "OPS-42"],
    ["nothing here", { format: "email" }, undefined],
    ["nothing here", { pattern: "^[A-Z]+-\\d+$" }, undefined],
    ["any word", { pattern: "^.+$" }, undefined],
    ["aaaaaaaaaaaaaaaaaaaaaaaaaaaa!", { pattern: "^(a+)+$" }, undefined],
    ["(", { pattern: "(" }, undefined],
    ["x", { format: "unheard-of" }, undefined],
  ])("reads %j by %j", (message, schema, expected) => {
    expect(read(message, schema)).toBe(expected);
  });
});
