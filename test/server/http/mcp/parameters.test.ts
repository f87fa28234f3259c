import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createParameterCheck } from "../../../../server/http/mcp/parameters.ts";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import type { Message } from "../../../../server/protocol/json-rpc.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const input = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    count: { type: "integer", "x-mcp-header": "X-Count" },
    deep: { type: "object", properties: { flag: { type: "boolean", "x-mcp-header": "Flag" } } },
    "x-mcp-header": { type: "string" },
  },
};
const version = createTestVersion({
  tools: [
    { name: "s.marked", server: "s", input },
    { name: "s.plain", server: "s" },
    { name: "s.closed", server: "s", input, requiredCapabilities: ["closed"] },
    { name: "other.plain", server: "other" },
  ],
});
const check = createParameterCheck();

function tell(
  args: unknown,
  headers: Record<string, string> = {},
  name = "s.marked",
  method = "tools/call",
  principal = LOCAL_PRINCIPAL,
): string | undefined {
  const server = version.servers.get(name.split(".")[0] ?? "");
  if (!server) throw new Error("There is no server.");
  const message: Message = { kind: "request", id: 1, method, params: { name, arguments: args } };
  try {
    check(message, server, headers, principal);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ name: "HEADER_MISMATCH" });
    return (error as Error).message;
  }
}

describe("the headers of a call", () => {
  test("are not told of to those who may not use the tool", () => {
    const nobody = { ...LOCAL_PRINCIPAL, capabilities: new Set<string>() };
    expect(tell({ region: "us" }, {}, "s.closed")).toContain("Mcp-Param-Region");
    expect(tell({ region: "us" }, {}, "s.closed", "tools/call", nobody)).toBeUndefined();
  });

  test.each<[unknown, Record<string, string>]>([
    [{}, {}],
    [undefined, {}],
    [{ region: null, count: null, deep: null }, {}],
    [{ region: "us" }, { "mcp-param-region": "us" }],
    [{ region: "" }, { "mcp-param-region": "" }],
    [{ region: "世界" }, { "mcp-param-region": "=?base64?5LiW55WM?=" }],
    [{ count: 42 }, { "mcp-param-x-count": "42" }],
    [{ count: 42 }, { "mcp-param-x-count": "42.0" }],
    [{ count: -7 }, { "mcp-param-x-count": "-7.000" }],
    [{ count: Number.MAX_SAFE_INTEGER }, { "mcp-param-x-count": "9007199254740991" }],
    [{ deep: { flag: false } }, { "mcp-param-flag": "false" }],
    [
      { region: "us", other: 1 },
      { "mcp-param-region": "us", "mcp-param-other": "2" },
    ],
    // Their values are no values of their schema, and will be refused for that.
    [{ region: ["us"], count: {} }, {}],
    [{ count: "42" }, { "mcp-param-x-count": "42" }],
    [{ deep: "flag" }, {}],
  ])("repeat %j as %j", (args, headers) => {
    expect(tell(args, headers)).toBeUndefined();
  });

  test.each<[unknown, Record<string, string>, string]>([
    [{ region: "us" }, {}, "The header `Mcp-Param-Region` is missing; the body says `us`."],
    [{ region: "us" }, { "mcp-param-region": "US" }, "The header `Mcp-Param-Region` is `US`; the body says `us`."],
    [{ region: "é" }, { "mcp-param-region": "é" }, "The header `Mcp-Param-Region` is `é`; the body says `é`."],
    [{}, { "mcp-param-region": "us" }, "The header `Mcp-Param-Region` is `us`; the body says nothing to repeat."],
    [
      { region: null },
      { "mcp-param-region": "null" },
      "The header `Mcp-Param-Region` is `null`; the body says nothing to repeat.",
    ],
    [{ count: 42 }, { "mcp-param-x-count": "43" }, "The header `Mcp-Param-X-Count` is `43`; the body says `42`."],
    [{ count: 42 }, { "mcp-param-x-count": "0x2a" }, "The header `Mcp-Param-X-Count` is `0x2a`; the body says `42`."],
    [{ count: 42 }, { "mcp-param-x-count": "4.2e1" }, "The header `Mcp-Param-X-Count` is `4.2e1`; the body says `42`."],
    [{ count: 0 }, { "mcp-param-x-count": "" }, "The header `Mcp-Param-X-Count` is ``; the body says `0`."],
    [
      { count: 2 ** 53 },
      { "mcp-param-x-count": "9007199254740993" },
      "The header `Mcp-Param-X-Count` is `9007199254740993`; the body says `9007199254740992`.",
    ],
    [{ deep: { flag: true } }, { "mcp-param-flag": "1" }, "The header `Mcp-Param-Flag` is `1`; the body says `true`."],
  ])("must repeat %j, and not as %j", (args, headers, message) => {
    expect(tell(args, headers)).toBe(message);
  });

  test("are not looked at for other tools, servers and methods", () => {
    const headers = { "mcp-param-region": "us" };
    expect(tell({ region: "eu" }, headers, "s.plain")).toBeUndefined();
    expect(tell({ region: "eu" }, headers, "s.none")).toBeUndefined();
    expect(tell({ region: "eu" }, headers, "other.plain")).toBeUndefined();
    expect(tell({ region: "eu" }, headers, "s.marked", "prompts/get")).toBeUndefined();
  });

  test("agree with the body for every text and every integer that clients encode", () => {
    const encode = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.maxSafeInteger(),
        fc.string({ unit: "grapheme" }),
        (region, count, other) => {
          const headers = { "mcp-param-region": encode(region), "mcp-param-x-count": String(count) };
          expect(tell({ region, count }, headers)).toBeUndefined();
          expect(tell({ region: other, count }, headers) === undefined).toBe(other === region);
        },
      ),
    );
  });
});
