import { describe, expect, test } from "vitest";
import { toModernHeaders } from "../../../../server/cli/stdio/headers.ts";

const message = (method: string, params: object) => ({
  text: "",
  method,
  params: { ...params },
  revision: "2026-07-28",
});

describe("toModernHeaders", () => {
  test.each([
    ["tools/call", { name: "runner.chat", uri: "x" }, "runner.chat"],
    ["prompts/get", { name: "greet" }, "greet"],
    ["resources/read", { uri: "logs://recent?limit=1", name: "x" }, "logs://recent?limit=1"],
    ["tools/call", { name: "größe" }, "=?base64?Z3LDtsOfZQ==?="],
  ])("names what %s is about: %j", (method, params, name) => {
    expect(toModernHeaders(message(method, params))).toEqual({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": name,
    });
  });

  test.each([
    ["tools/list", { name: "x" }],
    ["tools/call", { name: 7 }],
    ["tools/call", {}],
  ])("names nothing for %s with %j", (method, params) => {
    expect(toModernHeaders(message(method, params))).toEqual({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
    });
  });

  test("leaves out what no header can carry", () => {
    expect(toModernHeaders({ text: "", method: "a\nb: c", params: {}, revision: "é" })).toEqual({});
  });
});
