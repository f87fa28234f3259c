import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { runCli } from "../../server/cli/cli.ts";
import { createLog } from "../../server/log/log.ts";
import { agentFiles } from "../helpers/agent.ts";
import { sendModern, toToolCall } from "../helpers/modern-mcp.ts";
import { authenticateAs, openTestService } from "../helpers/open-service.ts";
import { createRepository } from "../helpers/repository.ts";
import { type AtEnd, temporaryFolder } from "../helpers/temporary.ts";
import { type KeyedApi, openKeyedApi } from "../stand-ins/keyed-api.ts";

const OF_SERVICE = "svc-0123456789/abc+def";
const OF_TENANT = "tnt-0123456789/abc+def";
const OF_ADA = "ada-0123456789/abc+def";
const PLANTED = [OF_SERVICE, OF_TENANT, OF_ADA];
const HOST = "api.example.com";

/** Calls the API, and leaves the answer wherever a handler can. */
const HANDLER = `export default async ({ path, fail }, ctx) => {
  const response = await ctx.fetch("https://${HOST}" + path);
  const seen = { status: response.status, text: response.text(), headers: response.headers };
  ctx.log.info(seen.text, seen);
  await ctx.state.set(["seen"], seen);
  if (fail === "throw") throw new Error(JSON.stringify(seen));
  if (fail === "output") return { text: 1 };
  return seen;
};
`;
const manifest = (of: string, carrier = 'header: Authorization, format: "Bearer {}"') => `uses: [fetch, state.write]
sideEffect: true
record: true
secrets: [{ name: API, of: ${of}, hosts: [${HOST}], ${carrier} }]
input: { type: object, required: [path], properties: { path: { type: string }, fail: { type: string } } }
output: { type: object, properties: { text: { type: string } }, additionalProperties: true }`;

const everywhere = new Set(["*"]);
const CALLERS = {
  ada: { tenant: "acme", actor: "ada", roles: ["*"], scopes: everywhere },
  bob: { tenant: "acme", actor: "bob", roles: ["*"], scopes: everywhere },
  eve: { tenant: "other", actor: "ada", roles: ["*"], scopes: everywhere },
  tess: { tenant: "acme", actor: "ada", roles: ["*"], scopes: new Set(["runner"]) },
};

let api: KeyedApi;
let service: Service;
let data: string;
const logged: string[] = [];
const answers: string[] = [];

beforeAll(async () => {
  const atEnd: AtEnd = (step) => void ended.push(step);
  api = await openKeyedApi(OF_SERVICE, atEnd);
  const repository = await createRepository(await temporaryFolder(atEnd));
  const tools = Object.fromEntries(
    [
      ["service", manifest("service")],
      ["tenant", manifest("tenant")],
      ["caller", manifest("caller")],
      ["query", manifest("service", "query: api_key")],
    ].map(([name, text]) => [name, { handler: HANDLER, manifest: text }]),
  );
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools }));
  data = await temporaryFolder(atEnd);
  const folder = await temporaryFolder(atEnd);
  await writeFile(join(folder, "tenant"), OF_TENANT);
  await writeFile(join(folder, "key"), randomBytes(32).toString("base64"));
  service = await openTestService(
    {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PORT: "0",
      CAIRN_REPO: repository.path,
      CAIRN_DATA: data,
      CAIRN_EGRESS_MAP: `${HOST}=${api.url}`,
      CAIRN_SECRETS: `API=env:API_KEY,acme/API=file:${join(folder, "tenant")}`,
      CAIRN_SECRETS_KEY: `file:${join(folder, "key")}`,
      API_KEY: OF_SERVICE,
    },
    repository.path,
    {
      // As `cairn` and as `ask` send it.
      authenticate: authenticateAs(
        Object.fromEntries(
          Object.entries(CALLERS).flatMap(([who, caller]) => [
            [who, caller],
            [`Bearer ${who}`, caller],
          ]),
        ),
      ),
      atEnd,
      log: createLog("trace", { write: (line: string) => void logged.push(line) }),
    },
  );
  return async () => {
    for (const step of ended.reverse()) await step();
  };
});
const ended: (() => unknown)[] = [];

async function ask(who: keyof typeof CALLERS, path: string, init: RequestInit = {}) {
  const headers = { authorization: who, "content-type": "application/json" };
  const response = await fetch(service.url + path, { ...init, headers });
  const text = await response.text();
  answers.push(text, JSON.stringify([...response.headers]));
  return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>) };
}

const call = (who: keyof typeof CALLERS, tool: string, input: object) =>
  ask(who, `/agent/1.0.0/api/tools/runner.${tool}`, { method: "POST", body: JSON.stringify(input) });

/** `cairn secret ...` of a caller, with standard input. */
const secret = (args: readonly string[], value = "", who = "ada") =>
  cairn(["secret", ...args, "--url", service.url], value, who);

