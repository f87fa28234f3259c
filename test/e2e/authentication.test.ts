import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { runCairn, runInProcess, type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { DECODERS } from "../helpers/install-links.ts";
import { type RawRequest, sendRaw } from "../helpers/raw-http.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const MCP = "/agent/1.0.0/runner";
const REST = "/agent/1.0.0/api/tools/runner.echo";
const JSON_HEADERS: readonly (readonly [string, string])[] = [
  ["Content-Type", "application/json"],
  ["Accept", "application/json, text/event-stream"],
];
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

const shared = createShared();
let cairn: RunningCairn;
let data: string;
let repository: string;
let token: string;

beforeAll(async () => {
  data = await temporaryFolder(shared.atEnd);
  const made = await createRepository(await temporaryFolder(shared.atEnd));
  const echo = { handler: "export default (input) => input;\n" };
  const keep = {
    manifest: "sideEffect: true\nuses: [state.write]",
    handler: 'export default async (input, ctx) => (await ctx.state.set(["kept"], 1), {});\n',
  };
  await made.release("1.0.0", agentFiles({ version: "1.0.0", tools: { echo, keep } }));
  repository = made.path;
  token = await createToken("runner,versions:read");
  cairn = await startCairn(["serve", repository, "--data", data], { CAIRN_LOG_LEVEL: "debug" }, shared.atEnd);
});
afterAll(shared.undoAll);

async function createToken(scopes: string, ...more: readonly string[]): Promise<string> {
  return createTokenIn(data, scopes, ...more);
}

async function createTokenIn(folder: string, scopes: string, ...more: readonly string[]): Promise<string> {
  const args = ["token", "create", "--tenant", "acme", "--actor", "ci", "--scopes", scopes, "--data", folder, ...more];
  const { stdout, stderr } = await runInProcess(args);
  if (stdout === "") throw new Error(stderr);
  return stdout.trim();
}

function send(path: string, request: Omit<RawRequest, "path"> = {}, bearer?: string) {
  const authorization = bearer === undefined ? [] : ([["Authorization", `Bearer ${bearer}`]] as const);
  const headers = [...JSON_HEADERS, ...authorization, ...(request.headers ?? [])];
  return sendRaw(cairn.url, { path, ...request, headers });
}

describe("without a token", () => {
  test.each([
    ["GET", "/versions"],
    ["GET", "/versions/1.0.0"],
    ["GET", "/versions/1.0.0/changelog"],
    ["POST", "/versions/refresh"],
    ["GET", "/agent/1.0.0"],
    ["GET", "/agent/1.0.0/openapi.json"],
    ["GET", "/agent/1.0.0/api/tools"],
    ["GET", REST],
    ["POST", REST],
    ["POST", MCP],
    ["GET", MCP],
    ["DELETE", MCP],
    ["GET", "/nothing/here"],
  ])("[C2] [V7] [abuse 30] %s %s is answered with 401 and how to be let in", async (method, path) => {
    const { status, headers, body } = await send(path, { method, ...(method === "POST" ? { body: PING } : {}) });
    expect([status, headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Bearer realm="cairn"/)]);
    expect(body).toContain("UNAUTHENTICATED");
    expect(body).not.toContain("runner.echo");
  });

  test("nobody learns which versions exist", async () => {
    const answers = await Promise.all(
      ["1.0.0", "9.9.9", "latest", "%2e%2e"].flatMap((version) => [
        send(`/agent/${version}/runner`, { body: PING }),
        send(`/agent/${version}/other`, { body: PING }),
      ]),
    );
    const bodies = new Set(answers.map(({ status, body }) => `${status} ${body}`));
    expect(bodies.size).toBe(1);
  });

  test("without an issuer there is no metadata that leads to one", async () => {
    expect(await send("/.well-known/oauth-protected-resource", { method: "GET" })).toMatchObject({ status: 404 });
    expect(await send("/.well-known/openid-configuration", { method: "GET" })).toMatchObject({ status: 404 });
  });

  test("[V7] `/versions` can be opened for reading, and nothing else with it", async () => {
    const folder = await temporaryFolder();
    await createTokenIn(folder, "*");
    const open = await startCairn(["serve", repository, "--data", folder], { CAIRN_PUBLIC_VERSIONS: "true" });
    const status = async (path: string, method = "GET") => (await fetch(open.url + path, { method })).status;
    expect(await status("/versions")).toBe(200);
    expect(await status("/versions/1.0.0")).toBe(200);
    expect(await status("/versions/1.0.0/changelog")).toBe(200);
    expect(await status("/versions/refresh", "POST")).toBe(401);
    expect(await status("/agent/1.0.0")).toBe(401);
    expect(await status("/agent/1.0.0/api/tools")).toBe(401);
  });
});

