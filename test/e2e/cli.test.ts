import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { runCairn, runInProcess, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { readTables } from "../helpers/markdown.ts";
import { createRepository, openRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { EXIT } from "../../server/cli/exit-codes.ts";

const COMMANDS = ["init", "serve", "dev", "validate", "versions", "call"];
// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replaceAll(/\u001b\[\d+m/g, "");

describe("cairn", () => {
  test("lists its commands, and explains each", async () => {
    const { code, stdout } = await runCairn(["--help"]);
    expect(code).toBe(0);
    for (const command of COMMANDS) {
      expect(plain(stdout)).toMatch(new RegExp(`^ +${command}  +\\S`, "m"));
      const help = await runInProcess([command, "--help"]);
      expect([help.code, plain(help.stdout)]).toEqual([0, expect.stringContaining(`USAGE cairn ${command}`)]);
    }
  });

  test.each([
    [[], EXIT.USAGE, "COMMANDS"],
    [["sevre"], EXIT.USAGE, "there is no command `sevre`; there are init, add, serve"],
    [["serve", "--prot", "1"], EXIT.USAGE, "`cairn serve` has no option `--prot`"],
    [["serve", "--port", "seventy"], EXIT.USAGE, "PORT is `seventy`; it must be a whole number"],
    [["validate", "--format", "xml"], EXIT.USAGE, "xml"],
    [["validate", "no-such-thing"], EXIT.USAGE, "`no-such-thing` is"],
    [["call", "latest"], EXIT.USAGE, "TOOL"],
    [["call", "latest", "t", "[1]"], EXIT.USAGE, "The input must be a JSON object"],
    [["versions", "--url", "http://127.0.0.1:9"], EXIT.ENVIRONMENT, "No service answers at http://127.0.0.1:9"],
  ])("%j ends with %i", async (args, code, text) => {
    const result = await runInProcess(args, { cwd: await temporaryFolder() });
    expect([result.code, result.stdout + result.stderr]).toEqual([code, expect.stringContaining(text)]);
  });

  test("documents its exit codes", () => {
    const documented = readTables("docs/cli.md").flatMap(([code, name]) =>
      /^\d$/.test(code ?? "") ? [[name, Number(code)]] : [],
    );
    expect(Object.fromEntries(documented)).toEqual(EXIT);
  });
});

describe("cairn init", () => {
  test(
    "makes a repository that is valid, served and callable at once, and whose types are right",
    { timeout: 60_000 },
    async () => {
      const folder = await temporaryFolder();
      const made = await runCairn(["init", "my agent"], { cwd: folder });
      expect([made.code, made.stdout]).toEqual([0, expect.stringContaining("Made my agent")]);
      const target = join(folder, "my agent");
      expect(await readFile(join(target, "manifests/agent.yaml"), "utf8")).toContain("name: my-agent");
      expect(await readFile(join(target, ".gitignore"), "utf8")).toContain("node_modules/");
      expect(await readFile(join(target, ".github/workflows/validate.yml"), "utf8")).toContain(
        "cairn validate --format github",
      );

      const valid = await runCairn(["validate"], { cwd: target });
      expect([valid.code, valid.stdout]).toEqual([0, "my-agent 0.1.0 is valid: 2 servers, 8 tools.\n"]);
      const again = await runInProcess(["init", "my agent"], { cwd: folder });
      expect([again.code, again.stderr]).toEqual([EXIT.USAGE, expect.stringContaining("is not empty")]);

      const { url } = await startCairn(["serve", target, "--data", await temporaryFolder()]);
      const called = await runCairn(["call", "stable", "runner.greet", '{"name":"Ada","language":"fr"}', "--url", url]);
      expect([called.code, JSON.parse(called.stdout)]).toEqual([
        0,
        { greeting: "Bonjour, Ada !", conversation_id: expect.any(String) },
      ]);
      const refused = await runCairn(["call", "0.1.0", "runner.greet", "{}", "--url", url]);
      expect([refused.code, refused.stderr]).toEqual([EXIT.FAILED, expect.stringContaining("(2000 BAD_REQUEST)")]);
      const listed = await runCairn(["versions", "--url", url]);
      expect(listed.stdout).toMatch(
        /^VERSION {2}COMMIT {6}CREATED {19}TAGS\n0\.1\.0 {4}[0-9a-f]{10} {2}\S+ {2}stable\n$/,
      );
    },
  );

  test("renews the schemas of a repository that an older Cairn made, and nothing else", async () => {
    const folder = join(await temporaryFolder(), "agent");
    expect((await runInProcess(["init", folder])).code).toBe(0);
    await writeFile(join(folder, "schemas/tool.schema.json"), "{}");
    await writeFile(join(folder, "README.md"), "Ours.\n");
    const renewed = await runInProcess(["init", "--schemas"], { cwd: folder });
    expect([renewed.code, renewed.stdout]).toEqual([0, "Wrote 11 schemas to schemas.\n"]);
    expect(await openRepository(folder).git("status", "--porcelain")).toBe("M README.md");
    const elsewhere = await runInProcess(["init", "--schemas"], { cwd: await temporaryFolder() });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([EXIT.USAGE, expect.stringContaining("has no versions.yaml")]);
  });

  test("makes handlers that type-check against the package", async () => {
    const folder = join(await temporaryFolder(), "agent");
    expect((await runInProcess(["init", folder])).code).toBe(0);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: resolve("tsconfig.json"),
        compilerOptions: { types: [], paths: { "cairn-gitops/host-api": [resolve("server/host-api.ts")] } },
        include: ["tools"],
      }),
    );
    const result = await new Promise<string>((done) => {
      execFile(resolve("node_modules/.bin/tsc"), ["--noEmit", "-p", folder], (_, stdout) => done(stdout));
    });
    expect(result).toBe("");
  });
});

