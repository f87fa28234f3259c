import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../server/auth/caller.ts";
import { PARTS } from "../../server/kernel/audit/verify/open-source.ts";
import { agentFiles } from "../helpers/agent.ts";
import { authenticateAs, openTestService } from "../helpers/open-service.ts";
import { createRepository, openRepository } from "../helpers/repository.ts";
import { expectSchema } from "../helpers/schemas.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { runIn } from "../server/cli/run-in.ts";

const caller = (actor: string, roles: readonly string[], ...scopes: readonly string[]): Caller => ({
  tenant: "acme",
  actor,
  roles,
  scopes: new Set(scopes),
});
const CALLERS = {
  ann: caller("ann", ["*"], "*"),
  ci: caller("ci", [], "tests:report"),
  nightly: caller("nightly", [], "tests:report"),
  "Bearer cli": caller("cli", [], "tests:report"),
  /** Everything but the reports. */
  vera: caller("vera", ["*"], "versions:read", "versions:refresh", "architect", "audit:read", "metrics:read", "runner"),
};
type Who = keyof typeof CALLERS;

const RUN = "https://ci.example/runs/1";
const shared = createShared();
let service: {
  readonly url: string;
  readonly folder: string;
  readonly commits: Record<string, string>;
  reopen(): Promise<string>;
};

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const tools = { greet: { handler: "export default () => ({});\n" } };
  const commits: Record<string, string> = {};
  for (const version of ["1.0.0", "1.1.0", "1.2.0"]) {
    commits[version] = await repository.release(version, agentFiles({ version, tools }));
  }
  commits["broken"] = await repository.release("1.3.0", { "manifests/runner/greet.yaml": "name: x\n" });
  await repository.git("switch", "--quiet", "--create", "change", "v1.2.0");
  commits["pull"] = await repository.commit(agentFiles({ version: "1.4.0", tools }));
  await repository.git("update-ref", "refs/pull/7/head", "HEAD");
  await repository.git("switch", "--quiet", "main");
  const { PATH, HOME } = process.env;
  const data = await temporaryFolder(shared.atEnd);
  const environment = { PATH, HOME, PORT: "0", CAIRN_REPO: repository.path, CAIRN_DATA: data };
  const open = () =>
    openTestService(environment, repository.path, { authenticate: authenticateAs(CALLERS), atEnd: shared.atEnd });
  let opened = await open();
  const reopen = async () => {
    await opened.close();
    opened = await open();
    return opened.url;
  };
  service = { url: opened.url, folder: repository.path, commits, reopen };
});
afterAll(shared.undoAll);

