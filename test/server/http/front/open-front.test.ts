import { createServer } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import * as fc from "fast-check";
import { H3 } from "h3";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { readBytes } from "../../../../server/http/body.ts";
import type { HttpListener, HttpRequest, HttpResponse } from "../../../../server/http/front/exchange.ts";
import { openFront } from "../../../../server/http/front/open-front.ts";
import { listenHttp } from "../../../../server/http/listen.ts";
import { connectRaw } from "../../../helpers/raw-http.ts";
import { type AtEnd, createShared } from "../../../helpers/temporary.ts";
import { readAll } from "./read-all.ts";

const QUICK = { headers: 200, request: 300, check: 20 };
const CASES = process.env["CAIRN_LONG"] === "1" ? 50_000 : 150;

/** Ways to answer, by the version in the address; `front` hears which requests the front has read. */
const ANSWERS: Readonly<Record<string, (response: HttpResponse, text: string) => void>> = {
  json: (response, text) => {
    const length = String(Buffer.byteLength(text));
    response.writeHead(200, ["content-type", "application/json", "content-length", length]).end(text);
  },
  error: (response, text) => void response.writeHead(404, ["x-a", "b"]).end(text),
  empty: (response) => void response.writeHead(202, ["content-length", "0"]).end(),
  last: (response, text) => void response.writeHead(413, ["connection", "close"]).end(text),
  latin: (response, text) => void response.writeHead(200, ["x-name", "é"]).end(text),
  pieces: (response, text) => {
    const length = String(2 * Buffer.byteLength(text) + 2);
    response.writeHead(200, ["content-length", length]);
    response.cork();
    response.write(text);
    response.write(Buffer.from("é"));
    response.end(text);
  },
  stream: (response, text) => {
    response.writeHead(200, ["content-type", "text/event-stream"]);
    response.write("data: é\n\n");
    setImmediate(() => {
      response.write(text);
      response.end("end");
    });
  },
  bare: (response) => void response.writeHead(500, ["x-a", "b"]).end(),
};

function createListener(read: (request: HttpRequest) => void = () => undefined): HttpListener {
  return (request, response) => {
    const [, kind] = /^\/agent\/(\w+)\/\w+$/.exec(request.url ?? "") ?? [];
    const answer = kind === undefined ? undefined : ANSWERS[kind];
    if (answer === undefined) return false;
    if (request.body !== undefined) read(request);
    const body = request.body === undefined ? readBytes(request) : Promise.resolve(request.body);
    body
      // As real answers, which take a while: Node's parser lets faster ones out before it reads on.
      .finally(() => turn())
      .then(
        (bytes) =>
          answer(response, JSON.stringify([request.method, request.url, request.headers, bytes.toString("hex")])),
        () => response.destroy(),
      );
    return true;
  };
}

async function listen(isLean: boolean, read?: (request: HttpRequest) => void, atEnd: AtEnd = onTestFinished) {
  const app = new H3({ silent: true }).all("/**", async () => {
    await turn();
    return new Response("h3");
  });
  const listener = createListener(read);
  const lean = { listener, now: () => 1_760_000_000_000, elapsed: () => performance.now() };
  const { url, close } = await listenHttp(app, listener, {
    host: "127.0.0.1",
    port: 0,
    timeouts: QUICK,
    ...(isLean ? { lean } : {}),
  });
  atEnd(close);
  return url;
}

const toPlain = (kind: string, body: string, headers: readonly string[] = []) =>
  `POST /agent/${kind}/runner HTTP/1.1\r\n${["Host: localhost", ...headers, `Content-Length: ${Buffer.byteLength(body)}`].join("\r\n")}\r\n\r\n${body}`;
const LAST = toPlain("last", "x");

