import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { expectSchema } from "../helpers/schemas.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const ECHO = {
  handler: "export default ({ text }) => ({ text });\n",
  manifest: `deterministic: true
input:
  type: object
  required: [text]
  properties:
    text: { type: string, maxLength: 20 }
    mode: { type: string, enum: [a, b], default: a }
  additionalProperties: false
output: { type: object, required: [text], properties: { text: { type: string } } }
examples: [{ description: Says it again, input: { text: hi }, output: { text: hi } }]`,
};

/** Answers with more than fits a packet. */
const LONG = {
  handler: 'export default () => ({ text: "again ".repeat(1000) });\n',
  manifest: "output: { type: object, required: [text], properties: { text: { type: string } } }",
};

const GUARDED = {
  handler: "export default () => ({});\n",
  manifest: "requiredCapabilities: [secrets.read]",
};

const readSchema = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends what it is given and nothing else, and unpacks nothing. */
async function send(url: string, headers: Record<string, string> = {}, method = "GET", body?: object): Promise<Answer> {
  const request = requestHttp(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return {
    status: response.statusCode,
    headers: response.headers,
    body: Buffer.concat(await response.toArray()),
  };
}

const shared = createShared();
let service: ReturnType<typeof serve>;
beforeAll(() => {
  service = serve();
  return service.then(() => undefined);
});
afterAll(shared.undoAll);

/** A service with versions 1.0.0 (stable), 2.0.0-rc.1 that has two tools more, and a broken 1.1.0. */
async function serve(): Promise<{ url: string; commits: Record<string, string> }> {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const commits: Record<string, string> = {};
  for (const [version, parent] of [["1.0.0"], ["2.0.0-rc.1", "1.0.0"]] as const) {
    const options =
      parent === undefined
        ? { tools: { echo: ECHO } }
        : { parent, tools: { echo: ECHO, guarded: GUARDED, long: LONG } };
    commits[version] = await repository.commit(agentFiles({ version, ...options, labels: { stable: "1.0.0" } }));
    await repository.tag(`v${version}`);
  }
  commits["1.1.0"] = await repository.commit({ "manifests/runner/echo.yaml": "name: runner.echo\n" });
  await repository.tag("v1.1.0");
  await repository.git("checkout", "--quiet", "v1.0.0", "-B", "main");
  const { url } = await startCairn(
    ["serve", repository.path, "--data", await temporaryFolder(shared.atEnd)],
    {},
    shared.atEnd,
  );
  return { url, commits };
}

describe("GET /versions", () => {
  test("[V4] [V5] [V6] [V8] matches its schema to the letter and pages, filters and tells what to pin", async () => {
    const { url, commits } = await service;
    expect(readSchema("schemas/version-list.schema.json")).toEqual(
      readSchema("test/fixtures/contracts/version_manager.output.json"),
    );
    const list = async (query = "") => {
      const body = (await (await fetch(`${url}/versions${query}`)).json()) as { versions: Record<string, unknown>[] };
      expectSchema("version-list", body);
      return body;
    };

    expect(await list()).toEqual({
      versions: [
        {
          version: "1.0.0",
          commit_hash: commits["1.0.0"],
          created_at: "2026-01-01T00:01:00.000Z",
          changelog_uri: `${url}/versions/${commits["1.0.0"]}/changelog`,
          tests: { status: "unknown", summary_uri: `${url}/versions/${commits["1.0.0"]}` },
          tags: ["stable"],
          runner: { mcp_endpoint: "/agent/1.0.0/runner" },
          architect: { rest_endpoint: "/agent/1.0.0/architect/chat" },
        },
      ],
      pagination: { limit: 50, offset: 0, total_estimate: 1 },
    });
    const all = await list("?include_unstable=true");
    expect(all.versions.map(({ version, tags, tests }) => [version, tags, tests])).toEqual([
      ["2.0.0", ["pre-release"], expect.objectContaining({ status: "unknown" })],
      ["1.1.0", ["quarantined"], expect.objectContaining({ status: "fail" })],
      ["1.0.0", ["stable"], expect.objectContaining({ status: "unknown" })],
    ]);
    expect(await list("?include_unstable=true&limit=1&offset=1")).toMatchObject({
      versions: [{ version: "1.1.0" }],
      pagination: { limit: 1, offset: 1, total_estimate: 3 },
    });
    expect(await list("?include_unstable=true&limit=0")).toMatchObject({
      versions: [],
      pagination: { limit: 0, total_estimate: 3 },
    });
    expect(
      (await list("?include_unstable=true&since=2026-01-01T01:02:30%2B01:00")).versions.map(({ version }) => version),
    ).toEqual(["2.0.0", "1.1.0"]);
    expect((await list("?since=2999-01-01T00:00:00Z")).versions).toEqual([]);

    const detail = await (await fetch(`${url}/versions/2.0.0-rc.1`)).json();
    expect(detail).toMatchObject({
      semver: "2.0.0-rc.1",
      tag: "v2.0.0-rc.1",
      state: "served",
      parent: { named: "1.0.0", commit: commits["1.0.0"] },
    });
    expectSchema("version-detail", detail);
    expectSchema("version-detail", await (await fetch(`${url}/versions/1.1.0`)).json());
    const changelog = await fetch(`${url}/versions/1.0.0/changelog`);
    expect(changelog.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(await changelog.text()).toContain("- Changes of 1.0.0.");
  });

  test.each([
    ["limit=-1", "limit"],
    ["limit=ten", "limit"],
    ["limit=1001", "limit"],
    ["limit=1&limit=2", "limit"],
    ["offset=1.5", "offset"],
    ["include_unstable=yes", "include_unstable"],
    ["since=yesterday", "since"],
    ["since=2026-01-01", "since"],
    ["page=2", "page"],
  ])("[V5] answers ?%s with 400 and the name of the parameter", async (query, parameter) => {
    const { url } = await service;
    const response = await fetch(`${url}/versions?${query}`);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code: 2000, name: "BAD_REQUEST", details: { parameter } });
  });
});