async function cairn(args: readonly string[], value = "", who = "ada") {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    environment: { PATH: process.env["PATH"], HOME: process.env["HOME"], CAIRN_TOKEN: who },
    folder: data,
    input: () => Readable.from([value]),
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    now: Date.now,
    stopped: () => new Promise(() => undefined),
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

describe("[D12] tools that act with secrets", () => {
  test("act with the service's, and with the tenant's, each for its own", async () => {
    expect(await call("ada", "service", { path: "/user" })).toMatchObject({ status: 200, body: { status: 200 } });
    expect(await call("eve", "query", { path: "/user" })).toMatchObject({ status: 200, body: { status: 200 } });
    api.rotate(OF_TENANT);
    expect(await call("bob", "tenant", { path: "/user" })).toMatchObject({ status: 200, body: { status: 200 } });
    expect(await call("eve", "tenant", { path: "/user" })).toMatchObject({
      status: 424,
      body: { name: "SECRET_MISSING", details: { missing: "API", of: "tenant" } },
    });
  });

  test("act with the caller's own, or not at all", async () => {
    api.rotate(OF_ADA);
    const before = api.arrived.length;
    const missing = await call("ada", "caller", { path: "/user" });
    expect(missing).toMatchObject({
      status: 424,
      body: {
        detail:
          "`runner.caller` acts with its caller's own secret `API`, and `ada` has set none. Set it with `cairn secret set API`, or PUT /secrets/API.",
      },
    });
    const mcp = await sendModern(`${service.url}/agent/1.0.0/runner`, {
      ...toToolCall("runner.caller", { path: "/user" }),
      headers: { authorization: "ada" },
    });
    expect(JSON.stringify(await mcp.rest())).toMatch(/"isError":true.*SECRET_MISSING/s);
    expect(api.arrived.length).toBe(before);

    expect(await ask("ada", "/secrets/API", { method: "PUT", body: JSON.stringify({ value: OF_ADA }) })).toMatchObject({
      status: 200,
      body: { name: "API" },
    });
    expect(await call("ada", "caller", { path: "/user" })).toMatchObject({ status: 200, body: { status: 200 } });
    for (const who of ["bob", "eve"] as const)
      expect(await call(who, "caller", { path: "/user" })).toMatchObject({ status: 424 });
    expect(await ask("ada", "/secrets")).toMatchObject({
      body: { secrets: [{ name: "API", setAt: expect.any(String) }] },
    });
    expect(await ask("bob", "/secrets")).toEqual({ status: 200, body: { secrets: [] } });
  });

  test.each([
    ["no scope for secrets", "tess", "API", { value: OF_ADA }, 403],
    ["a value that is too short", "bob", "API", { value: "short" }, 400],
    ["another member", "bob", "API", { value: OF_ADA, of: "service" }, 400],
    ["a name that is none", "bob", OF_ADA.replaceAll("/", "_"), { value: OF_ADA }, 400],
  ] as const)("refuse to keep a secret: %s", async (_, who, name, body, status) => {
    const answer = await ask(who, `/secrets/${name}`, { method: "PUT", body: JSON.stringify(body) });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer)).not.toContain("ada-0123456789");
  });

  test("are given secrets by `cairn secret`, which takes no value as an argument and shows none", async () => {
    expect(await secret(["set", "MORE"], `${OF_ADA}\n`, "bob")).toEqual({
      code: 0,
      out: "",
      err: "cairn: `MORE` is set",
    });
    const listed = await secret(["list"], "", "bob");
    expect(listed.out).toMatch(/^NAME +SET\nMORE +\d{4}-/);
    expect(await secret(["remove", "MORE"], "", "bob")).toMatchObject({ code: 0, err: "cairn: `MORE` is removed" });
    expect(await secret(["remove", "MORE"], "", "bob")).toMatchObject({
      code: 1,
      err: "cairn: You have set no secret `MORE`.",
    });
    for (const args of [
      ["set", "MORE", OF_ADA],
      ["set", OF_ADA],
      ["list", OF_ADA],
    ]) {
      const refused = await secret(args);
      expect(refused.code).toBe(2);
      expect(refused.out + refused.err).not.toContain("ada-0123456789");
    }
  });

  test("leave no secret anywhere: answers, logs, records, errors, metrics, processes, backups and the store's files", async () => {
    for (const [tool, value] of [
      ["service", OF_SERVICE],
      ["query", OF_SERVICE],
      ["tenant", OF_TENANT],
      ["caller", OF_ADA],
    ] as const) {
      api.rotate(value);
      expect(await call("ada", tool, { path: "/echo" })).toMatchObject({
        body: { text: expect.stringContaining("[redacted]") },
      });
      await call("ada", tool, { path: "/user", fail: "throw" });
      await call("ada", tool, { path: "/echo", fail: "output" });
      await call("ada", tool, { path: "/to?url=https%3A%2F%2Felsewhere.example%2F%3Fa%3DKEY" });
    }
    for (const path of [
      "/readyz",
      "/metrics",
      "/audit/acme/records",
      "/audit/acme/entries",
      "/agent/1.0.0/api/tools",
    ]) {
      answers.push(await (await fetch(service.url + path, { headers: { authorization: "ada" } })).text());
    }
    const resource = { method: "resources/read", params: { uri: "logs://recent" }, headers: { authorization: "ada" } };
    answers.push(JSON.stringify(await (await sendModern(`${service.url}/agent/1.0.0/runner`, resource)).rest()));

    const places = new Map<string, Buffer>([
      ["answers", Buffer.from(answers.join("\n"))],
      ["logs", Buffer.from(logged.join("\n"))],
    ]);
    const backup = join(await temporaryFolder(), "backup");
    expect(await cairn(["backup", backup, "--data", data])).toMatchObject({ code: 0 });
    await service.close();
    for (const folder of [data, backup]) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (entry.isFile()) places.set(file, await readFile(file));
      }
    }
    for (const process of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      places.set(`arguments of ${process}`, await readFile(`/proc/${process}/cmdline`).catch(() => Buffer.alloc(0)));
    }
    expect(places.size).toBeGreaterThan(10);
    expect(answers.join("").length).toBeGreaterThan(5000);
    const found = [...places].flatMap(([place, bytes]) =>
      PLANTED.flatMap((value) => {
        const forms = [
          value,
          encodeURIComponent(value),
          Buffer.from(value).toString("base64").slice(0, -4),
          Buffer.from(value).toString("hex"),
        ];
        return forms.filter((form) => bytes.includes(form)).map((form) => `${form} in ${place}`);
      }),
    );
    expect(found).toEqual([]);
  });
});
