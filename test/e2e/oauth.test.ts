import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { browse } from "../helpers/browser.ts";
import { runCairn, type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { findFreePort } from "../helpers/free-port.ts";
import { DECODERS } from "../helpers/install-links.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { APP, type AuthorizationServer, startAuthorizationServer } from "../stand-ins/authorization-server.ts";

const CALLBACK = APP.callback;
const TUNER = {
  "manifests/tuner/server.yaml": "name: tuner\ndescription: A second server.\ninstructions: Use it.\n",
  "manifests/tuner/step.yaml":
    "name: tuner.step\nversion: 1.0.0\ndescription: Does step.\ninput: { type: object }\noutput: { type: object }\n",
  "tools/tuner/step.ts": "export default () => ({ stepped: true });\n",
};

/** Asks a service of someone else's. */
const LOOK = {
  handler: `export default async (input, ctx) => ({ body: (await ctx.fetch("https://upstream.example/")).text() });\n`,
  manifest: "uses: [fetch]\negress: [upstream.example]",
};

const shared = createShared();
const upstream: string[] = [];
let issuer: AuthorizationServer;
let opaque: AuthorizationServer;
let cairn: RunningCairn;
let asking: RunningCairn;

/** Takes note of everything that a tool sends. */
async function startUpstream(): Promise<string> {
  const server = createServer((request, response) => {
    upstream.push(JSON.stringify([request.url, request.rawHeaders]));
    response.end("seen");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  shared.atEnd(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(repository: string, options: { format: "jwt" | "opaque" }) {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = await startAuthorizationServer({
    format: options.format,
    claims: { tenant: "acme", roles: ["owner"] },
  });
  shared.atEnd(() => server.close());
  const introspection = {
    CAIRN_OAUTH_INTROSPECTION_URL: `${server.issuer}/token/introspection`,
    CAIRN_OAUTH_CLIENT_ID: server.client.id,
    CAIRN_OAUTH_CLIENT_SECRET: "env:ASKING_SECRET",
    ASKING_SECRET: server.client.secret,
  };
  const running = await startCairn(
    ["serve", repository, "--data", await temporaryFolder(shared.atEnd)],
    {
      PORT: String(port),
      CAIRN_PUBLIC_URL: origin,
      CAIRN_OAUTH_ISSUER: server.issuer,
      CAIRN_OAUTH_ADMIN_ROLE: "owner",
      CAIRN_EGRESS_MAP: `upstream.example=${await startUpstream()}`,
      ...(options.format === "opaque" ? introspection : {}),
    },
    shared.atEnd,
  );
  return [server, running] as const;
}

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const echo = { handler: "export default (input) => input;\n" };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { echo, look: LOOK }, files: TUNER }));
  [issuer, cairn] = await start(repository.path, { format: "jwt" });
  [opaque, asking] = await start(repository.path, { format: "opaque" });
});
afterAll(shared.undoAll);

/** A client's memory of one authorization, and its browser. */
function createProvider() {
  const asked: URL[] = [];
  const kept: { information?: unknown; tokens?: unknown; verifier?: string } = {};
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: "A test",
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => kept.information,
    saveClientInformation: (information: unknown) => void (kept.information = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? "",
    redirectToAuthorization: (url: URL) => void asked.push(url),
  } as OAuthClientProvider;
  /** Lets the user agree to what was asked last; the code that the client gets. */
  const agree = async () => {
    const last = asked.at(-1);
    if (last === undefined) throw new Error("the client asked for nothing");
    const { searchParams } = await browse(last, CALLBACK);
    const code = searchParams.get("code");
    if (code === null) throw new Error(searchParams.get("error_description") ?? "no code");
    return { code, parameters: searchParams };
  };
  return { provider, asked, agree };
}

test("[C2] a client without a token finds the way to one by itself, and makes a call", async () => {
  const { provider, asked, agree } = createProvider();
  const url = new URL(`${cairn.url}/agent/1.0.0/runner`);
  const first = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await expect(new Client({ name: "test", version: "1" }).connect(first as never)).rejects.toThrow("Unauthorized");
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
    resource: url.href,
    scope: "runner",
    code_challenge_method: "S256",
  });
  expect(issuer.requests).toContain("GET /.well-known/oauth-authorization-server");
  expect(issuer.requests).toContain("POST /reg");
  await first.finishAuth((await agree()).code);

  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }) as never);
  const result = await client.callTool({ name: "runner.echo", arguments: { text: "hello" } });
  expect(result.structuredContent).toEqual({ text: "hello" });
});