describe("with a token", () => {
  test("[C2] every address answers that its scopes allow", async () => {
    expect(await send(MCP, { body: PING }, token)).toMatchObject({ status: 200 });
    expect(await send("/versions", { method: "GET" }, token)).toMatchObject({ status: 200 });
    expect(await send(REST, { body: '{"a":1}' }, token)).toMatchObject({ status: 200, body: '{"a":1}' });
    expect(await send("/agent/1.0.0/tuner", { body: PING }, token)).toMatchObject({ status: 403 });
    expect(await send("/versions/refresh", {}, token)).toMatchObject({ status: 403 });
  });

  test("what it took a token to get is kept by nobody in between", async () => {
    const { headers } = await send("/agent/1.0.0/openapi.json", { method: "GET" }, token);
    expect(headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
  });

  test("an address is no place for it", async () => {
    expect(await send(`/versions?access_token=${token}`, { method: "GET" })).toMatchObject({ status: 400 });
    expect(await send(`${MCP}?access_token=${token}`, { body: PING }, token)).toMatchObject({ status: 400 });
  });

  test("there is one place for it", async () => {
    for (const other of [token, "other"]) {
      const twice = { body: PING, headers: [["authorization", `Bearer ${other}`]] as const };
      expect(await send(MCP, twice, token)).toMatchObject({ status: 400 });
      expect(await send("/versions", { ...twice, method: "GET" }, token)).toMatchObject({ status: 400 });
    }
  });

  test("one that is too long is refused before anything is done with it", async () => {
    expect(await send(MCP, { body: PING }, "a".repeat(10_000))).toMatchObject({ status: 401 });
    expect(await send(MCP, { body: PING }, "a".repeat(20_000))).toMatchObject({ status: 431 });
  });

  test("a revoked one is refused within a second, while the service runs", async () => {
    const other = await createToken("*");
    expect(await send("/versions", { method: "GET" }, other)).toMatchObject({ status: 200 });
    expect(await runCairn(["token", "revoke", other, "--data", data])).toMatchObject({ code: 0 });
    const answer = await eventually(async () => {
      const refused = await send("/versions", { method: "GET" }, other);
      expect(refused.status).toBe(401);
      return refused;
    });
    expect(answer.headers.get("www-authenticate")).toBe(
      'Bearer realm="cairn", error="invalid_token", error_description="The token was revoked."',
    );
  });

  test("nothing of one is in logs, answers or records", async () => {
    const other = await createToken("*", "--roles", "*");
    const secret = other.slice(23);
    const wrong = `${other.slice(0, 23)}${"A".repeat(43)}`;
    const answers = [
      await send(REST, { body: '{"a":1}' }, other),
      await send(MCP, { body: PING }, other),
      await send(REST, { body: "{" }, other),
      await send(REST, { body: "{}" }, wrong),
      await send("/nothing", { method: "GET" }, other),
      await send(`/versions?access_token=${other}`, { method: "GET" }),
    ];
    await runInProcess(["token", "revoke", other, "--data", data]);
    await cairn.stop();
    const files = (await readdir(data, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    const stored = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name))));
    expect(stored.length).toBeGreaterThan(0);
    for (const planted of [secret, "A".repeat(43)]) {
      expect(JSON.stringify(answers)).not.toContain(planted);
      expect(cairn.output()).not.toContain(planted);
      expect(stored.some((bytes) => bytes.includes(planted))).toBe(false);
    }
    cairn = await startCairn(["serve", repository, "--data", data], {}, shared.atEnd);
  });
});

