import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { agentFiles, type AgentTool, RUNNER } from "../helpers/agent.ts";
import { runCairn, type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { createRepository, type TestRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { isThroughNodes } from "../helpers/through-nodes.ts";

const INPUT = "input: { type: object, properties: { id: { type: string }, value: { type: object } } }";
const TOOLS: Readonly<Record<string, AgentTool>> = {
  put: {
    handler: `export default async ({ id, value }, ctx) => {
  await ctx.state.set(["ticket", id], value);
  await ctx.lineage.append({ put: id });
  return {};
};\n`,
    manifest: `${INPUT}\nuses: [state.write, lineage.write]\nsideEffect: true`,
  },
  get: {
    handler: `export default async ({ id }, ctx) => ({
  value: (await ctx.state.get(["ticket", id])) ?? null,
  log: (await ctx.lineage.read()).map(({ checksum }) => checksum),
});\n`,
    manifest: `${INPUT}\nuses: [state.read, lineage.read]\noutput: { type: object, properties: { value: {}, log: {} } }`,
  },
};
/** Several nodes serve no work tree. */
const [COMMAND, LATER] = isThroughNodes() ? ["serve", ["1.1.0"]] : ["dev", ["1.1.0", "dev"]];

const shared = createShared();
afterAll(shared.undoAll);
let repository: TestRepository;
let service: RunningCairn;
let data: string;
let folder: string;

function filesOf(version: string, state: string, parent?: string): Record<string, string> {
  const server = RUNNER.replace("name: runner\n", `name: runner\n${state}`);
  return agentFiles({
    version,
    tools: TOOLS,
    files: { "manifests/runner/server.yaml": server },
    ...(parent === undefined ? {} : { parent }),
  });
}

async function call(at: RunningCairn, version: string, tool: string, input: object): Promise<unknown> {
  const response = await fetch(`${at.url}/agent/${version}/api/tools/runner.${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text);
}

const get = (version: string, id: string, at = service) => call(at, version, "get", { id });
const put = (version: string, id: string, value: object) => call(service, version, "put", { id, value });

async function runState(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCairn(["state", ...args, "--data", data]);
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

beforeAll(async () => {
  folder = await temporaryFolder(shared.atEnd);
  repository = await createRepository(join(folder, "repository"));
  const release = async (version: string, said: string, parent?: string) => {
    await repository.commit(filesOf(version, said, parent));
    await repository.tag(`v${version}`);
  };
  await release("0.9.0", "");
  await release("1.0.0", "state: { scope: shared, name: desk }\n", "0.9.0");
  await release("1.1.0", "state: { scope: shared, name: desk }\n", "1.0.0");
  data = join(folder, "data");
  service = await startCairn([COMMAND, repository.path, "--data", data], {}, shared.atEnd);
}, 120_000);

describe("data that tools keep, over releases", { timeout: 120_000 }, () => {
  test("[V8] of a tag that does not say how long it lives is served on, though `validate` refuses its tree", async () => {
    await put("0.9.0", "1", { title: "first" });
    expect(await get("0.9.0", "1")).toMatchObject({ value: { title: "first" } });
    expect(await get("1.0.0", "1")).toMatchObject({ value: null, log: [] });
    const { code, stdout } = await runCairn(["validate", "v0.9.0"], { cwd: repository.path });
    expect([code, stdout]).toEqual([1, expect.stringContaining("(state-unsaid)")]);
  });

  test("moves beside the service from a version to the name that later ones share, with a lineage of equal hashes", async () => {
    const before = (await get("0.9.0", "1")) as { readonly log: readonly string[] };
    expect(await runState("move", "runner/0.9.0", "runner/desk", "--dry-run")).toBe(
      "Without --dry-run, `runner/desk`: 1 key new, 0 replaced, 0 there already, 1 entries appended to the lineage.",
    );
    expect(await get("1.0.0", "1")).toMatchObject({ value: null });
    await runState("move", "runner/0.9.0", "runner/desk", "--actor", "ada");
    for (const version of ["1.0.0", ...LATER]) {
      expect(await get(version, "1")).toMatchObject({ value: { title: "first" }, log: before.log });
    }
    expect(await get("0.9.0", "1")).toMatchObject({ value: null, log: before.log });
    const { stdout } = await runCairn(["audit", "query", "--tenant", "local", "--kind", "change", "--data", data]);
    const records = stdout.trim().split("\n");
    const moved = { change: "state.moved", actor: "ada", target: "runner/desk" };
    expect(records.map((line) => JSON.parse(line))).toMatchObject([
      { record: { ...moved, details: { from: expect.any(String), step: "begun" } } },
      { record: { ...moved, details: { step: "done", added: 1, replaced: 0, appended: 1 } } },
    ]);
  });

  test("is one of all versions that share it: what 1.0.0 writes, 1.1.0 and `dev` read", async () => {
    await put("1.0.0", "2", { title: "second" });
    for (const version of LATER) {
      expect(await get(version, "2")).toMatchObject({ value: { title: "second" } });
    }
    const listed = JSON.parse(await runState("list", "--json")) as readonly object[];
    const mine = listed.find((one) => "scope" in one && one.scope === "desk");
    expect(mine).toMatchObject({ server: "runner", keys: 2, lineage: 2, versions: ["1.0.0", ...LATER] });
    expect(mine).toHaveProperty("lastWrite", expect.stringMatching(/^20\d\d-/));
    expect(await runState("show", "runner/desk", "--prefix", '["ticket"]')).toBe(
      '{"key":["ticket","1"],"value":{"title":"first"}}\n{"key":["ticket","2"],"value":{"title":"second"}}',
    );
    expect(JSON.parse(await runState("get", "runner/desk", '["ticket","2"]'))).toEqual({ title: "second" });
  });

  test("is exported, and imported on another data folder with each hash of its lineage, if not a byte was changed", async () => {
    const file = join(folder, "desk.jsonl");
    await runState("export", "runner/desk", file);
    for (const [path, says] of [
      [join(folder, "no-such-folder", "x.jsonl"), "cannot be written: ENOENT; nothing was written."],
      [join(file, "x"), "cannot be written: ENOTDIR; nothing was written."],
      [folder, "is no file; nothing was written."],
    ] as const) {
      const stderr = `cairn: \`${path}\` ${says}\n`;
      expect(await runCairn(["state", "export", "runner/desk", path, "--data", data])).toMatchObject({
        code: 2,
        stderr,
      });
    }
    expect(await runCairn(["state", "export", "runner/desk", file, "--data", data])).toMatchObject({
      code: 1,
      stderr: `cairn: \`${file}\` is there already. \`--overwrite\` replaces it.\n`,
    });
    await runState("export", "runner/desk", file, "--overwrite");
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    expect(lines).toHaveLength(6);
    const bad = join(folder, "bad.jsonl");
    await writeFile(bad, (await readFile(file, "utf8")).replace("second", "secund"));
    const elsewhere = join(folder, "elsewhere");
    const other = await startCairn(["serve", repository.path, "--data", elsewhere], {}, shared.atEnd);
    const into = (path: string, ...more: string[]) =>
      runCairn(["state", "import", "runner/desk", path, "--data", elsewhere, ...more]);
    expect(await into(bad)).toMatchObject({ code: 2, stderr: expect.stringContaining("line 6: its digest is not") });
    expect(await get("1.0.0", "1", other)).toMatchObject({ value: null, log: [] });
    expect(await into(file)).toMatchObject({ code: 0, stdout: expect.stringContaining("2 keys new") });
    expect(await get("1.1.0", "2", other)).toEqual(await get("1.1.0", "2"));
    expect((await into(file)).stdout).toContain("0 keys new, 0 replaced, 2 there already, 0 entries appended");
    expect(await other.stop()).toBe(0);
    // And on a stopped one.
    expect((await into(file, "--dry-run")).stdout).toContain("2 there already");
    await copyFile(file, join(folder, "before.jsonl"));
  });

  test("is not found under a name that holds nothing and no version has, and for a tenant that nobody is", async () => {
    const nowhere = join(folder, "nowhere.jsonl");
    for (const args of [
      ["show", "runner/desc"],
      ["get", "runner/desc", '["ticket","1"]'],
      ["export", "runner/desc", nowhere],
      ["copy", "runner/desc", "runner/desk"],
      ["move", "runner/desc", "runner/desk"],
      ["delete", "runner/desc", "--confirm", "runner/desc"],
      ["show", "runner/desk", "--tenant", "acmee"],
    ]) {
      expect(await runCairn(["state", ...args, "--data", data])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/There is no state `runner\/des(?:c` of `local|k` of `acmee)`/),
      });
    }
    await expect(readFile(nowhere)).rejects.toThrow("ENOENT");
  });

  test("is rolled back to an export, by what is said alone, while the older version goes on with what the newer wrote", async () => {
    await put("1.1.0", "2", { title: "other", status: "new" });
    expect(await get("1.0.0", "2")).toMatchObject({ value: { title: "other", status: "new" } });
    const before = ["import", "runner/desk", join(folder, "before.jsonl"), "--data", data];
    expect(await runCairn(["state", ...before])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds other values under 1 of the keys: ["ticket","2"]. `--overwrite` replaces'),
    });
    expect((await runCairn(["state", ...before, "--overwrite"])).stdout).toContain("1 replaced");
    expect(await get("1.0.0", "2")).toMatchObject({ value: { title: "second" } });
    await runState("copy", "runner/desk", "runner/0.9.0");
    expect(await get("0.9.0", "2")).toMatchObject({ value: { title: "second" } });
  });

  test("[D3] has a form that a version says: it is served by it, and a tag that cannot read what others write is not", async () => {
    const values = (type: string) =>
      `state:\n  scope: shared\n  name: desk\n  values:\n    - key: [ticket, "*"]\n      schema: { type: object, properties: { title: { type: ${type} } } }\n`;
    await repository.commit(filesOf("1.2.0", values("string"), "1.1.0"));
    await repository.tag("v1.2.0");
    await vi.waitFor(async () => expect((await fetch(`${service.url}/versions/1.2.0`)).status).toBe(200), 30_000);
    expect(await get("1.2.0", "2")).toMatchObject({ value: { title: "second" } });
    const refused = await fetch(`${service.url}/agent/1.2.0/api/tools/runner.put`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "3", value: { title: 3 } }),
    });
    expect(await refused.text()).toContain("`title` must be a string. Nothing was written.");
    await put("1.1.0", "3", { title: 3 });
    const unread = await fetch(`${service.url}/agent/1.2.0/api/tools/runner.get`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "3" }),
    });
    expect(await unread.text()).toContain("`title` must be a string. It was written elsewhere.");
    await repository.commit(filesOf("1.3.0", values("number"), "1.2.0"));
    const { stdout } = await runCairn(["diff", "v1.2.0", "HEAD"], { cwd: repository.path });
    expect(stdout).toContain("state-values-narrowed");
    expect(stdout).toContain("state-values-widened");
    await repository.tag("v1.3.0");
    await vi.waitFor(async () => {
      expect(await (await fetch(`${service.url}/versions/1.3.0`)).text()).toContain("quarantined");
    }, 30_000);
  });

  test("is checked against the schemas of a tag, of a commit, of a folder and of the files here, without its values", async () => {
    await put("1.0.0", "ok", { title: "fits" });
    await put("1.0.0", "bad", { title: "T0P-SECRET", status: 7 });
    const check = async (...args: readonly string[]) => {
      const cwd = repository.path;
      const { code, stdout, stderr } = await runCairn(["state", "check", "runner/desk", ...args, "--data", data], {
        cwd,
      });
      return { code, said: stdout + stderr };
    };
    const unsaid = await check("v1.0.0");
    expect(unsaid.code).toBe(0);
    expect(unsaid.said).toMatch(/^0 values of `runner\/desk` fit .*\. \d+ keys may hold anything: no pattern fits\.$/m);

    const form = `values: [{ key: [ticket, "*"], schema: { type: object, properties: { title: { maxLength: 5 }, status: { type: string } } } }]`;
    const state = `state: { scope: shared, name: desk, ${form} }\n`;
    await writeFile(
      join(repository.path, "manifests/runner/server.yaml"),
      RUNNER.replace("name: runner\n", `name: runner\n${state}`),
    );
    for (const args of [[], ["dev"], ["."], [repository.path]]) {
      const { code, said } = await check(...args);
      expect(code, said).toBe(1);
      expect(said).toContain(`["ticket","bad"]: `);
      expect(said).toContain("status");
      expect(said).not.toContain("T0P-SECRET");
      expect(said).not.toContain(`["ticket","ok"]`);
      expect(said).toMatch(/^\d of \d+ values of `runner\/desk` do not fit `manifests\/runner\/server\.yaml`\.$/m);
    }
    const limited = await check("--limit", "1");
    expect(limited.said.split("\n").filter((line) => line.startsWith("["))).toHaveLength(1);
    expect((await check("--limit", "0")).code).toBe(2);
    expect(await check("v9.9.9")).toMatchObject({
      code: 2,
      said: expect.stringContaining("neither a folder nor a commit"),
    });
  });

  test("is deleted when its name is given twice, and its lineage stays", async () => {
    const refused = await runCairn(["state", "delete", "runner/0.9.0", "--data", data]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("has 2 keys and is used by 0.9.0")]);
    await runState("delete", "runner/0.9.0", "--confirm", "runner/0.9.0");
    expect(await get("0.9.0", "1")).toMatchObject({ value: null, log: { length: 3 } });
    expect(await get("1.0.0", "1")).toMatchObject({ value: { title: "first" } });
    expect(await service.stop()).toBe(0);
    const verified = join(folder, "audit");
    await runCairn(["audit", "export", verified, "--data", data]);
    const key = (await runCairn(["audit", "key", "--data", data])).stdout.trim();
    expect(await runCairn(["audit", "verify", verified, "--key", key])).toMatchObject({ code: 0 });
  });
});
