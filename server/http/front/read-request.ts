import type { IncomingHttpHeaders } from "node:http";
import { BODY_LIMIT } from "../body.ts";

/** A request's line and headers, with the lengths of its parts in bytes. */
export interface RequestHead {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The empty line included. */
  readonly headLength: number;
  readonly bodyLength: number;
}

/** Bytes of line and headers; node:http takes 16 KiB, and answers for what is between. */
const HEAD_LIMIT = 8 * 1024;
const END = Buffer.from("\r\n\r\n");
const START = Buffer.from("POST /agent/");
/** Version and server, of characters that mean themselves in every parser: no dots that name folders, no escapes. */
const LINE = /^POST (\/agent\/(?!\.+\/)[\w.+@~-]+\/(?!\.+ )[\w.+@~-]+) HTTP\/1\.1$/;
/** Name and value, printable ASCII without blanks around it: no folded lines, nothing that parsers read differently. */
const HEADER = /^([A-Za-z][A-Za-z0-9-]*): ?((?:[!-~](?:[ -~]*[!-~])?)?)$/;
/** An end of a line of which half is missing, unless the other half is to come. */
const OTHER_END = /(?:^|[^\r])\n|\r[^\n]/;
const LENGTH = /^[1-9]\d{0,6}$/;

/** Headers that change what follows, or how it is read; node:http answers whatever has one. */
const ODD = new Set([
  "content-encoding",
  "cookie",
  "expect",
  "http2-settings",
  "keep-alive",
  "mcp-session-id",
  "proxy-connection",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Reads the head of a plain POST to an MCP server: HTTP/1.1, one Host, one Content-Length, no header twice, none that changes
 * how a body is read. `"more"`: all of it was plain so far, and its end is to come. `undefined`: anything else. A parser that is
 * lenient where a proxy is strict lets requests be smuggled through the proxy, so this one takes only what no two parsers read
 * differently, and node:http judges the rest.
 */
export function readRequestHead(bytes: Buffer): RequestHead | "more" | undefined {
  const at = bytes.indexOf(END);
  if (at < 0) {
    const length = Math.min(bytes.length, START.length);
    const isPlain = bytes.length < HEAD_LIMIT && START.compare(bytes, 0, length, 0, length) === 0;
    // Whoever ends lines otherwise would be waited for in vain.
    return isPlain && !OTHER_END.test(bytes.toString("latin1")) ? "more" : undefined;
  }
  if (at > HEAD_LIMIT) return undefined;
  const [line = "", ...lines] = bytes.toString("latin1", 0, at).split("\r\n");
  const [, url] = LINE.exec(line) ?? [];
  const headers = url === undefined ? undefined : readHeaders(lines);
  if (url === undefined || headers === undefined) return undefined;
  const { host, connection = "keep-alive", "content-length": length = "" } = headers;
  if (host === undefined || connection.toLowerCase() !== "keep-alive" || !LENGTH.test(length)) return undefined;
  const bodyLength = Number(length);
  if (bodyLength > BODY_LIMIT) return undefined;
  return { url, headers, headLength: at + END.length, bodyLength };
}

function readHeaders(lines: readonly string[]): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = {};
  for (const line of lines) {
    const [, given, value] = HEADER.exec(line) ?? [];
    if (given === undefined || value === undefined) return undefined;
    const name = given.toLowerCase();
    if (ODD.has(name) || Object.hasOwn(headers, name)) return undefined;
    headers[name] = value;
  }
  return headers;
}