describe("commands", () => {
  const ask = (args: readonly string[], environment = {}, run = runInProcess) =>
    run([...args, "--url", cairn.url], { environment: { ...environment } });

  test("send the token of CAIRN_TOKEN or a file, and say when they need one", async () => {
    const file = join(await temporaryFolder(), "token");
    await writeFile(file, `${token}\n`);
    const withToken = { CAIRN_TOKEN: token };
    expect(await ask(["versions"], withToken, runCairn)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1.0.0"),
    });
    expect(await ask(["versions", "--token-file", file])).toMatchObject({ code: 0 });
    const call = ["call", "1.0.0", "runner.echo", '{"a":1}'];
    expect(await ask(call, withToken, runCairn)).toMatchObject({ code: 0, stdout: '{\n  "a": 1\n}\n' });
    for (const args of [["versions"], call, ["connect", "1.0.0", "runner"]]) {
      expect(await ask(args)).toMatchObject({ code: 1, stderr: expect.stringContaining("CAIRN_TOKEN") });
      const refused = await ask(args, { CAIRN_TOKEN: "wrong" });
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("does not take the token") });
    }
  });

  test("`stdio` finds the service that wants a token, and tells its client what is wrong", async () => {
    const ping = async (server: string, environment: Record<string, string>) => {
      const running = promisify(execFile)(process.execPath, ["bin/cairn.mjs", "stdio", "1.0.0", server], {
        env: { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: new URL(cairn.url).port, ...environment },
      });
      running.child.stdin?.end(`${PING}\n`);
      const { stdout, stderr } = await running;
      expect(stderr).toBe("");
      return JSON.parse(stdout) as unknown;
    };
    expect(await ping("runner", { CAIRN_TOKEN: token })).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(await ping("runner", {})).toMatchObject({
      id: 1,
      error: { code: 2100, message: expect.stringContaining("put it into CAIRN_TOKEN") },
    });
    expect(await ping("tuner", { CAIRN_TOKEN: token })).toMatchObject({
      id: 1,
      error: { code: 2103, message: expect.stringContaining("the scope `tuner`") },
    });
  });

  test("`connect` prints references to the token and never the token", async () => {
    const file = join(await temporaryFolder(), "token");
    await writeFile(file, token);
    const connect = ["connect", "1.0.0", "runner"];
    for (const printed of [
      await ask(connect, { CAIRN_TOKEN: token }),
      await ask([...connect, "--token-file", file]),
      await ask([...connect, "--token-file", file, "--stdio"]),
    ]) {
      expect(printed.code).toBe(0);
      expect(printed.stdout + printed.stderr).not.toContain(token.slice(23));
    }
    const cursor = await ask([...connect, "--client", "cursor"], { CAIRN_TOKEN: token });
    expect(JSON.parse(cursor.stdout)).toMatchObject({
      mcpServers: { "test-agent-runner": { headers: { Authorization: "Bearer ${env:CAIRN_TOKEN}" } } },
    });
    const zed = await ask([...connect, "--client", "zed", "--token-file", file]);
    expect(JSON.parse(zed.stdout)).toMatchObject({
      context_servers: { "test-agent-runner": { args: expect.arrayContaining(["stdio", "--token-file", file]) } },
    });
  });

  test("`connect` puts references to the token into links and files, and never the token", async () => {
    const folder = await temporaryFolder();
    const connect = ["connect", "1.0.0", "runner", "--client", "vscode"];
    const links = await ask([...connect, "--link"], { CAIRN_TOKEN: token });
    const entry = { type: "http", headers: { Authorization: "Bearer ${input:cairn-token}" } };
    const inputs = [expect.objectContaining({ id: "cairn-token", password: true })];
    expect(DECODERS["vscode"]?.(links.stdout.split("\n")[0] ?? "").config).toMatchObject({ ...entry, inputs });
    expect(links.stderr).toContain("VS Code asks for the token once");
    const file = join(folder, "mcp.json");
    const written = await ask([...connect, "--write", "--file", file, "--yes"], { CAIRN_TOKEN: token });
    const text = await readFile(file, "utf8");
    expect(JSON.parse(text)).toMatchObject({ inputs, servers: { "test-agent-runner": entry } });
    const answer = await fetch(`${cairn.url}/versions/1.0.0`, { headers: { authorization: `Bearer ${token}` } });
    const { servers } = (await answer.json()) as { servers: { install: Record<string, { link: string }> }[] };
    expect(DECODERS["vscode"]?.(servers[0]?.install["vscode"]?.link ?? "").config).toMatchObject({ ...entry, inputs });
    const all = links.stdout + links.stderr + written.stdout + written.stderr + text + JSON.stringify(servers);
    expect(all).not.toContain(token.slice(23));
    expect((await fetch(`${cairn.url}/versions/1.0.0`)).status).toBe(401);
  });
});

