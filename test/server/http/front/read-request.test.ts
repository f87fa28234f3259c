import { describe, expect, test } from "vitest";
import { readRequestHead } from "../../../../server/http/front/read-request.ts";

const LINE = "POST /agent/1.0.0/runner HTTP/1.1";
const HEADERS = ["Host: localhost:3000", "Content-Type: application/json", "Content-Length: 2"];

const read = (lines: readonly string[], body = "{}") =>
  readRequestHead(Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1"));

describe("the head of a plain request", () => {
  test("is read with its headers, by names in lower case, and the lengths of its parts", () => {
    const head = `${[LINE, ...HEADERS, "X-Request-Id:a b", "Accept-Language: "].join("\r\n")}\r\n\r\n`;
    expect(readRequestHead(Buffer.from(`${head}{}`))).toEqual({
      url: "/agent/1.0.0/runner",
      headers: {
        host: "localhost:3000",
        "content-type": "application/json",
        "content-length": "2",
        "x-request-id": "a b",
        "accept-language": "",
      },
      headLength: head.length,
      bodyLength: 2,
    });
  });

  test.each(["", "P", "POST /agent/", `${LINE}\r\nHost: a`, `${LINE}\r\nHost: a\r\n\r`])(
    "may still be on its way: %j",
    (text) => expect(readRequestHead(Buffer.from(text))).toBe("more"),
  );

  test.each(["\n", "\r", `${LINE}\n`, `${LINE}\r`, `${LINE}\r\nHost: a\nX: b`, `${LINE}\rHost: a\r\n`])(
    "is not waited for behind ends of lines that are none: %j",
    (text) => {
      const isBegun = text === `${LINE}\r`;
      expect(readRequestHead(Buffer.from(text))).toBe(isBegun ? "more" : undefined);
    },
  );

  test("has at most 8 KiB, and its body one MiB", () => {
    const long = `X: ${"x".repeat(8_100)}`;
    expect(read([LINE, ...HEADERS, long])).toBeUndefined();
    expect(readRequestHead(Buffer.from(`${LINE}\r\n${long}${long}`))).toBeUndefined();
    const sized = (length: number) => read([LINE, "Host: a", `Content-Length: ${length}`]);
    expect(sized(1024 * 1024)).toMatchObject({ bodyLength: 1024 * 1024 });
    expect(sized(1024 * 1024 + 1)).toBeUndefined();
  });

  test("may say that the connection is kept", () => {
    expect(read([LINE, ...HEADERS, "Connection: Keep-Alive"])).toMatchObject({ bodyLength: 2 });
  });
});

describe("what two parsers could read differently is left to node:http", () => {
  const [host = "", type = "", length = ""] = HEADERS;
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ["another method", [LINE.replace("POST", "GET"), ...HEADERS]],
    ["a method in small letters", [LINE.replace("POST", "post"), ...HEADERS]],
    ["another path", ["POST /versions HTTP/1.1", ...HEADERS]],
    ["a longer path", ["POST /agent/1.0.0/api/tools/a HTTP/1.1", ...HEADERS]],
    ["a query", ["POST /agent/1.0.0/runner?role=a HTTP/1.1", ...HEADERS]],
    ["a fragment", ["POST /agent/1.0.0/runner#a HTTP/1.1", ...HEADERS]],
    ["an escape", ["POST /agent/1.0.0/%72unner HTTP/1.1", ...HEADERS]],
    ["dots for a version", ["POST /agent/../runner HTTP/1.1", ...HEADERS]],
    ["dots for a server", ["POST /agent/1.0.0/.. HTTP/1.1", ...HEADERS]],
    ["a whole URL", ["POST http://localhost/agent/1.0.0/runner HTTP/1.1", ...HEADERS]],
    ["two spaces", ["POST  /agent/1.0.0/runner HTTP/1.1", ...HEADERS]],
    ["a tab", ["POST\t/agent/1.0.0/runner HTTP/1.1", ...HEADERS]],
    ["something after the version", [`${LINE} `, ...HEADERS]],
    ["HTTP/1.0", [LINE.replace("1.1", "1.0"), ...HEADERS]],
    ["HTTP/2.0", [LINE.replace("1.1", "2.0"), ...HEADERS]],
    ["HTTP/1.01", [LINE.replace("1.1", "1.01"), ...HEADERS]],
    ["an empty line before", ["", LINE, ...HEADERS]],
    ["no Host", [LINE, type, length]],
    ["two Hosts", [LINE, ...HEADERS, host]],
    ["two Hosts in any spelling", [LINE, ...HEADERS, "hOST: localhost:3000"]],
    ["no length", [LINE, host, type]],
    ["two lengths", [LINE, ...HEADERS, length]],
    ["two lengths that differ", [LINE, ...HEADERS, "Content-Length: 3"]],
    ["two lengths in one", [LINE, host, type, "Content-Length: 2, 2"]],
    ["a length with a sign", [LINE, host, type, "Content-Length: +2"]],
    ["a length below zero", [LINE, host, type, "Content-Length: -2"]],
    ["a length with zeros before", [LINE, host, type, "Content-Length: 02"]],
    ["a length in hex", [LINE, host, type, "Content-Length: 0x2"]],
    ["a length with an exponent", [LINE, host, type, "Content-Length: 2e0"]],
    ["a length with an underscore", [LINE, host, type, "Content-Length: 1_0"]],
    ["a length with a blank in it", [LINE, host, type, "Content-Length: 1 0"]],
    ["a length with a blank behind", [LINE, host, type, "Content-Length: 2 "]],
    ["a length with a tab before", [LINE, host, type, "Content-Length:\t2"]],
    ["no body", [LINE, host, type, "Content-Length: 0"]],
    ["an empty length", [LINE, host, type, "Content-Length:"]],
    ["a length past all numbers", [LINE, host, type, "Content-Length: 18446744073709551618"]],
    ["a length in other digits", [LINE, host, type, "Content-Length: \xb2"]],
    ["chunks", [LINE, host, type, "Transfer-Encoding: chunked"]],
    ["a length and chunks", [LINE, ...HEADERS, "Transfer-Encoding: chunked"]],
    ["chunks and a length", [LINE, "Transfer-Encoding: chunked", ...HEADERS]],
    ["chunks in an odd spelling", [LINE, ...HEADERS, "tRANSFER-eNCODING: xchunked"]],
    ["chunks said twice", [LINE, ...HEADERS, "Transfer-Encoding: identity", "Transfer-Encoding: chunked"]],
    ["chunks with a vertical tab", [LINE, ...HEADERS, "Transfer-Encoding:\vchunked"]],
    ["a blank before the colon", [LINE, ...HEADERS, "Transfer-Encoding : chunked"]],
    ["a blank before the colon of the length", [LINE, host, type, "Content-Length : 2"]],
    ["a blank before a name", [LINE, ...HEADERS, " Transfer-Encoding: chunked"]],
    ["a folded header", [LINE, ...HEADERS, "X: a", " b"]],
    ["a line without a colon", [LINE, ...HEADERS, "Transfer-Encoding"]],
    ["a line feed alone", [LINE, ...HEADERS, "X: a\nTransfer-Encoding: chunked"]],
    ["a carriage return alone", [LINE, ...HEADERS, "X: a\rTransfer-Encoding: chunked"]],
    ["a NUL in a value", [LINE, ...HEADERS, "X: a\0b"]],
    ["a NUL in a name", [LINE, ...HEADERS, "Transfer-Encoding\0: chunked"]],
    ["an underscore in a name", [LINE, ...HEADERS, "Transfer_Encoding: chunked"]],
    ["an empty name", [LINE, ...HEADERS, ": chunked"]],
    ["a byte that is not ASCII", [LINE, ...HEADERS, "X: \xe9"]],
    ["a tab in a value", [LINE, ...HEADERS, "X: a\tb"]],
    ["a connection that ends", [LINE, ...HEADERS, "Connection: close"]],
    ["a header for this hop", [LINE, ...HEADERS, "Connection: content-length"]],
    ["an upgrade", [LINE, ...HEADERS, "Connection: Upgrade", "Upgrade: h2c"]],
    ["what comes before the body", [LINE, ...HEADERS, "Expect: 100-continue"]],
    ["trailers", [LINE, ...HEADERS, "Trailer: X"]],
    ["packed bodies", [LINE, ...HEADERS, "Content-Encoding: gzip"]],
    ["a session", [LINE, ...HEADERS, "Mcp-Session-Id: a"]],
    ["a cookie", [LINE, ...HEADERS, "Cookie: a=b"]],
    ["any header twice", [LINE, ...HEADERS, "X-Forwarded-For: a", "X-Forwarded-For: b"]],
    ["two tokens", [LINE, ...HEADERS, "Authorization: Bearer a", "Authorization: Bearer b"]],
    ["`__proto__`", [LINE, ...HEADERS, "__proto__: a"]],
  ];
  test.each(lines)("%s", (_, head) => expect(read(head)).toBeUndefined());

  test("another protocol, from its first bytes on", () => {
    for (const text of ["\x16\x03\x01\x02", "PRI * HTTP/2.0", "GET / HTTP/1.1\r\nHost", "POST /versions"]) {
      expect(readRequestHead(Buffer.from(text, "latin1"))).toBeUndefined();
    }
  });
});
