import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openFetchSyscall } from "../../../../server/capabilities/fetch/fetch.ts";
import { FETCH_BODY_LIMIT } from "../../../../server/capabilities/fetch/open-fetcher.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";

const HOST = "api.example.com";

/** An upstream on loopback, and `ctx.fetch` of a tool that knows it as https://api.example.com. */
async function setUp(
  listener: RequestListener,
  options: { sideEffect?: boolean; map?: [string, string][]; others?: [string, string][] } = {},
) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { table, close } = openFetchSyscall({
    egressMap: new Map([...(options.map ?? [[HOST, url]]), ...(options.others ?? [])]),
    now: Date.now,
    lookup: (_name, lookupOptions, callback) => {
      const found = [{ address: "127.0.0.1", family: 4 }];
      if (lookupOptions.all) callback(null, found);
      else callback(null, "127.0.0.1", 4);
    },
  });
  onTestFinished(async () => {
    await close();
    server.closeAllConnections();
    server.close();
  });
  const call = createRunningCall({
    tool: {
      name: "t",
      server: "s",
      egress: [HOST, "169.254.169.254", "other.example.com"],
      sideEffect: options.sideEffect ?? false,
    },
  });
  return { url, call, fetch: async (args: object) => table["fetch"]?.run(call, args) };
}