describe("a service that others can reach", () => {
  const serve = async (environment: Record<string, string>, folder?: string) =>
    runCairn(["serve", repository, "--data", folder ?? (await temporaryFolder())], {
      environment: { PORT: "0", HOST: "0.0.0.0", CAIRN_LOG_LEVEL: "silent", ...environment },
    });

  test("does not start without authentication, and says what to do", async () => {
    const { code, stdout, stderr } = await serve({});
    expect([code, stdout]).toEqual([2, ""]);
    for (const name of ["HOST is `0.0.0.0`", "CAIRN_AUTH=tokens", "cairn token create", "CAIRN_OAUTH_ISSUER"]) {
      expect(stderr).toContain(name);
    }
  });

  test.each([
    ["CAIRN_AUTH=tokens", { CAIRN_AUTH: "tokens" }, false],
    ["a token in the store", {}, true],
    [
      "an issuer",
      { CAIRN_OAUTH_ISSUER: "https://login.example.com", CAIRN_PUBLIC_URL: "https://cairn.example.com" },
      false,
    ],
  ])("starts with %s, and lets nobody in without a token", async (_, environment, hasToken) => {
    const folder = await temporaryFolder();
    if (hasToken) await createTokenIn(folder, "*");
    const running = await startCairn(["serve", repository, "--data", folder], { HOST: "0.0.0.0", ...environment });
    expect((await fetch(`${running.url}/versions`)).status).toBe(401);
    expect(running.output()).not.toContain("Callers need no token");
  });
});

test("while the issuer's keys cannot be had, nobody is let in, and everybody is told to try again", async () => {
  const { url } = await startCairn(["serve", repository, "--data", await temporaryFolder()], {
    CAIRN_PUBLIC_URL: "https://cairn.example.com",
    CAIRN_OAUTH_ISSUER: "http://127.0.0.1:1",
  });
  const headers = Object.fromEntries([...JSON_HEADERS, ["authorization", "Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln"]]);
  for (const path of [MCP, REST]) {
    const response = await fetch(url + path, { method: "POST", headers, body: PING });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await response.text()).toContain("The authorization server cannot be asked");
  }
});

test("a service without authentication says so, and the first token ends that while it runs", async () => {
  const folder = await temporaryFolder();
  const running = await startCairn(["serve", repository, "--data", folder]);
  await eventually(() =>
    expect(running.output()).toContain("Callers need no token, so only this machine can reach it"),
  );
  expect((await fetch(`${running.url}/versions`)).status).toBe(200);
  expect(running.output()).not.toContain("The tenant `local` has data");
  const kept = await fetch(`${running.url}${REST.replace("echo", "keep")}`, {
    method: "POST",
    headers: Object.fromEntries(JSON_HEADERS),
    body: "{}",
  });
  expect(kept.status).toBe(200);
  const create = (tenant: string) =>
    runInProcess(["token", "create", "--tenant", tenant, "--actor", "ci", "--scopes", "*", "--data", folder]);
  const hidden = "The tenant `local` has data of callers without a token, state; only tokens of this tenant see it";
  expect(await create("acme")).toMatchObject({ code: 0, stderr: expect.stringContaining(`cairn: ${hidden}`) });
  await eventually(async () => expect((await fetch(`${running.url}/versions`)).status).toBe(401));
  await running.stop();
  const again = await startCairn(["serve", repository, "--data", folder]);
  await eventually(() => expect(again.output()).toContain(hidden));
  expect(await create("local")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("has data") });
});
