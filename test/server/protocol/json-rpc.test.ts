import { describe, expect, test } from "vitest";
import { readMessage, serialise, writeError, writeResult } from "../../../server/protocol/json-rpc.ts";

describe("readMessage", () => {
  test("tells requests, notifications and responses apart", () => {
    expect(readMessage({ jsonrpc: "2.0", id: 1, method: "ping" })).toEqual({
      kind: "request",
      id: 1,
      method: "ping",
      params: {},
    });
    expect(readMessage({ jsonrpc: "2.0", method: "notifications/initialized", params: { a: 1 } })).toEqual({
      kind: "notification",
      method: "notifications/initialized",
      params: { a: 1 },
    });
    expect(readMessage({ jsonrpc: "2.0", id: "x", result: {} })).toEqual({ kind: "response", id: "x" });
  });

  test.each([
    [
      [{ jsonrpc: "2.0", id: 1, method: "ping" }],
      "Batches are not supported; send each message in a request of its own.",
    ],
    ["text", "The body must be a JSON object."],
    [null, "The body must be a JSON object."],
    [{ id: 1, method: "ping" }, '`jsonrpc` must be "2.0".'],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, "`id` must be a string or an integer."],
    [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, "`id` must be a string or an integer."],
    [{ jsonrpc: "2.0", id: 1, method: 7 }, "`method` must be a string."],
    [{ jsonrpc: "2.0" }, "`method` must be a string."],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: [1] }, "`params` must be a JSON object."],
  ])("refuses %j", (value, message) => {
    expect(() => readMessage(value)).toThrow(expect.objectContaining({ name: "INVALID_REQUEST", message }));
  });
});

describe("writeResult", () => {
  test("writes plain and serialised results alike", () => {
    const expected = '{"jsonrpc":"2.0","id":"a\\"b","result":{"json":1}}';
    expect(writeResult('a"b', { json: 1 })).toBe(expected);
    expect(writeResult('a"b', serialise({ json: 1 }))).toBe(expected);
  });
});

describe("writeError", () => {
  const body = { code: 4004, name: "NODE_NOT_FOUND", message: "Node not found: 999" } as const;

  test("uses the JSON-RPC code, with the dual code as data", () => {
    expect(JSON.parse(writeError(1, body))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32002, message: "Node not found: 999", data: { code: 4004, name: "NODE_NOT_FOUND" } },
    });
  });

  test("[B3] uses the number itself where a server's manifest asks for protocol errors", () => {
    expect(JSON.parse(writeError(1, body, true))).toMatchObject({
      error: { code: 4004, message: "Node not found: 999" },
    });
  });
});
