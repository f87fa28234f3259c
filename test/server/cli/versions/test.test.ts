import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { agentFiles, type AgentTool } from "../../../helpers/agent.ts";
import { runCairn, runInProcess, startCairn } from "../../../helpers/cairn.ts";
import { createRepository, openRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openKeyedApi } from "../../../stand-ins/keyed-api.ts";
import { openKeyedMcp, toEchoes, toKeyedManifest } from "../../../stand-ins/keyed-mcp.ts";

const OUTPUT = "output: { type: object, properties: { n: { type: number }, conversation_id: { type: string } } }";
const double = (body: string, examples: string): AgentTool => ({
  handler: `export default ${body};\n`,
  manifest: `deterministic: true\ninput: { type: object, properties: { n: { type: number } } }\n${OUTPUT}\n${examples}`,
});
const GOOD = double("({ n }) => ({ n: 2 * n })", "examples:\n  - { input: { n: 2 }, output: { n: 4 } }");
const FETCHING: AgentTool = {
  handler: 'export default async (_, ctx) => ({ n: Number((await ctx.fetch("https://numbers.example/n")).text()) });\n',
  manifest: `input: { type: object }\nuses: [fetch]\negress: [numbers.example]\n${OUTPUT}\nexamples:\n  - input: {}\n    output: { n: 7 }`,
};

const KEY = "key-0123456789/abc+def";
const TEXT = "output: { type: object, properties: { text: { type: string } } }";

async function setUp(tools: Readonly<Record<string, AgentTool>>) {
  const repository = await createRepository();
  await repository.commit(agentFiles({ version: "1.0.0", tools }));
  await repository.tag("v1.0.0");
  return repository;
}