async function ask(who: Who | undefined, path: string, body?: unknown, url = service.url) {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json, text/event-stream",
      ...(who === undefined ? {} : { authorization: who }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const report = (who: Who | undefined, version: string, more: object = {}) =>
  ask(who, `/versions/${version}/tests`, { commit: service.commits[version], status: "pass", run: RUN, ...more });

async function testsOf(version: string, url = service.url) {
  const { versions } = (await ask("vera", "/versions?include_unstable=true", undefined, url)).body;
  return (versions as readonly { readonly commit_hash: string; readonly tests: Record<string, string> }[]).find(
    ({ commit_hash }) => commit_hash === service.commits[version],
  )?.tests;
}

describe("[V4] results of tests that are reported", () => {
  test("are shown in /versions, with the address of the run, also after a restart", async () => {
    expect(await testsOf("1.0.0")).toMatchObject({ status: "unknown" });
    const before = Date.now();
    const made = await report("ci", "1.0.0");
    expect(made).toMatchObject({
      status: 200,
      body: {
        commit: service.commits["1.0.0"],
        source: "reported",
        reporter: "acme/ci",
        status: "pass",
        summaryUri: RUN,
      },
    });
    expectSchema("test-report", made.body);
    const shown = await testsOf("1.0.0");
    expect(shown).toEqual({ status: "pass", summary_uri: RUN, last_run: made.body["lastRun"] });
    expect(Date.parse(shown?.["last_run"] ?? "")).toBeGreaterThanOrEqual(before);
    const all = await ask("vera", "/versions/1.0.0/tests");
    expectSchema("test-result", all.body);
    expect(all.body).toMatchObject({ status: "pass", reports: [made.body] });
    service = { ...service, url: await service.reopen() };
    expect(await testsOf("1.0.0")).toEqual(shown);
  });

  test("replace what their reporter said before, and hide no failure that another one has found", async () => {
    const later = "https://ci.example/runs/2";
    await report("ci", "1.1.0", { status: "fail" });
    expect(await testsOf("1.1.0")).toMatchObject({ status: "fail", summary_uri: RUN });
    await report("nightly", "1.1.0", { run: later });
    expect(await testsOf("1.1.0")).toMatchObject({ status: "fail", summary_uri: RUN });
    await report("ci", "1.1.0", { run: later });
    expect(await testsOf("1.1.0")).toMatchObject({ status: "pass", summary_uri: later });
    expect((await ask("vera", "/versions/1.1.0/tests")).body["reports"]).toHaveLength(2);
    expect(
      (await ask("ci", "/versions/1.3.0/tests", { commit: service.commits["broken"], status: "pass", run: RUN }))
        .status,
    ).toBe(200);
    expect(await testsOf("broken")).toMatchObject({ status: "fail" });
  });

  test("are in the audit log of their sender's tenant", async () => {
    // The restart above has made a checkpoint of what was before it.
    const response = await fetch(`${service.url}/audit/acme/${PARTS.records}`, { headers: { authorization: "ann" } });
    const text = (await response.text()).replaceAll('\\"', '"');
    const record = text.split("\n").find((line) => line.includes('"tests.reported"'));
    for (const part of ['"actor":"ci"', `"target":"${service.commits["1.0.0"]}"`, '"status":"pass"', RUN]) {
      expect(record).toContain(part);
    }
  });
});

describe("a report of tests is refused", () => {
  const refused = async (answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
    const { status, body } = await answer;
    return [status, body["name"]];
  };

  test("about another commit than the one served, or one that no tag names: a pull request says nothing in advance", async () => {
    const { commits } = service;
    expect(await refused(report("ci", "1.2.0", { commit: commits["1.1.0"] }))).toEqual([409, "CONFLICT"]);
    expect(await refused(report("ci", "1.2.0", { commit: "f".repeat(40) }))).toEqual([409, "CONFLICT"]);
    const ofPull = { commit: commits["pull"], status: "pass", run: RUN };
    expect(await refused(ask("ci", `/versions/${commits["pull"]}/tests`, ofPull))).toEqual([409, "CONFLICT"]);
    expect((await ask("vera", `/versions/${commits["pull"]}`)).body["tests"]).toMatchObject({ status: "unknown" });
  });

  test("about a version that is not there, without a word about those that are", async () => {
    const { status, body } = await report("ci", "9.9.9", { commit: "f".repeat(40) });
    expect([status, body["name"]]).toEqual([404, "VERSION_NOT_FOUND"]);
    expect(JSON.stringify(body)).not.toMatch(/1\.\d\.0/);
  });

  test.each([
    ["http", { run: "http://ci.example/1" }],
    ["credentials", { run: "https://user:secret@ci.example/1" }],
    ["a script", { run: "javascript:alert(1)" }],
    ["spaces", { run: "https://ci.example/a b" }],
    ["a very long address", { run: `https://ci.example/${"a".repeat(2000)}` }],
    ["another word", { status: "unknown" }],
    ["a short commit", { commit: "abcdef0" }],
    ["a time of its own", { lastRun: "2099-01-01T00:00:00Z" }],
  ])("with %s in it", async (_what, more) => {
    expect(await refused(report("ci", "1.2.0", more))).toEqual([400, "BAD_REQUEST"]);
  });

  test("without the scope, whatever else the caller may do", async () => {
    const { status, body } = await report("vera", "1.0.0", { status: "fail" });
    expect([status, body]).toMatchObject([403, { name: "INSUFFICIENT_SCOPE", details: { scope: "tests:report" } }]);
    expect(await refused(report(undefined, "1.0.0", { status: "fail" }))).toEqual([401, "UNAUTHENTICATED"]);
    expect(await testsOf("1.0.0")).toMatchObject({ status: "pass" });
  });
});

describe("`cairn report`", () => {
  const run = (argv: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runIn(service.folder, ["report", ...argv, "--url", service.url], {
      environment: { PATH: process.env["PATH"], CAIRN_TOKEN: "cli", ...environment },
      now: Date.now,
    });
  const actions = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "acme/tools", GITHUB_RUN_ID: "12" };

  test("reports the run of GitHub Actions that it is part of", async () => {
    expect(await run(["fail", "v1.0.0"], actions)).toEqual({
      code: 0,
      printed: `Reported \`fail\` of 1.0.0 to ${service.url}.`,
    });
    const address = "https://github.com/acme/tools/actions/runs/12";
    expect(await testsOf("1.0.0")).toMatchObject({ status: "fail", summary_uri: address });
  });

  test("needs no address of a run: /versions then leads to the reports", async () => {
    expect(await run(["fail", "v1.0.0"])).toMatchObject({ code: 0 });
    const own = `${service.url}/versions/${service.commits["1.0.0"]}/tests`;
    expect(await testsOf("1.0.0")).toMatchObject({ status: "fail", summary_uri: own });
  });

  test.each<[string, readonly string[], number, string]>([
    ["another result", ["maybe"], 2, "there are `pass` and `fail`"],
    ["a ref that is none", ["pass", "v9.9.9", "--run", RUN], 2, "`v9.9.9` is no commit"],
    ["a run that the service refuses", ["pass", "v1.0.0", "--run", "http://x"], 1, "The body is wrong"],
    ["a commit without a tag", ["pass", "change", "--run", RUN], 1, "No tag names"],
  ])("refuses %s", async (_what, argv, code, said) => {
    expect(await run([...argv, "--wait", "0"])).toEqual({ code, printed: expect.stringContaining(said) });
  });

  test("waits for a version that the service does not know yet", async () => {
    const repository = openRepository(service.folder);
    await repository.release("2.0.0", agentFiles({ version: "2.0.0", tools: {} }));
    const reported = run(["pass", "v2.0.0", "--run", RUN]);
    await ask("vera", "/versions/refresh", {});
    expect(await reported).toMatchObject({ code: 0 });
  });
});

test("credentials for reports are good for nothing else", async () => {
  const rpc = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const outcomes = await Promise.all(
    (
      [
        ["/versions"],
        ["/versions/1.0.0"],
        ["/versions/1.0.0/tests"],
        ["/versions/1.0.0/changelog"],
        ["/versions/1.0.0...1.1.0"],
        ["/versions/refresh", {}],
        ["/agent/1.0.0"],
        ["/agent/1.0.0/openapi.json"],
        ["/agent/1.0.0/api/tools"],
        ["/agent/1.0.0/api/tools/runner.greet"],
        ["/agent/1.0.0/api/tools/runner.greet", {}],
        ["/agent/1.0.0/runner", rpc],
        ["/agent/1.0.0/architect/chat", { message: "Rename the tool." }],
        ["/audit/acme/query"],
        ["/api/mcp/tool/call", { toolName: "runner.greet", input: {} }],
      ] as const
    ).map(async ([path, body]) => [path, (await ask("ci", path, body)).status]),
  );
  expect(outcomes.filter(([, status]) => status !== 403)).toEqual([]);
  expect((await ask("ci", "/api/mcp/tools")).body).toMatchObject({ tools: [] });
});
