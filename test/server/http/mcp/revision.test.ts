import { describe, expect, test } from "vitest";
import { readRevision } from "../../../../server/http/mcp/revision.ts";
import type { Message } from "../../../../server/protocol/json-rpc.ts";

const MODERN = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": { roots: {} },
};
const HEADERS = { "mcp-protocol-version": MODERN, "mcp-method": "tools/list" };

const request = (params: Readonly<Record<string, unknown>> = {}, method = "tools/list"): Message => ({
  kind: "request",
  id: 1,
  method,
  params,
});
const refusal = (name: string) => expect.objectContaining({ name }) as Error;

describe("the revision of a message", () => {
  test.each([
    [undefined, "2025-03-26"],
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2024-11-05", "2024-11-05"],
  ])("with the header %j alone is one with a handshake: %s", (header, version) => {
    const headers = header === undefined ? {} : { "mcp-protocol-version": header };
    expect(readRevision(request(), headers)).toEqual({ modern: false, version });
    expect(readRevision(request({ _meta: { progressToken: 1 } }), headers)).toEqual({ modern: false, version });
    expect(readRevision({ kind: "response", id: 1, result: {} }, headers)).toEqual({ modern: false, version });
  });

  test("is the one without when the body says so, too", () => {
    expect(readRevision(request({ _meta: META }), HEADERS)).toEqual({ modern: true, capabilities: { roots: {} } });
    const logLevel = { "io.modelcontextprotocol/logLevel": "error" };
    expect(readRevision(request({ _meta: { ...META, ...logLevel } }), HEADERS)).toEqual({
      modern: true,
      capabilities: { roots: {} },
      logLevel: "error",
    });
  });

  test("needs only its header for a notification, which is answered with nothing", () => {
    const cancelled: Message = { kind: "notification", method: "notifications/cancelled", params: {} };
    expect(readRevision(cancelled, { "mcp-protocol-version": MODERN })).toEqual({ modern: true, capabilities: {} });
  });

  test.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    ["without `_meta`", {}, HEADERS, "BAD_REQUEST"],
    ["with a `_meta` that is a list", { _meta: [META] }, HEADERS, "BAD_REQUEST"],
    [
      "without capabilities",
      { _meta: { ...META, "io.modelcontextprotocol/clientCapabilities": undefined } },
      HEADERS,
      "BAD_REQUEST",
    ],
    [
      "with a log level that is none",
      { _meta: { ...META, "io.modelcontextprotocol/logLevel": 1 } },
      HEADERS,
      "BAD_REQUEST",
    ],
    [
      "with a header of an older revision",
      { _meta: META },
      { ...HEADERS, "mcp-protocol-version": "2025-11-25" },
      "HEADER_MISMATCH",
    ],
    ["without header", { _meta: META }, { "mcp-method": "tools/list" }, "HEADER_MISMATCH"],
    ["without method in its headers", { _meta: META }, { "mcp-protocol-version": MODERN }, "HEADER_MISMATCH"],
    [
      "with two revisions in its header",
      { _meta: META },
      { ...HEADERS, "mcp-protocol-version": `${MODERN}, ${MODERN}` },
      "HEADER_MISMATCH",
    ],
    ["in a revision that nobody speaks", {}, { "mcp-protocol-version": "2099-01-01" }, "UNSUPPORTED_PROTOCOL_VERSION"],
    [
      "in one with a handshake, said as only later ones say it",
      { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2025-11-25" } },
      { ...HEADERS, "mcp-protocol-version": "2025-11-25" },
      "UNSUPPORTED_PROTOCOL_VERSION",
    ],
  ])("%s is refused", (_, params, headers, name) => {
    expect(() => readRevision(request(params), headers)).toThrow(refusal(name));
  });

  test("is refused for an answer, as modern servers ask nothing", () => {
    const answer: Message = { kind: "response", id: 1, result: {} };
    expect(() => readRevision(answer, { "mcp-protocol-version": MODERN })).toThrow(refusal("INVALID_REQUEST"));
  });

  test.each([
    ["tools/call", "name"],
    ["prompts/get", "name"],
    ["resources/read", "uri"],
  ])("of %s comes with its %s in a header", (method, parameter) => {
    const message = request({ [parameter]: "a/b", _meta: META }, method);
    const headers = { ...HEADERS, "mcp-method": method };
    expect(readRevision(message, { ...headers, "mcp-name": "a/b" }).modern).toBe(true);
    expect(() => readRevision(message, headers)).toThrow(refusal("HEADER_MISMATCH"));
    expect(() => readRevision(message, { ...headers, "mcp-name": "a/c" })).toThrow(refusal("HEADER_MISMATCH"));
    expect(() => readRevision(request({ _meta: META }, method), { ...headers, "mcp-name": "a/b" })).toThrow(
      "The header `Mcp-Name` is `a/b`; the body says nothing to repeat.",
    );
    // What is wrong with it, the method will say.
    expect(readRevision(request({ [parameter]: 7, _meta: META }, method), headers).modern).toBe(true);
  });

  test("of any other method comes with a name in its headers only if its parameters have that", () => {
    const named = (method: string, params: object, name: string) =>
      readRevision(request({ ...params, _meta: META }, method), {
        ...HEADERS,
        "mcp-method": method,
        "mcp-name": name,
      });
    const nothing = (name: string) => `The header \`Mcp-Name\` is \`${name}\`; the body says nothing to repeat.`;
    expect(() => named("tools/list", {}, "x")).toThrow(nothing("x"));
    expect(() => named("toString", {}, "x")).toThrow(nothing("x"));
    expect(() => named("resources/subscribe", { uri: "a://b" }, "a://c")).toThrow(nothing("a://c"));
    expect(() => named("tools/list", {}, "=?base64?!?=")).toThrow(nothing("=?base64?!?="));
    expect(named("resources/subscribe", { uri: "a://b" }, "a://b").modern).toBe(true);
    expect(named("completion/complete", { ref: { type: "ref/prompt", name: "p" } }, "p").modern).toBe(true);
  });
});