describe("cairn test", { timeout: 60_000 }, () => {
  test("runs each example in an isolate and says what differs, where the example stands", async () => {
    const { path } = await setUp({
      good: GOOD,
      bad: double(
        "({ n }) => ({ n: 3 * n })",
        [
          "examples:",
          "  - { description: Doubles, input: { n: 2 }, output: { n: 4 } }",
          "  - { input: { n: 2 }, matches: { properties: { n: { const: 4 } } } }",
          "  - { input: { n: 2 }, error: NOT_FOUND }",
          "  - { input: { n: 2 }, matches: { properties: { n: { type: number } } } }",
        ].join("\n"),
      ),
      silent: { handler: "export default () => ({});\n" },
    });
    const { code, stdout } = await runCairn(["test"], { cwd: path });
    expect(stdout.trimEnd().split("\n")).toEqual([
      "failed       runner.bad (4)",
      "  manifests/runner/bad.yaml:8:5: failed: Doubles",
      "    /n: expected 4, got 6",
      "  manifests/runner/bad.yaml:9:5: failed",
      expect.stringMatching(/^ {4}\/n .*; got 6$/),
      "  manifests/runner/bad.yaml:10:5: failed",
      '    expected the error NOT_FOUND, but it answered {"n":6}',
      "passed       runner.good (1)",
      "no examples  runner.silent",
      "fail: 2 passed, 3 failed, 0 skipped; without examples: runner.silent",
    ]);
    expect(code).toBe(1);

    const github = await runInProcess(["test", "v1.0.0", "--format", "github"], { cwd: path });
    expect([github.code, github.stdout]).toEqual([
      1,
      expect.stringMatching(/^::error file=manifests\/runner\/bad\.yaml,line=8,col=5,title=example-broken::/m),
    ]);
    const json = await runInProcess(["test", "v1.0.0", "--format", "json"], { cwd: path });
    const result = JSON.parse(json.stdout) as { status: string; commit: string; examples: { differences: unknown }[] };
    expect([result.status, result.commit]).toEqual(["fail", expect.stringMatching(/^[0-9a-f]{40}$/)]);
    expect(result.examples[0]?.differences).toEqual([{ path: "/n", expected: 4, actual: 6 }]);
  });

  test("lets nothing that a handler answers command a terminal or a runner", async () => {
    const text: AgentTool = {
      handler: 'export default () => ({ t: "##[stop-commands]x \\u001b[2J" });\n',
      manifest:
        "deterministic: true\ninput: { type: object }\noutput: { type: object, properties: { t: { type: string } } }\nexamples:\n  - { input: {}, error: NOT_FOUND }",
    };
    const { stdout } = await runInProcess(["test", "--format", "github"], { cwd: (await setUp({ text })).path });
    const lines = stdout.split("\n").filter((line) => !line.startsWith("::error "));
    expect(lines.join("\n")).toContain("u0023#[stop-commands]x");
    expect(lines.join("\n")).not.toContain("##[");
    expect(stdout).not.toContain("\u001b");
  });

  test("lets no example find what another one left", async () => {
    const { path } = await setUp({
      count: {
        handler:
          "let calls = 0;\nexport default async (_, ctx) => { const n = ((await ctx.state.get(['n'])) ?? 0) + 1; await ctx.state.set(['n'], n); return { n: n + calls++ }; };\n",
        manifest: `input: { type: object }\nsideEffect: true\nuses: [state.read, state.write]\n${OUTPUT}\nexamples:\n  - { input: {}, output: { n: 1 } }\n  - { input: {}, output: { n: 1 } }`,
      },
    });
    const { code, stdout } = await runInProcess(["test"], { cwd: path });
    expect([code, stdout]).toEqual([0, expect.stringContaining("pass: 2 passed, 0 failed, 0 skipped")]);
  });

  test("asks no host but a stand-in, and passes nothing that it could not run", async () => {
    const server = createServer((_request, response) => void response.end("7")).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { path } = await setUp({ good: GOOD, number: FETCHING });
    const elsewhere = FETCHING.handler.replace("numbers.example", "elsewhere.example");
    const denied = (FETCHING.manifest ?? "").replace("output: { n: 7 }", "error: EGRESS_DENIED");
    const refused = await setUp({ number: { handler: elsewhere, manifest: denied } });
    expect((await runInProcess(["test"], { cwd: refused.path })).stdout).toContain("pass: 1 passed");
    const alone = await runInProcess(["test"], { cwd: path });
    expect([alone.code, alone.stdout]).toEqual([
      0,
      expect.stringContaining("it asks `numbers.example`, and no answer to that is recorded\nunknown: 1 passed"),
    ]);
    const map = `numbers.example=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const mapped = await runInProcess(["test", "--egress-map", map], { cwd: path });
    expect([mapped.code, mapped.stdout]).toEqual([0, expect.stringContaining("pass: 2 passed, 0 failed, 0 skipped")]);
  });

  test("records what a host answers, without credentials, and asks it no more", async () => {
    const server = createServer((request, response) => {
      response.setHeader("set-cookie", "session=1");
      response.end(request.url?.startsWith("/n") ? "7" : '{"access_token": "abcdefgh12345678", "n": 3}');
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const map = `numbers.example=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const login: AgentTool = {
      handler:
        'export default async (_, ctx) => ({ n: (await ctx.fetch("https://numbers.example/login?api_key=sk-aBcDeFgHiJkLmNoPqRs")).json().n });\n',
      manifest: (FETCHING.manifest ?? "").replace("output: { n: 7 }", "output: { n: 3 }"),
    };
    const { path } = await setUp({ good: GOOD, number: FETCHING, login });
    const record = await runInProcess(["test", "--record", "--egress-map", map], { cwd: path });
    expect([record.code, record.stdout]).toEqual([0, expect.stringContaining("pass: 3 passed, 0 failed, 0 skipped")]);
    expect(record.stderr.trimEnd().split("\n")).toEqual([
      "recorded      runner.login: 1 answer, in tools/runner/login.recording.yaml",
      "recorded      runner.number: 1 answer, in tools/runner/number.recording.yaml",
    ]);
    const texts = await Promise.all(
      ["login", "number"].map((name) => readFile(join(path, `tools/runner/${name}.recording.yaml`), "utf8")),
    );
    expect(texts.join("")).not.toMatch(/sk-aBc|abcdefgh12345678|session=1/);
    server.close();
    expect((await runInProcess(["validate"], { cwd: path })).code).toBe(0);
    expect((await runInProcess(["test"], { cwd: path })).stdout).toContain("pass: 3 passed, 0 failed, 0 skipped");
    const none = await runInProcess(["test", "--record"], { cwd: path });
    expect([none.code, none.stderr]).toEqual([0, "Nothing was recorded.\n"]);

    const commit = await openRepository(path).commit({});
    expect((await runInProcess(["test", commit], { cwd: path })).stdout).toContain(
      "pass: 3 passed, 0 failed, 0 skipped",
    );
    const refused = await runInProcess(["test", commit, "--record"], { cwd: path });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("recordings are written into a folder"),
    ]);
  });

  test("[D12] records with the secrets that it is given by reference, and keeps none", async () => {
    const api = await openKeyedApi(KEY);
    const upstream = await openKeyedMcp({ [KEY]: ["echo", "whoami"] });
    const map = `numbers.example=${api.url},files.example=${upstream.origin}`;
    const secrets =
      "secrets: [{ name: API, of: caller, hosts: [numbers.example], header: Authorization, format: 'Bearer {}' }]";
    const asking = (path: string, matches: string): AgentTool => ({
      handler: `export default async (_, ctx) => ({ text: (await ctx.fetch("https://numbers.example/${path}")).text() });\n`,
      manifest: `uses: [fetch]\n${secrets}\ninput: { type: object }\n${TEXT}\nexamples:\n  - { input: {}, matches: { properties: { text: { pattern: '${matches}' } } } }`,
    });
    const calling = (tool: string, matches: string): AgentTool => ({
      handler: `export default async (_, ctx) => ({ text: JSON.stringify(await ctx.mcp.call("files", "${tool}", {})) });\n`,
      manifest: `uses: [mcp]\nupstreams: [files]\ninput: { type: object }\n${TEXT}\nexamples:\n  - { input: {}, matches: { properties: { text: { pattern: '${matches}' } } } }`,
    });
    const { path } = await setUp({
      user: asking("user", "ada"),
      echo: asking("echo", "redacted"),
      called: calling("echo", "redacted"),
      who: calling("whoami", "for key"),
    });
    await mkdir(join(path, "manifests/upstreams"));
    await writeFile(join(path, "manifests/upstreams/files.yaml"), toKeyedManifest(["echo", "whoami"]));
    const recorded = ["user", "echo", "called", "who"].map((name) => join(path, `tools/runner/${name}.recording.yaml`));

    const refused = await runInProcess(["test", "--record", "--egress-map", map, "--secret", `API=${KEY}`], {
      cwd: path,
    });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("a reference to the secret, not the secret"),
    ]);
    const without = await runInProcess(["test", "--record", "--egress-map", map], { cwd: path });
    expect(without.stderr).toContain("without the secret `API` of the caller; `--secret API=env:VARIABLE` has hosts");
    expect(without.stderr).toContain(
      "refuses us (401): it wants the secret `FILES` of the service, which is not set here",
    );
    const given = ["--secret", "API=env:OWN_KEY", "--secret", "FILES=env:OWN_KEY"];
    const environment = { OWN_KEY: KEY, CAIRN_SECRETS: "API=env:OTHER_KEY", OTHER_KEY: "other-0123456789" };
    const record = await runInProcess(["test", "--record", "--egress-map", map, ...given], { cwd: path, environment });
    expect([record.code, record.stderr]).toEqual([
      0,
      expect.stringMatching(/^(?:recorded +runner\.\w+: 1 answer, in \S+\n){4}$/),
    ]);
    expect(api.arrived.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    const kept = (await Promise.all(recorded.map((file) => readFile(file, "utf8")))).join("\n");
    expect(kept).toContain("[redacted]");
    const shown = kept + [refused, without, record].map(({ stdout, stderr }) => stdout + stderr).join("");
    for (const echo of toEchoes(KEY)) expect(shown).not.toContain(echo);
    expect((await runInProcess(["test"], { cwd: path })).stdout).toContain("pass: 4 passed, 0 failed, 0 skipped");
  });

  test("records nothing of a tool that does not answer as its examples say, and tells of a recording that is wrong", async () => {
    const server = createServer((_request, response) => void response.end("8")).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const map = `numbers.example=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { path } = await setUp({ number: FETCHING });
    const { code, stderr, stdout } = await runInProcess(["test", "--record", "--egress-map", map], { cwd: path });
    expect([code, stderr]).toEqual([
      1,
      "not recorded  runner.number\n  manifests/runner/number.yaml:9:5: /n: expected 7, got 8\nNothing was recorded.\n",
    ]);
    expect(stdout).toContain("unknown: 0 passed, 0 failed, 1 skipped");
    await writeFile(join(path, "tools/runner/number.recording.yaml"), "at: now\nanswers: []\n");
    const wrong = await runInProcess(["validate"], { cwd: path });
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining("tools/runner/number.recording.yaml:1:5")]);
    const failed = await runInProcess(["test"], { cwd: path });
    expect([failed.code, failed.stdout]).toEqual([
      1,
      expect.stringContaining("tools/runner/number.recording.yaml:1: `at` must be a time in UTC"),
    ]);
  });

  test("refuses what cannot be loaded, a wrong map, and to keep what has no commit", async () => {
    const { path } = await setUp({ good: GOOD });
    const folder = await runInProcess(["test", ".", "--data", await temporaryFolder()], { cwd: path });
    expect([folder.code, folder.stderr]).toEqual([2, expect.stringContaining("cannot be kept")]);
    const map = await runInProcess(["test", "--egress-map", "nonsense"], { cwd: path });
    expect([map.code, map.stderr]).toEqual([2, expect.stringContaining("`nonsense` must be `host=URL`")]);
    const empty = await runInProcess(["test", await temporaryFolder()], { cwd: path });
    expect([empty.code, empty.stdout]).toEqual([1, expect.stringContaining("versions.yaml:1:1")]);
  });

  test("[V4] keeps the result of a commit, which `/versions` of a running service tells from then on", async () => {
    const { path } = await setUp({ good: GOOD });
    const data = join(await temporaryFolder(), "data");
    const { url } = await startCairn(["serve", path, "--data", data]);
    const tests = async () => {
      const { versions } = (await (await fetch(`${url}/versions`)).json()) as { versions: { tests: object }[] };
      return versions[0]?.tests;
    };
    expect(await tests()).toEqual({ status: "unknown", summary_uri: expect.any(String) });
    expect((await fetch(`${url}/versions/1.0.0/tests`)).status).toBe(404);
    const { code } = await runInProcess(["test", "v1.0.0", "--data", data], { cwd: path });
    expect(code).toBe(0);
    const after = (await tests()) as { status: string; last_run: string; summary_uri: string };
    expect(after).toEqual({
      status: "pass",
      last_run: expect.any(String),
      summary_uri: expect.stringMatching(/tests$/),
    });
    const summary = await (await fetch(after.summary_uri)).json();
    expect(summary).toMatchObject({ status: "pass", lastRun: after.last_run, passed: 1, failed: 0, skipped: 0 });
  });
});