describe("cairn validate", () => {
  const BROKEN =
    "name: runner.hello\nversion: one\ndescription: Does.\ninput: { type: object }\noutput: { type: object }\ncolour: red\n";

  test("[D2] says everything that is wrong with a folder, a tag or a commit, as the server does", async () => {
    const repository = await createRepository();
    await repository.release(
      "1.0.0",
      agentFiles({ version: "1.0.0", tools: { hello: { handler: "export default () => ({});\n" } } }),
    );
    expect(await runInProcess(["validate", "v1.0.0"], { cwd: repository.path })).toMatchObject({
      code: 0,
      stdout: "test-agent 1.0.0 is valid: 1 server, 1 tool.\n",
    });
    const commit = await repository.commit({
      "manifests/runner/hello.yaml": BROKEN,
      "tools/runner/hello.ts": "export default () => ({\n",
    });
    await repository.tag("v1.0.1");

    const inFolder = await runInProcess(["validate"], { cwd: repository.path });
    expect(inFolder.code).toBe(EXIT.FAILED);
    const places = [...inFolder.stdout.matchAll(/^(\S+:\d+:\d+): .*\((\S+)\)$/gm)].map(
      ([, place, rule]) => `${place} ${rule}`,
    );
    expect(places).toEqual([
      "manifests/runner/hello.yaml:2:10 wrong-value",
      "manifests/runner/hello.yaml:6:1 unknown-key",
      expect.stringMatching(/^tools\/runner\/hello\.ts:\d+:\d+ \S+$/),
    ]);
    expect(inFolder.stderr).toBe("\n3 problems in this folder.\n");
    for (const target of ["v1.0.1", commit, commit.slice(0, 8), "main"]) {
      expect((await runInProcess(["validate", target], { cwd: repository.path })).stdout).toBe(inFolder.stdout);
    }
    const json = JSON.parse(
      (await runInProcess(["validate", "--format", "json"], { cwd: repository.path })).stdout,
    ) as object[];
    const github = (await runInProcess(["validate", "--format", "github"], { cwd: repository.path })).stdout;
    expect(github.match(/^::error file=manifests\/runner\/hello\.yaml,line=2,col=10,/gm)).toHaveLength(1);

    const { url } = await startCairn(["serve", repository.path, "--data", await temporaryFolder()]);
    const served = (await (await fetch(`${url}/versions/${commit}`)).json()) as { problems: object[] };
    expect(served.problems).toEqual(json);
  });
});

