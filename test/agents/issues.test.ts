import { randomBytes } from "node:crypto";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { createRepository } from "../helpers/repository.ts";
import { type AtEnd, temporaryFolder } from "../helpers/temporary.ts";
import { runIn } from "../server/cli/run-in.ts";
import { secondaryLimit } from "../stand-ins/github/faults.ts";
import { type IssueHost, startIssueHost } from "../stand-ins/github/start-issue-host.ts";

const SHOP = { owner: "acme", repo: "shop" };
const CALLERS = { ada: "triager", bob: "triager", rita: "triager", ray: "reader", nat: "triager" } as const;
type Who = keyof typeof CALLERS;

/** Milliseconds of the preparations: a release, five tokens and a service, on a busy machine. */
const PATIENCE = 180_000;

let github: IssueHost;
let service: RunningCairn;
let data: string;
/** Tokens of Cairn, and of GitHub. */
const cairnTokens = {} as Record<Who, string>;
const githubTokens = {} as Record<Who, string>;
const answers: string[] = [];
const ended: (() => unknown)[] = [];
const atEnd: AtEnd = (step) => void ended.push(step);

beforeAll(async () => {
  github = await startIssueHost(atEnd);
  github.addRepository("acme/shop", { writers: ["ada", "rita"] });
  github.addRepository("acme/vault", { readers: ["ada"], writers: ["ada"] });
  github.addRepository("acme/site", { writers: ["ada"] });
  github.addRepository("acme/quiet", { writers: ["ada"], hasIssues: false });
  github.addIssue("acme/shop", "The cart is slow", { labels: ["bug"] });
  github.addIssue("acme/shop", "Rewrite the cart", { isPull: true });
  github.addIssue("acme/shop", "Spam", { isDeleted: true });
  github.addIssue("acme/shop", "Prices are wrong", { labels: ["bug", "urgent"] });
  github.addIssue("acme/shop", "More colours");
  github.addIssue("acme/vault", "The key is under the mat");
  github.addIssue("acme/site", "No imprint");
  github.renamed.set("acme/web", "acme/site");

  const { path, git } = await createRepository(await temporaryFolder(atEnd));
  await cp(new URL("issues", import.meta.url), path, { recursive: true });
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Issues");
  await git("config", "user.name", "Ana");
  await git("config", "user.email", "ana@example.com");
  expect(await runIn(path, ["release"])).toMatchObject({ code: 0 });

  data = await temporaryFolder(atEnd);
  const key = join(await temporaryFolder(atEnd), "key");
  await writeFile(key, randomBytes(32).toString("base64"));
  for (const [who, role] of Object.entries(CALLERS) as [Who, string][]) {
    const made = ["--tenant", "acme", "--actor", who, "--scopes", "*", "--roles", role, "--data", data];
    const lines: string[] = [];
    const out = (line: string) => void lines.push(line);
    await runIn(path, ["token", "create", ...made, "--expires", "never"], { out, now: Date.now });
    cairnTokens[who] = lines.at(-1) ?? "";
    githubTokens[who] = github.credentials.issueUserToken(who, { isReadOnly: who === "rita" });
  }
  service = await startCairn(
    ["serve", path, "--data", data],
    { CAIRN_EGRESS_MAP: `api.github.com=${github.url}`, CAIRN_SECRETS_KEY: `file:${key}`, CAIRN_LOG_LEVEL: "trace" },
    atEnd,
  );
  // As people set their token, by the command.
  for (const who of ["ada", "bob", "rita", "ray"] as const) {
    const set = await runIn(path, ["secret", "set", "GITHUB", "--url", service.url], {
      environment: { CAIRN_TOKEN: cairnTokens[who] },
      input: () => Readable.from([githubTokens[who]]),
    });
    expect(set).toMatchObject({ code: 0 });
  }
  return async () => {
    for (const step of ended.reverse()) await step();
  };
}, PATIENCE);