test("a client of an install link gets a token by itself, and the link has none", async () => {
  const token = await issuer.issue({ resource: cairn.url, scope: "versions:read" });
  const answer = await fetch(`${cairn.url}/versions/1.0.0`, { headers: { authorization: `Bearer ${token}` } });
  const { servers } = (await answer.json()) as { servers: { install: Record<string, { link: string }> }[] };
  const connect = ["connect", "1.0.0", "runner", "--url", cairn.url, "--link", "--client", "cursor"];
  const { stdout, stderr } = await runCairn(connect, { environment: { CAIRN_TOKEN: token } });
  const [link = ""] = stdout.split("\n");
  expect(servers.map(({ install }) => install["cursor"]?.link)).toContain(link);
  expect(stderr).toContain("clients get their own by OAuth when their user signs in");
  const config = DECODERS["cursor"]?.(link).config;
  expect(config).toEqual({ url: `${cairn.url}/agent/1.0.0/runner` });

  const { provider, agree } = createProvider();
  const open = () => new ModernTransport(new URL(String(config?.["url"])), { authProvider: provider as never });
  const client = () => new ModernClient({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const first = open();
  await expect(client().connect(first)).rejects.toThrow(/unauthorized/i);
  await first.finishAuth((await agree()).parameters);
  const second = client();
  onTestFinished(() => second.close());
  await second.connect(open());
  expect((await second.listTools()).tools.map(({ name }) => name)).toContain("runner.echo");
});

test("[C2] a client of the revision without a handshake does the same", async () => {
  const { provider, agree } = createProvider();
  const url = new URL(`${cairn.url}/agent/1.0.0/runner`);
  const connect = async (transport: ModernTransport) => {
    const client = new ModernClient(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    onTestFinished(() => client.close());
    await client.connect(transport);
    return client;
  };
  const first = new ModernTransport(url, { authProvider: provider as never });
  await expect(connect(first)).rejects.toThrow(/unauthorized/i);
  await first.finishAuth((await agree()).parameters);

  const client = await connect(new ModernTransport(url, { authProvider: provider as never }));
  const result = await client.callTool({ name: "runner.echo", arguments: { text: "hello" } });
  expect(result.structuredContent).toEqual({ text: "hello" });
});

test("a client whose token lacks a scope is told which, asks for it, and goes on", async () => {
  const { provider, asked, agree } = createProvider();
  // It is known to the issuer, so it need not register, and asks for tokens for the whole service.
  await provider.saveClientInformation?.({ client_id: APP.id });
  provider.validateResourceURL = async () => new URL(cairn.url);
  const runner = new URL(`${cairn.url}/agent/1.0.0/runner`);
  const first = new StreamableHTTPClientTransport(runner, { authProvider: provider });
  await expect(new Client({ name: "test", version: "1" }).connect(first as never)).rejects.toThrow("Unauthorized");
  await first.finishAuth((await agree()).code);

  const tuner = new URL(`${cairn.url}/agent/1.0.0/tuner`);
  const second = new StreamableHTTPClientTransport(tuner, { authProvider: provider });
  await expect(new Client({ name: "test", version: "1" }).connect(second as never)).rejects.toThrow();
  expect(asked.at(-1)?.searchParams.get("scope")).toBe("tuner");
  await second.finishAuth((await agree()).code);

  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(tuner, { authProvider: provider }) as never);
  const result = await client.callTool({ name: "tuner.step", arguments: {} });
  expect(result.structuredContent).toEqual({ stepped: true });
});

const post = (path: string, token: string, url = cairn.url) =>
  fetch(url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });

test("[abuse 31] a token is good for the resource it was issued for and what is below it, and nothing else", async () => {
  const scope = "runner tuner versions:read";
  const [service, agent, runner] = await Promise.all(
    ["", "/agent/1.0.0", "/agent/1.0.0/runner"].map((path) => issuer.issue({ resource: cairn.url + path, scope })),
  );
  const other = await issuer.issue({ resource: "http://127.0.0.1:1/agent/1.0.0/runner", scope });
  const status = async (path: string, token = "") => (await post(path, token)).status;
  expect(await status("/agent/1.0.0/runner", service)).toBe(200);
  expect(await status("/agent/1.0.0/runner", agent)).toBe(200);
  expect(await status("/agent/1.0.0/runner", runner)).toBe(200);
  expect(await status("/agent/1.0.0/tuner", runner)).toBe(401);
  expect(await status("/agent/latest/runner", runner)).toBe(401);
  expect(await status("/agent/1.0.0/runner", other)).toBe(401);
});

test("[abuse 31] no tool sends a caller's token on, and one for another service gets no tool to run", async () => {
  const look = (token: string) =>
    fetch(`${cairn.url}/agent/1.0.0/api/tools/runner.look`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: "{}",
    });
  const good = await issuer.issue({ resource: cairn.url, scope: "runner" });
  expect(await (await look(good)).json()).toMatchObject({ body: "seen" });
  const passed = await issuer.issue({ resource: "http://upstream.example", scope: "runner" });
  expect((await look(passed)).status).toBe(401);
  expect(upstream).toHaveLength(1);
  expect(upstream[0]).not.toMatch(/authorization|eyJ/i);
});