describe("answers of the front are those of node:http, byte for byte", () => {
  const shared = createShared();
  let lean = "";
  let plain = "";
  const read = vi.fn();
  beforeAll(async () => {
    lean = await listen(true, read, shared.atEnd);
    plain = await listen(false, undefined, shared.atEnd);
  });
  afterAll(shared.undoAll);

  async function compare(pieces: readonly (string | Buffer)[]): Promise<string> {
    const [one, other] = await Promise.all([readAll(lean, pieces), readAll(plain, pieces)]);
    expect(one).toBe(other);
    return one;
  }

  test.each(Object.keys(ANSWERS))("to one request and to the next: %s", async (kind) => {
    read.mockClear();
    const request = toPlain(kind, '{"é":1}', ["Content-Type: application/json", "X-Forwarded-For: 192.0.2.1"]);
    // On a busy machine both may arrive at once, and then go to node:http.
    await vi.waitFor(
      async () => {
        const answers = await compare([request, request, LAST]);
        expect(answers).toContain("413");
        expect(read).toHaveBeenCalled();
      },
      { timeout: 20_000 },
    );
  });

  test("to one that comes in pieces, or with the next one behind it, or both", async () => {
    const request = toPlain("json", "x".repeat(300));
    await compare([request.slice(0, 20), request.slice(20, 100), request.slice(100), LAST]);
    await compare([request + LAST]);
    await compare([request + request.slice(0, 50), request.slice(50) + LAST]);
    await compare([...[...request].slice(0, 30), request.slice(30), LAST]);
    await compare([toPlain("stream", "a") + request, LAST]);
  });

  test("to one whose body is large, and to one that is too large", async () => {
    await compare([toPlain("json", "x".repeat(1024 * 1024)), LAST]);
    await compare([toPlain("json", "x".repeat(1024 * 1024 + 1)), LAST]);
  });

  test("to one that is for somebody else, and to what follows on its connection", async () => {
    read.mockClear();
    const other = "GET /versions HTTP/1.1\r\nHost: localhost\r\n\r\n";
    expect(await compare([other, toPlain("json", "x"), LAST])).toMatch(/h3[^]*413/);
    await compare([toPlain("json", "x"), other, toPlain("nothing", "x"), LAST]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  test("to one that ends too early, or says nothing for too long", async () => {
    await compare([]);
    await compare([toPlain("json", "x").slice(0, -1)]);
    await compare(["POST /agent/json/runner HTTP/1.1\r\nHost: loc"]);
    expect(await compare([toPlain("json", "x").slice(0, 40), "end"])).toMatch(/^HTTP\/1\.1 400/);
  });

  test("to whatever else is sent", { timeout: 3_600_000 }, async () => {
    const odd = fc.constantFrom(
      ..."Host: a|Content-Length: 1|Content-Length: 0|Content-Length: 5, 5|Transfer-Encoding: chunked|Connection: close|X: a\r\n b|X: é|X:\ta|X : a|Expect: 100-continue|Upgrade: h2c|TE: trailers|Cookie: a=b|Host:|: a|X|X: \0|Set-Cookie: a|Keep-Alive: x|Connection: keep-alive, X|X-A: 1|x-a: 2|Accept: */*|constructor: a|__proto__: a".split(
        "|",
      ),
    );
    const request = fc
      .record({
        method: fc.constantFrom("POST", "POST", "POST", "GET", "post", "PUT", "OPTIONS"),
        path: fc.constantFrom(
          ..."/agent/json/a /agent/json/a /agent/stream/a /agent/error/a /agent/json/a?x /agent/../a /agent/json/%61 /agent//a /x *".split(
            " ",
          ),
        ),
        protocol: fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "http/1.1"),
        headers: fc.array(odd, { maxLength: 3 }),
        body: fc.constantFrom("", "{}", "0\r\n\r\n", "é", "5\r\nhello\r\n0\r\n\r\n"),
        length: fc.boolean(),
        eol: fc.constantFrom("\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r"),
      })
      .map(({ method, path, protocol, headers, body, length, eol }) => {
        const lines = [`${method} ${path} ${protocol}`, "Host: localhost", ...headers];
        if (length) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
        return `${lines.join(eol)}${eol}${eol}${body}`;
      });
    const pieces = fc.tuple(fc.array(request, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(200), { maxLength: 3 }));
    const property = fc.asyncProperty(fc.array(pieces, { minLength: 25, maxLength: 25 }), async (all) => {
      await Promise.all(
        all.map(([requests, cuts]) => {
          const text = requests.join("") + LAST;
          const at = [0, ...cuts.toSorted((one, other) => one - other), text.length];
          return compare(at.slice(1).map((end, index) => text.slice(at[index], end)));
        }),
      );
    });
    await fc.assert(property, { numRuns: Math.ceil(CASES / 25), seed: Number(process.env["CAIRN_SEED"]) });
  });
});

describe("a connection of the front", () => {
  /** A front whose requests the test answers, by a clock of its own. */
  async function open() {
    const server = createServer(
      { keepAliveTimeout: 5_000, requestTimeout: 50, connectionsCheckingInterval: 5 },
      (_, response) => response.end("node"),
    );
    let time = 0;
    const taken: { readonly request: HttpRequest; readonly response: HttpResponse }[] = [];
    const listener: HttpListener = (request, response) => {
      taken.push({ request, response });
      return true;
    };
    const front = openFront({ server, listener, check: 5, now: () => 0, elapsed: () => time });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      front.closeAll();
      front.close();
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as { port: number };
    const connection = await connectRaw(`http://127.0.0.1:${port}`);
    const next = (count: number) =>
      vi.waitFor(() => taken[count] ?? Promise.reject(new Error("nothing has come")), { interval: 5 });
    return { front, connection, next, pass: (ms: number) => void (time += ms) };
  }
  const request = toPlain("json", "x");

  test("says when its client has gone before the answer, and takes no more of it", async () => {
    const { connection, next } = await open();
    connection.write(request);
    const { response } = await next(0);
    const closed = vi.fn();
    response.once("close", closed);
    response.once("close", closed);
    response.writeHead(200, ["content-type", "text/event-stream"]);
    response.write("data: 1\n\n");
    connection.close();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(2));
    expect([response.destroyed, response.writableFinished, response.write("x")]).toEqual([true, false, false]);
    response.end("x");
    expect(response.writableEnded).toBe(false);
  });

  test("says once that its answer is out", async () => {
    const { connection, next } = await open();
    connection.write(request);
    const { response } = await next(0);
    const heard: unknown[] = [];
    response.on("finish", function finish() {
      heard.push(this.statusCode);
    });
    response.once("close", () => heard.push(response.writableFinished));
    response.writeHead(404, ["content-length", "1"]).end("a");
    response.end("b");
    expect(await connection.read()).toMatchObject({ status: 404, body: "a" });
    connection.close();
    await connection.closed;
    expect(heard).toEqual([404, true]);
  });

  test("refuses headers that would end one and begin another", async () => {
    const { connection, next } = await open();
    connection.write(request);
    const { response } = await next(0);
    for (const value of ["a\r\nb: c", "a\nb", "\0", "\u0100"]) {
      expect(() => response.writeHead(200, ["x", value])).toThrow("characters that it must not");
    }
  });

  test("goes to node:http when a request is to be read again, with what came behind it", async () => {
    const { connection, next } = await open();
    connection.write(request);
    const { request: first } = await next(0);
    connection.write(request);
    await vi.waitFor(() => first.handOver?.());
    expect(await connection.read()).toMatchObject({ status: 200, body: "node" });
    expect(await connection.read()).toMatchObject({ status: 200, body: "node" });
  });

  test("goes to node:http when its client waits with the rest of a request", async () => {
    const { connection, pass } = await open();
    connection.write(request.slice(0, -1));
    const timer = setInterval(() => pass(6), 5);
    expect(await connection.read().finally(() => clearInterval(timer))).toMatchObject({ status: 200, body: "node" });
  });

  test("ends once it has been idle for long, and not while an answer is made", async () => {
    const { connection, next, pass } = await open();
    connection.write(request);
    const { response } = await next(0);
    pass(60_000);
    response.writeHead(200, ["content-length", "1"]).end("a");
    expect(await connection.read()).toMatchObject({ status: 200 });
    connection.write(request);
    (await next(1)).response.writeHead(200, ["content-length", "1"]).end("b");
    expect(await connection.read()).toMatchObject({ body: "b" });
    pass(5_001);
    await connection.closed;
  });

  test("ends when the service does, once its answer is out", async () => {
    const { front, connection, next } = await open();
    connection.write(request);
    const { response } = await next(0);
    front.closeIdle();
    response.writeHead(200, ["content-length", "1"]).end("a");
    expect(await connection.read()).toMatchObject({ status: 200 });
    front.closeIdle();
    await connection.closed;
  });

  test("takes no further request while its client leaves answers unread", async () => {
    const { connection, next } = await open();
    connection.write(request);
    const { response } = await next(0);
    const large = "x".repeat(32 * 1024 * 1024);
    response.writeHead(200, ["content-length", String(large.length)]).end(large);
    expect(response.writableLength).toBeGreaterThan(0);
    connection.write(request);
    expect((await connection.read()).body.length).toBe(large.length);
    expect(["", "node"]).toContain((await connection.read().catch(() => ({ body: "" }))).body);
  });
});