/** Calls a tool by REST. */
async function call(who: Who, tool: string, input: object) {
  const response = await fetch(`${service.url}/agent/1.0.0/api/tools/issues.${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${cairnTokens[who]}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  answers.push(text);
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
}

const connect = (who: Who) =>
  connectMcp(`${service.url}/agent/1.0.0/issues`, { authorization: `Bearer ${cairnTokens[who]}` });

describe("the issues agent", () => {
  test("lists issues page by page, without pull requests and those that were deleted", async () => {
    const first = await call("ada", "list", { ...SHOP, per_page: 2 });
    expect(first).toMatchObject({
      status: 200,
      body: {
        issues: [
          { number: 5, title: "More colours" },
          { number: 4, labels: ["bug", "urgent"] },
        ],
        next: 2,
      },
    });
    const second = await call("ada", "list", { ...SHOP, per_page: 2, page: 2 });
    expect(second.body["issues"]).toMatchObject([{ number: 1, author: "octo" }]);
    expect(second.body).not.toHaveProperty("next");
    const urgent = await call("ada", "list", { ...SHOP, labels: ["bug", "urgent"] });
    expect(urgent.body["issues"]).toMatchObject([{ number: 4 }]);
  });

  test("shows and does what each caller's own token may, through MCP", async () => {
    const [ada, bob] = [await connect("ada"), await connect("bob")];
    const vault = { name: "issues.list", arguments: { owner: "acme", repo: "vault" } };
    expect(await ada.callTool(vault)).toMatchObject({
      structuredContent: { issues: [{ title: "The key is under the mat" }] },
    });
    const hidden = await bob.callTool(vault);
    expect(hidden).toMatchObject({ isError: true, _meta: { "cairn/error": { name: "NOT_FOUND" } } });
    expect(JSON.stringify(hidden)).toContain("There is no such repository or issue, or your token may not see it.");

    // GitHub drops labels of people who may not push, and nothing says so but the issue.
    const create = (title: string) => ({ name: "issues.create", arguments: { ...SHOP, title, labels: ["bug"] } });
    expect(await ada.callTool(create("From Ada"))).toMatchObject({
      structuredContent: { issue: { author: "ada", labels: ["bug"] }, created: true },
    });
    const made = await bob.callTool(create("From Bob"));
    expect(made).toMatchObject({ structuredContent: { issue: { number: 7, author: "bob", labels: [] } } });
    expect(await call("bob", "label", { ...SHOP, number: 7, labels: ["bug"] })).toMatchObject({
      status: 403,
      body: { name: "FORBIDDEN", detail: "Your token may not do this: Must have admin rights to Repository." },
    });
    expect(await call("bob", "close", { ...SHOP, number: 7, reason: "not_planned" })).toMatchObject({
      body: { issue: { state: "closed" } },
    });
    expect(await call("bob", "close", { ...SHOP, number: 1 })).toMatchObject({ status: 403 });
    answers.push(JSON.stringify([hidden, made]));
  });

  test("writes nothing twice: comments, labels and issues", async () => {
    const { issues } = github.repositories[0] ?? { issues: [] };
    const issue = { ...SHOP, title: "Twice", body: "Once", key: "issue-0001" };
    const { body: first } = await call("ada", "create", issue);
    const count = issues.length;
    const again = await call("ada", "create", issue);
    expect(again.body).toMatchObject({ issue: first["issue"], created: false });
    expect(issues).toHaveLength(count);

    const comment = { ...SHOP, number: 4, body: "Seen.", key: "comment-0001" };
    const { body: said } = await call("ada", "comment", comment);
    expect((await call("ada", "comment", comment)).body).toMatchObject({ id: said["id"], created: false });
    expect(issues[3]?.comments).toMatchObject([{ login: "ada", body: "Seen.\n\n<!-- key: comment-0001 -->" }]);

    // The issue was created, and only the answer was lost.
    github.faults.order({ kind: "reset", route: "POST /repos/{owner}/{repo}/issues", done: true });
    const lost = { ...SHOP, title: "Lost", key: "issue-0002" };
    expect(await call("ada", "create", lost)).toMatchObject({ status: 503, body: { name: "UPSTREAM_ERROR" } });
    expect((await call("ada", "create", lost)).body).toMatchObject({ issue: { title: "Lost" }, created: false });
    expect(issues.filter(({ title }) => title === "Lost")).toHaveLength(1);

    for (const attempt of [1, 2])
      expect(await call("ada", "label", { ...SHOP, number: 5, labels: ["ui"] }), String(attempt)).toMatchObject({
        body: { labels: ["ui"] },
      });
  });

  test("asks only whether an issue has changed", async () => {
    const { body } = await call("ada", "read", { ...SHOP, number: 1 });
    expect(body).toMatchObject({ changed: true, issue: { title: "The cart is slow" }, etag: expect.any(String) });
    const unless = { ...SHOP, number: 1, unless: body["etag"] };
    expect((await call("ada", "read", unless)).body).toMatchObject({ changed: false });
    await call("ada", "comment", { ...SHOP, number: 1, body: "Still slow." });
    expect((await call("ada", "read", unless)).body).toMatchObject({ changed: true, issue: { comments: 1 } });
  });

  test("finds a repository that was renamed, and writes into it", async () => {
    const old = { owner: "acme", repo: "web" };
    expect((await call("ada", "list", old)).body["issues"]).toMatchObject([{ title: "No imprint" }]);
    expect(await call("ada", "create", { ...old, title: "No contact" })).toMatchObject({
      body: { issue: { number: 2, url: "https://github.com/acme/site/issues/2" } },
    });
    // A redirect that makes a GET of a POST creates nothing, and must not look as if it had.
    const location = "https://api.github.com/repos/acme/site/issues";
    github.faults.order({
      kind: "answer",
      route: "POST /repos/{owner}/{repo}/issues",
      status: 301,
      headers: { location },
    });
    expect(await call("ada", "create", { ...SHOP, title: "Nowhere" })).toMatchObject({
      status: 409,
      body: { detail: "The repository has moved, and nothing was written: use its new name." },
    });
  });

  test.for([
    ["a repository that is not there", "list", { owner: "acme", repo: "nowhere" }, 404, /^There is no such repository/],
    [
      "an issue that was deleted",
      "read",
      { ...SHOP, number: 3 },
      404,
      /^GitHub answered with 410: This issue was deleted$/,
    ],
    [
      "a repository without issues",
      "create",
      { owner: "acme", repo: "quiet", title: "x" },
      404,
      /410: Issues has been/,
    ],
    [
      "what GitHub finds invalid",
      "create",
      { ...SHOP, title: " " },
      422,
      /422: Validation Failed; `title` is missing_field$/,
    ],
    ["a member that the tool does not have", "create", { ...SHOP, title: "x", assignee: "bob" }, 400, /assignee/],
  ] as const)("says clearly what is wrong: %s", async ([, tool, input, status, message]) => {
    expect(await call("ada", tool, input)).toMatchObject({ status, body: { detail: expect.stringMatching(message) } });
  });

  test("says when to try again, after either limit of GitHub", async () => {
    const spent = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1900000000" };
    const message = "API rate limit exceeded for user ID 1";
    github.faults.order(secondaryLimit(42), { kind: "answer", status: 403, message, headers: spent });
    expect(await call("ada", "list", SHOP)).toMatchObject({
      status: 503,
      body: {
        name: "UPSTREAM_ERROR",
        detail: expect.stringContaining("secondary rate limit. Please wait a few minutes before you try again"),
        details: { status: 403, retryAfter: 42 },
      },
    });
    expect(await call("ada", "list", SHOP)).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining(message), details: { resetAt: 1_900_000_000 } },
    });
  });

  test("asks for nothing but the operation of the tool, whatever the name of a repository", async () => {
    const before = github.requests.length;
    for (const repo of ["..", "."]) {
      expect(await call("rita", "read", { ...SHOP, repo, number: 4 })).toMatchObject({
        status: 400,
        body: { detail: "An owner or a repository cannot be `.` or `..`." },
      });
    }
    expect(github.requests.length).toBe(before);
  });

  test("refuses callers whose token may only read, whose role may only read, and who have set none", async () => {
    const create = { ...SHOP, title: "Not allowed" };
    expect(await call("rita", "read", { ...SHOP, number: 4 })).toMatchObject({ status: 200 });
    expect(await call("rita", "create", create)).toMatchObject({
      status: 403,
      body: { detail: "Your token may not do this: Resource not accessible by personal access token." },
    });
    const before = github.requests.length;
    expect(await call("ray", "create", create)).toMatchObject({
      status: 403,
      body: { detail: "`issues.create` requires `issues:write`, which `ray` does not hold." },
    });
    expect((await (await connect("ray")).listTools()).tools.map(({ name }) => name)).toEqual([
      "issues.list",
      "issues.read",
    ]);
    const missing =
      "`issues.list` acts with its caller's own secret `GITHUB`, and `nat` has set none. Set it with `cairn secret set GITHUB`, or PUT /secrets/GITHUB.";
    expect(await call("nat", "list", SHOP)).toMatchObject({
      status: 424,
      body: { name: "SECRET_MISSING", detail: missing, details: { missing: "GITHUB", of: "caller" } },
    });
    const answer = await (await connect("nat")).callTool({ name: "issues.list", arguments: SHOP });
    expect(answer).toMatchObject({
      isError: true,
      _meta: { "cairn/error": { name: "SECRET_MISSING", message: missing } },
    });
    expect(github.requests.length).toBe(before);
  });

  test("says that a token was revoked, and what to do", async () => {
    github.credentials.revoke(githubTokens.rita);
    expect(await call("rita", "list", SHOP)).toMatchObject({
      status: 403,
      body: { detail: "GitHub does not take your token (Bad credentials). Set another one as the secret GITHUB." },
    });
  });

  test("names the caller of each call in the audit, and shows no token anywhere", async () => {
    const { printed } = await runIn(data, [
      "audit",
      "query",
      "--tenant",
      "acme",
      "--tool",
      "issues.create",
      "--data",
      data,
    ]);
    for (const who of ["ada", "bob", "rita", "ray"]) expect(printed).toContain(who);
    const headers = { authorization: `Bearer ${cairnTokens.ada}` };
    const client = await connect("ada");
    const shown = [
      ...answers,
      printed,
      service.output(),
      JSON.stringify(await client.listTools()),
      await (await fetch(`${service.url}/secrets`, { headers })).text(),
      await (await fetch(`${service.url}/agent/1.0.0/openapi.json`, { headers })).text(),
    ].join("\n");
    expect(shown.length).toBeGreaterThan(10_000);
    for (const token of Object.values(githubTokens)) expect(shown).not.toContain(token.slice(4));
  });
});

test("examples of the issues agent pass from their recordings, and recording anew says which secret is missing", async () => {
  const folder = join(await temporaryFolder(), "agent");
  await cp(new URL("issues", import.meta.url), folder, { recursive: true });
  expect((await runIn(folder, ["test"])).printed).toContain("pass: 8 passed, 0 failed, 0 skipped");
  expect(await runIn(folder, ["types", "--check"])).toMatchObject({ code: 0 });
  const recording = join(folder, "tools/issues/close.recording.yaml");
  expect(await readFile(recording, "utf8")).not.toMatch(/ghp_/);
  await rm(recording);
  const again = await runIn(folder, ["test", "--record", "--egress-map", `api.github.com=${github.url}`]);
  expect(again).toMatchObject({
    code: 1,
    printed: expect.stringContaining(
      "  without the secret `GITHUB` of the caller; `--secret GITHUB=env:VARIABLE` has hosts asked with it",
    ),
  });
});