describe("the REST interface of a version", () => {
  test("[G4] lists tools with every field of their definition", async () => {
    const { url } = await service;
    const list = (await (await fetch(`${url}/agent/1.0.0/api/tools`)).json()) as { tools: object[] };
    expectSchema("tool-list", list);
    expect(list.tools).toEqual([
      {
        name: "runner.echo",
        server: "runner",
        version: "1.0.0",
        description: "Does echo.",
        inputSchema: expect.objectContaining({ required: ["text"] }),
        outputSchema: expect.objectContaining({ required: ["text"] }),
        deterministic: true,
        sideEffect: false,
        idempotent: true,
        cost: { units: 0 },
        requiredCapabilities: [],
        tenantScoped: true,
        session: "stateless",
        examples: [{ description: "Says it again", input: { text: "hi" }, output: { text: "hi" } }],
      },
    ]);
  });

  test("[R1] calls a tool: the body is its input, the answer its output, and a header names the call", async () => {
    const { url } = await service;
    const response = await post(`${url}/agent/1.0.0/api/tools/runner.echo`, { text: "hello" });
    expect([response.status, await response.json()]).toEqual([200, { text: "hello" }]);
    expect(response.headers.get("cairn-conversation-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("[D1] publishes OpenAPI 3.1 that an independent validator accepts", async () => {
    const { url } = await service;
    const document = (await (await fetch(`${url}/agent/1.0.0/openapi.json`)).json()) as Record<string, unknown>;
    expect((await new Validator().validate(document)).errors).toBeUndefined();
    expect(document).toMatchObject({
      openapi: "3.1.1",
      paths: { "/api/tools/runner.echo": { post: { operationId: "runner.echo" } } },
    });
  });

  test.each([
    ["a wrong input", "runner.echo", { text: 5, extra: 1 }, 400, "BAD_REQUEST", "`text` must be a string"],
    ["an unknown tool", "runner.nothing", {}, 404, "INVALID_TOOL", "it has: runner.echo"],
    ["no JSON", "runner.echo", "{", 400, "PARSE_ERROR", "not well-formed JSON"],
    ["an array", "runner.echo", [], 400, "BAD_REQUEST", "the value must be an object"],
  ])("answers %s with problem details that say what would be right", async (_, tool, body, status, name, detail) => {
    const { url } = await service;
    const response = await post(`${url}/agent/1.0.0/api/tools/${tool}`, body);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const problem: unknown = await response.json();
    expectSchema("problem-details", problem);
    expect(problem).toMatchObject({
      type: `urn:cairn:error:${name}`,
      status,
      name,
      detail: expect.stringContaining(detail),
    });
  });

  test.each([
    ["text/plain", {}, 415],
    ["application/json", { "content-encoding": "gzip" }, 415],
  ])("refuses the content type %s with %j", async (type, headers, status) => {
    const { url } = await service;
    const response = await post(
      `${url}/agent/1.0.0/api/tools/runner.echo`,
      { text: "x" },
      { "content-type": type, ...headers },
    );
    expect(response.status).toBe(status);
  });

  test("refuses a body over 1 MB before it is parsed", async () => {
    const { url } = await service;
    const response = await post(`${url}/agent/1.0.0/api/tools/runner.echo`, `{"text":"${"x".repeat(1024 * 1024)}"}`);
    expect([response.status, ((await response.json()) as { name: string }).name]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test("does not answer pages from elsewhere, nor under names from elsewhere", async () => {
    const { url } = await service;
    expect((await fetch(`${url}/versions`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    const allowed = await fetch(`${url}/versions`, { headers: { origin: "http://localhost:5173" } });
    expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "http://localhost:5173",
    ]);
    const preflight = await fetch(`${url}/agent/1.0.0/runner`, {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:5173",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,mcp-protocol-version",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type,mcp-protocol-version");
  });

  test("answers HEAD like GET, without the body", async () => {
    const { url } = await service;
    const head = await fetch(`${url}/agent/1.0.0/openapi.json`, { method: "HEAD" });
    expect([head.status, head.headers.get("cairn-version"), await head.text()]).toEqual([200, "1.0.0", ""]);
  });

  test.each([
    "/",
    "/agent",
    "/agent/1.0.0/nothing/here",
    "/versions/1.0.0/nothing",
    "/agent/%2e%2e/api/tools",
    "/agent/..%2f..%2fetc/api/tools",
    "/agent/a%00b/api/tools",
    "/agent/%zz/api/tools",
    "/agent//runner",
  ])("answers %s with a 404 that says where to begin", async (path) => {
    const { url } = await service;
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toHaveProperty("code");
  });
});

const FOR_EVER = "public, max-age=31536000, immutable";
const FOR_ALL = "Accept-Encoding, Origin";

describe("an answer that may be kept", () => {
  const addresses = (commit: string | undefined): [path: string, cacheControl: string, vary: string][] => [
    ["/versions", "no-cache", FOR_ALL],
    ["/versions/1.0.0", "no-cache", FOR_ALL],
    [`/versions/${commit}`, "no-cache", FOR_ALL],
    ["/versions/1.0.0/changelog", "no-cache", FOR_ALL],
    [`/agent/${commit}`, "no-cache", FOR_ALL],
    ["/agent/1.0.0/openapi.json", FOR_EVER, FOR_ALL],
    [`/agent/${commit}/openapi.json`, FOR_EVER, FOR_ALL],
    [`/agent/${commit?.slice(0, 7)}/openapi.json`, "no-cache", FOR_ALL],
    ["/agent/stable/openapi.json", "no-cache", FOR_ALL],
    ["/agent/latest/openapi.json", "no-cache", FOR_ALL],
    ["/agent/^1/openapi.json", "no-cache", FOR_ALL],
    ["/agent/1.0.0/api/tools", FOR_EVER, FOR_ALL],
    ["/agent/stable/api/tools", "no-cache", FOR_ALL],
    ["/agent/1.0.0/api/tools/runner.echo", FOR_EVER, FOR_ALL],
    ["/agent/latest/api/tools/runner.echo", "no-cache", FOR_ALL],
    // It lists a tool that not everyone may use.
    ["/agent/2.0.0-rc.1/api/tools", "private, no-cache", "Accept-Encoding, Authorization, Origin"],
  ];

  test("[V1] says for how long, and is a 304 to whoever has it", async () => {
    const { url, commits } = await service;
    for (const [path, cacheControl, vary] of addresses(commits["1.0.0"])) {
      const full = await send(url + path);
      const tag = full.headers.etag ?? "";
      expect([path, full.status, full.headers["cache-control"], full.headers.vary, tag]).toEqual([
        path,
        200,
        cacheControl,
        vary,
        expect.stringMatching(/^"[\w-]{22}"$/),
      ]);
      expect(full.headers["content-length"]).toBe(String(full.body.length));

      const had = await send(url + path, { "if-none-match": `"other", W/${tag}` });
      const { etag, "cache-control": control, vary: varies, ...others } = had.headers;
      expect([path, had.status, etag, control, varies, had.body.length]).toEqual([
        path,
        304,
        tag,
        cacheControl,
        vary,
        0,
      ]);
      for (const name of ["cairn-commit", "cairn-version", "link"]) expect(others[name]).toBe(full.headers[name]);
      expect(others).not.toHaveProperty("content-length");

      expect((await send(url + path, { "if-none-match": "*" })).status).toBe(304);
      const otherwise = await send(url + path, { "if-none-match": '"other"' });
      expect([otherwise.status, otherwise.body]).toEqual([200, full.body]);

      const head = await send(url + path, {}, "HEAD");
      const without = ({ date: _date, ...headers }: IncomingHttpHeaders) => headers;
      expect([head.status, without(head.headers), head.body.length]).toEqual([200, without(full.headers), 0]);
      expect((await send(url + path, { "if-none-match": tag }, "HEAD")).status).toBe(304);
    }
  });

  test("is a 304 to fetch, which sends the tag it was given", async () => {
    const { url } = await service;
    const first = await fetch(`${url}/agent/stable/openapi.json`);
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    const second = await fetch(`${url}/agent/stable/openapi.json`, { headers });
    expect([second.status, await second.text(), second.headers.get("cairn-version")]).toEqual([304, "", "1.0.0"]);
    expect((await fetch(`${url}/agent/2.0.0-rc.1/openapi.json`, { headers })).status).toBe(200);
  });

  test("names the origin of the page that asked, and varies with it", async () => {
    const { url } = await service;
    const { headers } = await send(`${url}/agent/1.0.0/openapi.json`, { origin: "http://localhost:5173" });
    expect([headers["access-control-allow-origin"], headers.vary]).toEqual([
      "http://localhost:5173",
      "Accept-Encoding, origin",
    ]);
  });
});

describe("an answer that may not be kept", () => {
  test.each([
    ["a call", "POST", "/agent/1.0.0/api/tools/runner.echo", { text: "x" }, 200],
    ["a call that failed", "POST", "/agent/1.0.0/api/tools/runner.echo", {}, 400],
    ["a refresh", "POST", "/versions/refresh", undefined, 200],
    ["a version that is not there", "GET", "/agent/9.9.9/openapi.json", undefined, 404],
    ["a version that is quarantined", "GET", "/agent/1.1.0/api/tools", undefined, 404],
    ["a tool that is not there", "GET", "/agent/1.0.0/api/tools/gone", undefined, 404],
    ["a wrong query", "GET", "/versions?limit=x", undefined, 400],
  ])("says so, and has no tag: %s", async (_, method, path, body, status) => {
    const { url } = await service;
    const answer = await send(url + path, { "if-none-match": "*" }, method, body);
    expect([answer.status, answer.headers["cache-control"], answer.headers.etag]).toEqual([
      status,
      "no-store",
      undefined,
    ]);
  });
});

describe("a body of 1,400 bytes or more", () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;

  test.each(["br", "gzip"] as const)("is packed for whoever takes %s", async (encoding) => {
    const { url } = await service;
    const path = `${url}/agent/1.0.0/openapi.json`;
    const plain = await send(path);
    const packed = await send(path, { "accept-encoding": encoding });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect(packed.headers).toMatchObject({
      "content-encoding": encoding,
      "content-length": String(packed.body.length),
      "content-type": "application/json",
      vary: FOR_ALL,
      etag: `${plain.headers.etag?.slice(0, -1)}-${encoding}"`,
    });
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    expect(unpack[encoding](packed.body)).toEqual(plain.body);
    const tag = packed.headers.etag ?? "";
    expect((await send(path, { "accept-encoding": encoding, "if-none-match": tag })).status).toBe(304);
    expect((await send(path, { "if-none-match": tag })).status).toBe(200);
    const head = await send(path, { "accept-encoding": encoding }, "HEAD");
    expect(head.headers).toMatchObject({
      "content-encoding": encoding,
      "content-length": String(packed.body.length),
      etag: tag,
    });
  });

  test("is packed when it is the answer to a call, too", async () => {
    const { url } = await service;
    const path = `${url}/agent/2.0.0-rc.1/api/tools/runner.long`;
    const packed = await send(path, { "accept-encoding": "gzip;q=0.5, br;q=0.1" }, "POST", {});
    expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual({ text: "again ".repeat(1000) });
    expect(await (await post(path, {})).json()).toEqual({ text: "again ".repeat(1000) });
  });

  test("is not packed for those who do not take it, and smaller ones are not at all", async () => {
    const { url } = await service;
    for (const accept of ["", "identity", "deflate, zstd", "br;q=0, gzip;q=0", "identity, br;q=0.5"]) {
      const { headers } = await send(`${url}/agent/1.0.0/openapi.json`, { "accept-encoding": accept });
      expect([accept, headers["content-encoding"]]).toEqual([accept, undefined]);
    }
    const small = await send(`${url}/agent/1.0.0/api/tools`, { "accept-encoding": "br, gzip" });
    expect(small.headers).not.toHaveProperty("content-encoding");
    expect(JSON.parse(small.body.toString())).toHaveProperty("tools.0.name", "runner.echo");
  });

  test("is refused with 406 where no form of it is allowed, before a call is made", async () => {
    const { url } = await service;
    for (const method of ["GET", "POST"]) {
      const path = `${url}/agent/1.0.0/api/tools/runner.echo`;
      const answer = await send(
        path,
        { "accept-encoding": "*;q=0" },
        method,
        method === "POST" ? { text: "x" } : undefined,
      );
      expect([answer.status, answer.headers["cairn-conversation-id"]]).toEqual([406, undefined]);
      expect(JSON.parse(answer.body.toString())).toMatchObject({ name: "NOT_ACCEPTABLE" });
    }
  });
});