describe("cairn dev", () => {
  test(
    "serves the uncommitted work tree and follows edits; a mistake leaves the last good state in place",
    { timeout: 60_000 },
    async () => {
      const repository = await createRepository();
      const files = (answer: string) =>
        agentFiles({
          version: "1.0.0",
          tools: { hello: { handler: `export default () => ({ text: "${answer}" });\n` } },
        });
      await repository.release("1.0.0", files("committed"));
      const handler = join(repository.path, "tools/runner/hello.ts");
      await writeFile(handler, 'export default () => ({ text: "edited" });\n');
      // What is set for services is not meant for what people work in.
      const settings = { CAIRN_FORGE: "github" };
      const { url, output } = await startCairn(["dev", repository.path, "--data", await temporaryFolder()], settings);
      const ask = async (segment: string) => {
        const response = await fetch(`${url}/agent/${segment}/api/tools/runner.hello`, {
          method: "POST",
          body: "{}",
          headers: { "content-type": "application/json" },
        });
        return ((await response.json()) as { text: string }).text;
      };
      expect([await ask("dev"), await ask("1.0.0")]).toEqual(["edited", "committed"]);
      await writeFile(handler, 'export default () => ({ text: "edited again" });\n');
      await eventually(async () => expect(await ask("dev")).toBe("edited again"));
      await writeFile(handler, "export default () => ({\n");
      await eventually(() => expect(output()).toContain("the last good files stay served"));
      expect(await ask("dev")).toBe("edited again");
      expect(await repository.git("status", "--porcelain")).toBe(" M tools/runner/hello.ts".trim());
      const types = join(repository.path, "tools/runner/_types.d.ts");
      await writeFile(types, "// Asked for once.\n");
      await writeFile(handler, 'export default () => ({ text: "right again" });\n');
      await eventually(async () => expect(await readFile(types, "utf8")).toContain("export type HelloInput = "));
    },
  );
});

describe("npm start's way in", () => {
  test(
    "serves a checkout without tags from an embedded repository, with a first call that needs no network",
    { timeout: 60_000 },
    async () => {
      const checkout = await createRepository();
      await cp(".", checkout.path, {
        recursive: true,
        filter: (path) => !/(?:^|\/)(?:node_modules|\.git|\.cairn|test)(?:\/|$)/.test(path),
      });
      await symlink(resolve("node_modules"), join(checkout.path, "node_modules"));
      await writeFile(join(checkout.path, ".git/info/exclude"), "node_modules\n");
      await checkout.commit({});
      const data = await temporaryFolder();
      const start = () => startCairn(["serve"], { CAIRN_DATA: data }, undefined, join(checkout.path, "bin/cairn.mjs"));
      const cairn = await start();
      await eventually(() => expect(cairn.output()).toMatch(/^ {2}curl /m));
      expect(cairn.output()).toMatch(/^Cairn serves 1 version at /m);
      const [, tool = "", body = ""] = /^ {2}curl -s (\S+) .* -d '(.*)'$/m.exec(cairn.output()) ?? [];
      const answer = await fetch(tool, { method: "POST", body, headers: { "content-type": "application/json" } });
      expect(await answer.json()).toMatchObject({ reply: { kind: "help" }, conversation_id: expect.any(String) });
      expect(await checkout.git("tag")).toBe("");
      await cairn.stop();
      expect((await start()).output()).toMatch(/^Cairn serves 1 version at /m);
    },
  );
});