/** A port on which nobody listens: one that was just given back. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("ctx.fetch", () => {
  test("answers with status, headers and text", async () => {
    const { fetch } = await setUp((request, response) => {
      response.writeHead(200, { "X-Seen": `${request.method} ${request.url} ${request.headers["x-a"]}` });
      response.end("héllo");
    });
    expect(await fetch({ url: `https://${HOST}/path?q=1`, headers: { "x-a": "b" } })).toMatchObject({
      status: 200,
      headers: { "x-seen": "GET /path?q=1 b" },
      body: "héllo",
    });
  });

  test("does not throw for an error status", async () => {
    const { fetch } = await setUp((_, response) => response.writeHead(503).end("busy"));
    expect(await fetch({ url: `https://${HOST}/` })).toMatchObject({ status: 503, body: "busy" });
  });

  test("keeps a tool without side effects from anything but GET and HEAD", async () => {
    const { fetch } = await setUp((_, response) => response.end());
    await expect(fetch({ url: `https://${HOST}/`, method: "POST", body: "x" })).rejects.toMatchObject({
      name: "FORBIDDEN",
    });
  });

  test("notes that a request which may change something cannot be taken back", async () => {
    const { fetch, call } = await setUp((_, response) => response.end(), { sideEffect: true });
    await fetch({ url: `https://${HOST}/` });
    expect(call.effects.isIrreversible()).toBe(false);
    await fetch({ url: `https://${HOST}/`, method: "POST", body: "x" });
    expect(call.effects.isIrreversible()).toBe(true);
  });

  test.each([
    ["an address of the private network, by name", `https://other.example.com/`],
    ["a name that has been rebound to this machine", `https://other.example.com/rebound`],
    ["an address of the cloud's metadata service, as such", "https://169.254.169.254/latest/meta-data"],
  ])("[abuse 39] refuses %s", async (_, url) => {
    const { fetch } = await setUp((_request, response) => response.end("secret"));
    await expect(fetch({ url })).rejects.toMatchObject({
      name: "EGRESS_DENIED",
      message: expect.stringContaining("is not an address of the public internet"),
    });
  });

  test.each([
    ["a host that the manifest does not list", "https://evil.example.com/"],
    ["the metadata service", "https://169.254.169.254/"],
    ["a name that resolves to a private address", "https://other.example.com/"],
    ["plain http", "http://other.example.com/"],
    ["a file", "file:///etc/passwd"],
  ])("[abuse 39] does not follow a redirect to %s", async (_, location) => {
    const { fetch } = await setUp((_request, response) => response.writeHead(302, { location }).end());
    await expect(fetch({ url: `https://${HOST}/` })).rejects.toMatchObject({ name: "EGRESS_DENIED" });
  });

  test("follows redirects on the same host, turning POST into GET where the standard says so", async () => {
    const { fetch } = await setUp(
      (request, response) => {
        if (request.url === "/final") response.end(`${request.method} ${request.headers["authorization"]}`);
        else response.writeHead(303, { location: "/final" }).end();
      },
      { sideEffect: true },
    );
    const answer = await fetch({ url: `https://${HOST}/`, method: "POST", body: "x", headers: { authorization: "a" } });
    expect(answer).toMatchObject({ status: 200, body: "GET a" });
  });

  test("drops what describes a body from a request that a redirect turns into GET", async () => {
    const { fetch } = await setUp(
      (request, response) => {
        if (request.url === "/final") response.end(JSON.stringify(request.headers));
        else response.writeHead(302, { location: "/final" }).end();
      },
      { sideEffect: true },
    );
    const headers = { "Content-Type": "application/json", "Content-Language": "en", "X-Kept": "yes" };
    const { body } = (await fetch({ url: `https://${HOST}/`, method: "POST", body: "{}", headers })) as {
      body: string;
    };
    const seen = Object.keys(JSON.parse(body));
    expect(seen).toContain("x-kept");
    expect(seen.filter((name) => name.startsWith("content-"))).toEqual([]);
  });

  test("gives up on a redirect loop", async () => {
    const { fetch } = await setUp((_, response) => response.writeHead(302, { location: "/" }).end());
    await expect(fetch({ url: `https://${HOST}/` })).rejects.toMatchObject({
      name: "UPSTREAM_ERROR",
      message: "`api.example.com` redirected more than 5 times.",
    });
  });

  test("stops reading an endless answer at its limit", async () => {
    const { fetch } = await setUp((_, response) => {
      const chunk = Buffer.alloc(64 * 1024, "x");
      const more = () => {
        while (response.write(chunk));
        response.once("drain", more);
      };
      more();
    });
    await expect(fetch({ url: `https://${HOST}/` })).rejects.toMatchObject({
      name: "UPSTREAM_ERROR",
      message: expect.stringContaining(String(FETCH_BODY_LIMIT)),
    });
  });

  test("names the host that did not answer in time", async () => {
    const { fetch } = await setUp(() => undefined);
    await expect(fetch({ url: `https://${HOST}/secret-path`, timeout: 50 })).rejects.toMatchObject({
      name: "UPSTREAM_TIMEOUT",
      message: "`api.example.com` did not answer within 50 ms.",
    });
  });

  test.each([
    ["could not be reached (ECONNREFUSED)", "UPSTREAM_ERROR", undefined],
    ["did not answer within 1000 ms", "UPSTREAM_TIMEOUT", () => undefined],
  ])("names the host that a redirect led to and that %s", async (what, name, listener) => {
    const other = createServer(listener);
    onTestFinished(() => void other.close());
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    if (listener === undefined) await new Promise((resolve) => other.close(resolve));
    onTestFinished(() => other.closeAllConnections());
    const { fetch } = await setUp(
      (_, response) => response.writeHead(302, { location: "https://other.example.com/a?key=b" }).end(),
      { others: [["other.example.com", `http://127.0.0.1:${port}`]] },
    );
    await expect(fetch({ url: `https://${HOST}/`, timeout: 1_000 })).rejects.toMatchObject({
      name,
      message: `\`other.example.com\` ${what}.`,
    });
  });

  test("names the host that could not be reached", async () => {
    const { fetch } = await setUp((_, response) => response.end(), {
      map: [[HOST, `http://127.0.0.1:${await closedPort()}`]],
    });
    await expect(fetch({ url: `https://${HOST}/` })).rejects.toMatchObject({
      name: "UPSTREAM_ERROR",
      message: "`api.example.com` could not be reached (ECONNREFUSED).",
    });
  });

  test.each([
    [{}, "`ctx.fetch`: its arguments must have required property 'url'."],
    [{ url: `https://${HOST}/`, method: "TRACE" }, "`ctx.fetch`: `method` must be equal to one of the allowed values."],
    [{ url: `https://${HOST}/`, headers: { a: 1 } }, "`ctx.fetch`: `headers/a` must be string."],
    [{ url: `https://${HOST}/`, body: "x" }, "`ctx.fetch`: a GET request has no body."],
    [
      { url: `https://${HOST}/`, headers: { "a b": "c" } },
      '`ctx.fetch`: "a b" is not a header that HTTP can carry, or its value is not.',
    ],
    [
      { url: `https://${HOST}/`, headers: { a: "b\r\nexpect: 100-continue" } },
      '`ctx.fetch`: "a" is not a header that HTTP can carry, or its value is not.',
    ],
  ])("refuses the arguments %j", async (args, message) => {
    const { fetch } = await setUp((_, response) => response.end());
    await expect(fetch(args)).rejects.toMatchObject({ name: "BAD_REQUEST", message });
  });

  test.each(
    (
      "Connection Content-Length Expect Host HTTP2-Settings Keep-Alive Proxy-Authorization Proxy-Connection TE Trailer " +
      "Transfer-Encoding Upgrade"
    ).split(" "),
  )("refuses the header %s, which is the connection's", async (name) => {
    const { fetch } = await setUp((_, response) => response.end());
    await expect(fetch({ url: `https://${HOST}/`, headers: { [name]: "1" } })).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: `\`ctx.fetch\`: the header \`${name.toLowerCase()}\` is set by Cairn; leave it out.`,
    });
  });
});
