import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, runCairn, runInProcess, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

/** Every way there might be from a handler to a file of the machine. */
const READ_KEY = `export default async function (input: any, ctx: any) {
  const tries: Record<string, () => unknown> = {
    process: () => (globalThis as any).process.getBuiltinModule("node:fs").readFileSync(input.path, "utf8"),
    require: () => (globalThis as any).require("node:fs").readFileSync(input.path, "utf8"),
    import: () => new Function("path", "return import('node:fs').then((fs) => fs.readFileSync(path, 'utf8'))")(input.path),
    fetch: () => ctx.fetch("file://" + input.path),
  };
  const got: Record<string, string> = {};
  for (const name of Object.keys(tries)) {
    try {
      got[name] = "read " + JSON.stringify(await tries[name]?.());
    } catch {
      got[name] = "refused";
    }
  }
  return got;
}
`;

const { atEnd, undoAll } = createShared();
afterAll(undoAll);

let cairn: RunningCairn;
let data: string;
let key: string;

const api = (tool: string, input: object) =>
  fetch(`${cairn.url}/agent/latest/api/tools/runner.${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
const audit = (...args: string[]) => runInProcess(["audit", ...args]);
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(atEnd));
  const tools = {
    hello: { handler: "export default (input: any) => ({ hello: input.name });\n" },
    spy: { handler: READ_KEY, manifest: "sideEffect: true\nuses: [fetch]\negress: [example.com]" },
  };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools }));
  data = await temporaryFolder(atEnd);
  cairn = await startCairn(["serve", repository.path, "--data", data], {}, atEnd);
  for (const name of ["Ada", "Grace", "Edsger"]) expect((await api("hello", { name })).status).toBe(200);
  expect((await fetch(`${cairn.url}/versions`, { headers: { origin: "http://evil.example" } })).status).toBe(403);
  expect((await fetch(`${cairn.url}/versions/refresh`, { method: "POST" })).status).toBe(200);
  key = (await runCairn(["audit", "key", "--data", data])).stdout.trim();
});

describe("the audit of a running service", () => {
  test("[D9] is exported and verified by whoever has the key, from files and over HTTP", async () => {
    const folder = await temporaryFolder();
    // Records trail the answers by a moment.
    await eventually(async () => {
      const exported = await audit("export", folder, "--data", data);
      expect([exported.code, exported.stdout]).toEqual([
        0,
        expect.stringMatching(/^@service: \d+ entries\nlocal: \d+/),
      ]);
      expect(await readFile(join(folder, "local/records.jsonl"), "utf8")).toContain("runner.hello");
    });
    const verified = await runCairn(["audit", "verify", folder, "--key", key]);
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
    expect(verified.stdout).toMatch(/^@service: ok, .*\nlocal: ok, \d+ entries, \d+ records, root \S+\n$/);

    const online = await audit(
      "verify",
      `${cairn.url}/audit/local`,
      "--key",
      key,
      "--since",
      join(folder, "local/checkpoint"),
    );
    expect([online.code, online.stderr]).toEqual([0, ""]);
    expect(online.stdout).toMatch(/^local: ok/);

    const entries = join(folder, "local/entries.jsonl");
    await writeFile(entries, (await readFile(entries, "utf8")).replace(/[0-9a-f]{64}/, "0".repeat(64)));
    const broken = await audit("verify", join(folder, "local"), "--key", key);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("local: FAILED: entry 0: the record of")]);
    await rm(join(folder, "local/records.jsonl"));
    expect((await audit("verify", folder, "--key", key)).code).toBe(1);
  });

  test("is told apart by tenant, and the log of another is a 404 that is itself audited", async () => {
    for (const path of ["globex/checkpoint", "@service/entries.jsonl", "local/nothing", "%2E%2E/checkpoint"]) {
      const answer = await fetch(`${cairn.url}/audit/${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await fetch(`${cairn.url}/audit/local/entries.jsonl?from=x`)).status).toBe(400);
    expect((await (await fetch(`${cairn.url}/audit/local/key`)).text()).trim()).toBe(key);
    await eventually(async () => {
      const { stdout } = await runCairn(["audit", "query", "--tenant", "local", "--kind", "denial", "--data", data]);
      const denials = linesOf(stdout).map((line) => JSON.parse(line).record);
      expect(denials).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            reason: "FORBIDDEN",
            address: expect.stringContaining("127.0.0.1"),
            actor: "anonymous",
          }),
        ]),
      );
    });
  });

  test("answers with proofs, and pages", async () => {
    const ask = async (path: string) => (await fetch(`${cairn.url}/audit/local/${path}`)).json();
    const checkpoint = await (await fetch(`${cairn.url}/audit/local/checkpoint`)).text();
    const size = Number(checkpoint.split("\n")[1]);
    expect(await ask(`inclusion?seq=0`)).toMatchObject({ size, hashes: expect.any(Array) });
    expect(await ask(`consistency?from=1&to=${size}`)).toMatchObject({ size });
    expect(await ask(`consistency?from=1&to=${size + 1000}`)).toMatchObject({ status: 400 });
    const page = await fetch(`${cairn.url}/audit/local/entries.jsonl?from=0&to=1`);
    expect([page.headers.get("content-type"), linesOf(await page.text()).length]).toEqual(["application/jsonl", 1]);
  });

  test("is queried by what records say", async () => {
    const found = async (...args: string[]) => {
      const { code, stdout } = await audit("query", "--tenant", "local", "--data", data, ...args);
      expect(code).toBe(0);
      return linesOf(stdout).map((line) => JSON.parse(line).record);
    };
    const calls = await found("--kind", "call", "--tool", "runner.hello", "--outcome", "ok", "--version", "1.0.0");
    expect(calls.length).toBeGreaterThanOrEqual(3);
    expect(await found("--conversation", calls[1].conversationId)).toEqual([calls[1]]);
    expect(await found("--actor", "nobody")).toEqual([]);
    expect(
      await found("--kind", "call", "--until", new Date(calls[1].startedAt).toISOString(), "--tool", "runner.hello"),
    ).toEqual(calls.filter(({ startedAt }: { startedAt: number }) => startedAt < calls[1].startedAt));
    expect(await found("--since", "2999-01-01T00:00:00Z")).toEqual([]);
    expect((await audit("query", "--since", "soon", "--data", data)).code).toBe(2);
    const service = await audit("query", "--tenant", "@service", "--data", data);
    expect(linesOf(service.stdout).map((line) => JSON.parse(line).record.change)).toContain("versions.refreshed");
  });

  test("outlives a record that is taken away, and says that it was", async () => {
    const { stdout } = await audit("query", "--tenant", "local", "--tool", "runner.hello", "--data", data);
    const { id } = JSON.parse(linesOf(stdout)[0] ?? "").record;
    const redact = () => runCairn(["audit", "redact", id, "--tenant", "local", "--actor", "ada", "--data", data]);
    expect(await redact()).toMatchObject({ code: 0 });
    expect(await redact()).toMatchObject({ code: 1, stderr: expect.stringContaining(id) });
    const folder = await temporaryFolder();
    expect((await audit("export", folder, "--tenant", "local", "--data", data)).code).toBe(0);
    expect(await readFile(join(folder, "local/records.jsonl"), "utf8")).toContain(`{"redacted":"${id}"}`);
    expect(await audit("verify", folder, "--key", key)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(", 1 of them taken away"),
    });
  });

  test("keeps its signing key from other accounts, and from handlers", async () => {
    const path = join(data, "audit.key");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const secret = (await readFile(path, "utf8")).trim();
    expect(secret).toMatch(/^PRIVATE\+KEY\+cairn\/[0-9a-f]{16}\+/);
    const answer = await api("spy", { path });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { process: "refused", require: "refused", import: "refused", fetch: "refused" },
    ]);
  });
});
