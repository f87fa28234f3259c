import { H3 } from "h3";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenHttp, type ListenOptions } from "../../../server/http/listen.ts";
import { connectRaw, sendRaw, toBytes } from "../../helpers/raw-http.ts";

const QUICK = { headers: 200, request: 400, check: 20 };

/** A service that answers with the body it was sent. */
async function listenTo(options: Partial<ListenOptions> = {}): Promise<string> {
  const app = new H3({ silent: true }).all("/**", async ({ req }) => Response.json({ body: await req.text() }));
  const { url, close } = await listenHttp(app, () => false, { host: "127.0.0.1", port: 0, ...options });
  onTestFinished(close);
  return url;
}

/** The pieces, each sent a moment after the one before, until the other side has had enough. */
async function drip(url: string, pieces: Iterable<string>) {
  const connection = await connectRaw(url);
  const rest = pieces[Symbol.iterator]();
  const timer = setInterval(() => {
    const { value, done } = rest.next();
    if (done !== true) connection.write(value);
  }, 10);
  const answer = await connection.read().finally(() => clearInterval(timer));
  await connection.closed;
  return answer;
}

function* dropByDrop(start: string, drop: string): Iterable<string> {
  yield start;
  for (;;) yield drop;
}

describe("an address that cannot be had", () => {
  test("is told in one sentence, however many ask for it at once", async () => {
    const { port } = new URL(await listenTo());
    const tries = await Promise.allSettled([1, 2, 3].map(() => listenTo({ port: Number(port) })));
    const message = `Cannot listen on 127.0.0.1:${port}: something else listens there. End it, or choose another port with \`--port\` or PORT.`;
    expect(tries).toEqual(
      tries.map(() => ({ status: "rejected", reason: expect.objectContaining({ name: "UNAVAILABLE", message }) })),
    );
  });

  test("is told apart from one that this machine does not have", async () => {
    await expect(listenTo({ host: "192.0.2.1", port: 1 })).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "Cannot listen on 192.0.2.1:1: `192.0.2.1` is no address of this machine. Set `--host` or HOST.",
    });
  });

  test("is one's own for only one of those that ask at once", async () => {
    const url = new URL(await listenTo());
    const tries = await Promise.allSettled([1, 2].map(() => listenTo({ host: "127.0.0.2", port: Number(url.port) })));
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("a client that takes its time", () => {
  test.each([
    ["says nothing", []],
    ["sends its headers drop by drop", dropByDrop("POST / HTTP/1.1\r\n", "A: b\r\n")],
    [
      "sends its body drop by drop",
      dropByDrop("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n", "."),
    ],
    [
      "sends chunks without an end",
      dropByDrop("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n.\r\n"),
    ],
  ])("[abuse 12] is answered with 408 and let go when it %s", async (_, pieces) => {
    expect(await drip(await listenTo({ timeouts: QUICK }), pieces)).toMatchObject({ status: 408 });
  });

  test("is waited for while it is within its time", async () => {
    const url = await listenTo();
    const connection = await connectRaw(url);
    const bytes = toBytes(url, { path: "/", body: "hello" });
    for (let at = 0; at < bytes.length; at++) connection.write(bytes.subarray(at, at + 1));
    expect(await connection.read()).toMatchObject({ status: 200, body: '{"body":"hello"}' });
    connection.write(bytes);
    expect(await connection.read()).toMatchObject({ status: 200, body: '{"body":"hello"}' });
  });
});

describe("a request's Host", () => {
  test.each([
    ["none", []],
    ["two, the same", ["localhost", "localhost"]],
    ["two, of which one is somebody else's", ["localhost", "evil.example"]],
    ["two, in any spelling", ["evil.example", "localhost"]],
  ])("is refused with 400: %s", async (_, hosts) => {
    const connection = await connectRaw(await listenTo());
    const lines = hosts.map((host, at) => `${at === 0 ? "Host" : "hOST"}: ${host}\r\n`).join("");
    connection.write(`GET / HTTP/1.1\r\n${lines}\r\n`);
    expect(await connection.read()).toMatchObject({ status: 400, body: "" });
    await connection.closed;
  });
});

describe("a request for a whole URL", () => {
  test("is answered as one for its path where it names the host that `Host` does", async () => {
    const url = await listenTo();
    const answer = await sendRaw(url, { path: `${url}/a`, body: "hello" });
    expect(answer).toMatchObject({ status: 200, body: '{"body":"hello"}' });
  });

  test("is refused with 400, and told why, where it names another", async () => {
    const answer = await sendRaw(await listenTo(), { path: "http://evil.example/a" });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(JSON.parse(answer.body)).toMatchObject({
      name: "INVALID_REQUEST",
      detail: "The URL of the request names another host than its header `Host`.",
    });
  });
});

describe("a request whose length is unclear", () => {
  test.each([
    [
      "two lengths",
      [
        ["Content-Length", "1"],
        ["Content-Length", "2"],
      ],
    ],
    [
      "a length and chunks",
      [
        ["Content-Length", "1"],
        ["Transfer-Encoding", "chunked"],
      ],
    ],
    ["a length that is no number", [["Content-Length", "+1"]]],
  ] as const)("is refused with 400: %s", async (_, headers) => {
    expect(await sendRaw(await listenTo(), { path: "/", headers, body: "0\r\n\r\n" })).toMatchObject({
      status: 400,
    });
  });
});

test("a service that ends lets a connection go as soon as its answer is out", { timeout: 5000 }, async () => {
  const asked = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  const app = new H3({ silent: true }).all("/**", async () => {
    asked.resolve();
    await ready.promise;
    return Response.json({ late: true });
  });
  const { url, close } = await listenHttp(app, () => false, { host: "127.0.0.1", port: 0 });
  const connection = await connectRaw(url);
  connection.write(toBytes(url, { path: "/" }));
  await asked.promise;
  const closed = close();
  ready.resolve();
  expect(await connection.read()).toMatchObject({ status: 200, body: '{"late":true}' });
  await Promise.all([connection.closed, closed]);
});