test("[abuse 33] a token with the scope of the runner is no good for the tuner: 403 with what is missing", async () => {
  const token = await issuer.issue({ resource: cairn.url, scope: "runner" });
  const response = await post("/agent/1.0.0/tuner", token);
  expect(response.status).toBe(403);
  expect(response.headers.get("www-authenticate")).toBe(
    'Bearer realm="cairn", error="insufficient_scope", ' +
      'error_description="This address needs credentials with the scope `tuner`.", scope="tuner", ' +
      `resource_metadata="${cairn.url}/.well-known/oauth-protected-resource/agent/1.0.0/tuner"`,
  );
});

test("a token that only its issuer can read is asked about once", async () => {
  const token = await opaque.issue({ resource: asking.url, scope: "runner" });
  const count = () => opaque.requests.filter((request) => request === "POST /token/introspection").length;
  const before = count();
  expect((await post("/agent/1.0.0/runner", token, asking.url)).status).toBe(200);
  expect((await post("/agent/1.0.0/runner", token, asking.url)).status).toBe(200);
  expect((await post("/agent/1.0.0/tuner", token, asking.url)).status).toBe(403);
  expect(count() - before).toBe(1);
  const made = await post("/agent/1.0.0/runner", "made-up", asking.url);
  expect([made.status, (await post("/agent/1.0.0/runner", "made-up", asking.url)).status]).toEqual([401, 401]);
  expect(count() - before).toBe(2);
});

test("metadata is the same for versions that exist and those that do not", async () => {
  const read = async (path: string) => {
    const response = await fetch(`${cairn.url}/.well-known/oauth-protected-resource${path}`);
    return [response.status, await response.json()];
  };
  const expected = (version: string) => ({
    resource: `${cairn.url}/agent/${version}/runner`,
    authorization_servers: [issuer.issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: ["runner"],
    resource_name: `runner, version ${version}`,
    resource_documentation: `${cairn.url}/agent/${version}`,
  });
  expect(await read("/agent/1.0.0/runner")).toEqual([200, expected("1.0.0")]);
  expect(await read("/agent/9.9.9/runner")).toEqual([200, expected("9.9.9")]);
  expect(await read("")).toMatchObject([200, { resource: cairn.url, scopes_supported: ["versions:read"] }]);
  const challenge = async (version: string) => {
    const { status, headers } = await fetch(`${cairn.url}/agent/${version}/runner`, { method: "POST", body: "{}" });
    return [status, headers.get("www-authenticate")?.replace(version, "VERSION")];
  };
  expect(await challenge("9.9.9")).toEqual(await challenge("1.0.0"));
});

test("a page of an allowed origin can read how to be let in", async () => {
  const { headers } = await fetch(`${cairn.url}/agent/1.0.0/runner`, {
    method: "POST",
    headers: { origin: "http://localhost:9" },
    body: "{}",
  });
  expect(headers.get("access-control-allow-origin")).toBe("http://localhost:9");
  expect(headers.get("access-control-expose-headers")).toContain("www-authenticate");
});
