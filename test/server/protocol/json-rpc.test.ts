import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, readMessage, serialise, writeError, writeResult } from "../../../server/protocol/json-rpc.ts";

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
    expect(readMessage({ jsonrpc: "2.0", id: "x", result: {} })).toEqual({
      kind: "response",
      id: "x",
      result: {},
    });
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
    [{ jsonrpc: "2.0", id: 1 }, "A message has a `method`, or, as a response, a `result` or an `error`."],
    [
      { jsonrpc: "2.0", method: "tools/call", params: { name: "a" } },
      "`tools/call` has no `id`, so nobody could be answered; only `notifications/…` are sent without one.",
    ],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: [1] }, "`params` must be a JSON object."],
  ])("refuses %j", (value, message) => {
    expect(() => readMessage(value)).toThrow(expect.objectContaining({ name: "INVALID_REQUEST", message }));
  });
});

describe("any JSON", () => {
  test("is a message, or refused as none", () => {
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0", 2),
        id: fc.oneof(fc.string(), fc.integer(), fc.double(), fc.constant(null)),
        method: fc.oneof(fc.string(), fc.integer()),
        params: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), message), (value) => {
        try {
          expect(readMessage(value).kind).toMatch(/^(?:request|notification|response)$/);
        } catch (error) {
          expect(error).toMatchObject({ name: "INVALID_REQUEST" });
        }
      }),
    );
  });
});

describe("writeResult", () => {
  test("writes plain and serialised results alike", () => {
    const expected = '{"jsonrpc":"2.0","id":"a\\"b","result":{"json":1}}';
    const text = (result: unknown) => writeResult('a"b', result).pieces.join("");
    expect(text({ json: 1 })).toBe(expected);
    expect(text(serialise('{"json":1}'))).toBe(expected);
    expect(text(serialise(Buffer.from('{"json":1}')))).toBe(expected);
  });
});

describe("writeError", () => {
  const read = ({ pieces }: Answer): unknown => JSON.parse(pieces.join(""));
  const body = { code: 4004, name: "NODE_NOT_FOUND", message: "Node not found: 999" } as const;

  test("uses the JSON-RPC code, with the dual code as data", () => {
    expect(read(writeError(1, body))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32002, message: "Node not found: 999", data: { code: 4004, name: "NODE_NOT_FOUND" } },
    });
  });

  test("[B3] uses the number itself where a server's manifest asks for protocol errors", () => {
    expect(read(writeError(1, body, { dual: true }))).toMatchObject({
      error: { code: 4004, message: "Node not found: 999" },
    });
  });

  test("has no code of its own for what is not found in revisions without a handshake", () => {
    expect(read(writeError(1, body, { modern: true }))).toMatchObject({ error: { code: -32602 } });
  });

  test("keeps code, details and status of the errors that MCP defines, on every server", () => {
    const details = { supported: ["2026-07-28"], requested: "1.0" };
    const answer = writeError(
      "a",
      { code: 2011, name: "UNSUPPORTED_PROTOCOL_VERSION", message: "No.", details },
      { dual: true },
    );
    expect(answer.status).toBe(400);
    expect(read(answer)).toMatchObject({ id: "a", error: { code: -32022, data: { code: 2011, ...details } } });
  });

  test("gives the address of what is not there as MCP has it, and other details apart", () => {
    const details = { uri: "docs://a" };
    const missing = { code: 4000, name: "NOT_FOUND", message: "No.", details } as const;
    const data = { code: 4000, name: "NOT_FOUND", uri: "docs://a" };
    expect(read(writeError(1, missing))).toMatchObject({ error: { code: -32002, data } });
    expect(read(writeError(1, missing, { modern: true }))).toMatchObject({ error: { code: -32602, data } });
    expect(read(writeError(1, missing, { dual: true }))).toMatchObject({ error: { code: 4000, data: { details } } });
    const wrong = { code: 2000, name: "BAD_REQUEST", message: "No.", details } as const;
    expect(read(writeError(1, wrong, { modern: true }))).toMatchObject({ error: { data: { details } } });
  });

  test("tells modern clients by the status, too, that a method is not there", () => {
    const missing = { code: 2003, name: "METHOD_NOT_FOUND", message: "No." } as const;
    expect([writeError(1, missing).status, writeError(1, missing, { modern: true }).status]).toEqual([200, 404]);
  });
});
