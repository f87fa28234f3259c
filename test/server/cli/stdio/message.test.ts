import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { findServerMessage, readClientMessages, toErrorLine } from "../../../../server/cli/stdio/message.ts";

describe("readClientMessages", () => {
  test.each([
    ["a request", { id: 1, method: "ping" }, { id: 1, method: "ping", params: {} }],
    ["a request with a text for an id", { id: "a", method: "ping" }, { id: "a", method: "ping", params: {} }],
    ["a notification", { method: "n", params: { a: 1 } }, { method: "n", params: { a: 1 } }],
    ["an answer", { id: 1, result: {} }, { id: 1, params: {} }],
    ["an id that is none", { id: null, method: "ping" }, { method: "ping", params: {} }],
    ["params that are none", { method: "n", params: [1] }, { method: "n", params: {} }],
  ])("reads %s", (_, value, expected) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...value });
    expect(readClientMessages(`  ${text}\r`)).toEqual([{ text, ...expected }]);
  });

  test("reads the revision that a message states", () => {
    const params = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
    const [message] = readClientMessages(JSON.stringify({ id: 1, method: "ping", params }));
    expect(message?.revision).toBe("2026-07-28");
  });

  test("takes a batch apart", () => {
    const messages = readClientMessages('[{"id":1,"method":"a"},{"method":"b"}]');
    expect(messages.map(({ text }) => text)).toEqual(['{"id":1,"method":"a"}', '{"method":"b"}']);
  });

  test("keeps the text as it came: numbers too large for JavaScript stay what they are", () => {
    const text = '{"id":1,"method":"a","params":{"n":12345678901234567890,"z":1.0}}';
    expect(readClientMessages(text)[0]?.text).toBe(text);
  });

  test.each([
    ["{", "PARSE_ERROR"],
    ["7", "INVALID_REQUEST"],
    ["[7]", "INVALID_REQUEST"],
    ['[{"id":1,"method":"a","params":{"n":1e999}}]', "INVALID_REQUEST"],
  ])("refuses %s", (line, name) => {
    expect(() => readClientMessages(line)).toThrow(expect.objectContaining({ name }));
  });
});

describe("findServerMessage", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":{}}', { answers: 1, isError: false }],
    ['{"jsonrpc":"2.0","id":"a","error":{}}', { answers: "a", isError: true }],
    ['{"jsonrpc":"2.0","id":null,"error":{}}', { isError: true }],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { isError: false }],
    ['{"jsonrpc":"2.0","method":"n"}', { isError: false }],
  ])("understands %s", (text, expected) => {
    expect(findServerMessage(text)).toEqual({ text, body: JSON.parse(text), ...expected });
  });

  test("puts it on one line", () => {
    const text = findServerMessage('{\n  "jsonrpc": "2.0",\r\n  "id": 1,\n"result": {"a":"\\n"}\n}\n')?.text;
    expect(text).toBe('{   "jsonrpc": "2.0",   "id": 1, "result": {"a":"\\n"} }');
  });

  test.each(["", "<html>", "[]", "7", "{}", '{"jsonrpc":"1.0","id":1}'])("finds none in %j", (text) => {
    expect(findServerMessage(text)).toBeUndefined();
  });
});

test("toErrorLine leaves the id out where there is none, because MCP knows no null", () => {
  const error = new CairnError("PARSE_ERROR", "No.");
  expect(JSON.parse(toErrorLine(undefined, error))).toEqual({
    jsonrpc: "2.0",
    error: { code: -32700, message: "No.", data: { code: 2001, name: "PARSE_ERROR" } },
  });
  expect(JSON.parse(toErrorLine(7, error))).toMatchObject({ id: 7 });
});
