import { cp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCairn } from "../helpers/cairn.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { createRepository } from "../helpers/repository.ts";
import { type AtEnd, createShared, temporaryFolder } from "../helpers/temporary.ts";
import { runIn } from "../server/cli/run-in.ts";

const AGENT = "test/agents/scraper";
const PARSER = "tools/_deps/node-html-parser.js";
const PAGE = `<!doctype html><body><nav><a href="/not">no</a></nav>
  <article><h2><a href="/one">Salt &amp; pepper</a></h2></article>
  <article><h2> <a href="https://other.example/two"><b>Two</b> words</a></h2><p><a href="/not">no</a></article></body>`;

const shared = createShared();
let url = "";
let asked: readonly string[] = [];

beforeAll(async () => {
  const hosts = await openHosts(shared.atEnd);
  const { path } = await openAgent(shared.atEnd);
  const data = await temporaryFolder(shared.atEnd);
  const map = ["news.example.com", "api.github.com"].map((host) => `${host}=${hosts.url}`).join(",");
  const cairn = await startCairn(["serve", path, "--data", data], { CAIRN_EGRESS_MAP: map }, shared.atEnd);
  url = `${cairn.url}/agent/0.1.0/pages`;
  asked = hosts.asked;
});
afterAll(shared.undoAll);

/** A site of news, and an API, on loopback. */
async function openHosts(atEnd: AtEnd): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const paths: string[] = [];
  const server = createServer(({ url: path = "", headers }, response) => {
    paths.push(`${path} ${String(headers.accept)}`);
    const json = { "content-type": "application/json; charset=utf-8" };
    if (path === "/tech.html") response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    else if (path === "/repos/octocat/hello/issues/3")
      response.writeHead(200, json).end(JSON.stringify({ title: "It breaks", state: "open" }));
    else response.writeHead(404, json).end('{"message":"Not Found"}');
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: paths };
}

/** The agent in a repository of its own, tagged. */
async function openAgent(atEnd?: AtEnd) {
  const folder = await temporaryFolder(atEnd);
  await cp(AGENT, folder, { recursive: true });
  const repository = await createRepository(folder);
  await repository.commit({});
  await repository.tag("v0.1.0");
  return repository;
}

describe("an agent with bundled packages", () => {
  test("reads a page with a parser of npm", async () => {
    const client = await connectMcp(url);
    const { structuredContent } = await client.callTool({
      name: "pages.read_headlines",
      arguments: { section: "tech" },
    });
    expect(structuredContent).toMatchObject({
      headlines: [
        { title: "Salt & pepper", url: "https://news.example.com/one" },
        { title: "Two words", url: "https://other.example/two" },
      ],
    });
  });

  test("asks an API through a client of npm that takes `ctx.fetch`", async () => {
    const client = await connectMcp(url);
    const call = (number: number) =>
      client.callTool({ name: "pages.read_issue", arguments: { owner: "octocat", repo: "hello", number } });
    expect((await call(3)).structuredContent).toMatchObject({ title: "It breaks", state: "open" });
    expect(JSON.stringify(await call(4))).toContain("There is no such issue.");
    expect(asked).toContain("/repos/octocat/hello/issues/3 application/vnd.github.v3+json");
  });

  test("shows what its examples say, from recorded answers", async () => {
    const { path } = await openAgent();
    const { code, printed } = await runIn(path, ["test"]);
    expect(printed).toContain("pass: 2 passed, 0 failed, 0 skipped");
    expect(code).toBe(0);
  });

  test("is another version of the tools that import a package, and of no others, when the package changes", async () => {
    const { path, git } = await openAgent();
    const text = await readFile(join(path, PARSER), "utf8");
    await writeFile(join(path, PARSER), `${text}\n`);
    const { printed: refused, code } = await runIn(path, ["validate"]);
    expect(code).toBe(1);
    expect(refused).toMatch(/^tools\/_deps\/packages\.lock\.yaml:\d+:\d+: `tools\/_deps\/node-html-parser\.js` is not/);
    const [, digest = ""] = /its digest is `(sha256:[0-9a-f]{64})`/.exec(refused) ?? [];
    const lock = await readFile(join(path, "tools/_deps/packages.lock.yaml"), "utf8");
    const changed = lock.replace(/(\n {2}node-html-parser:\n {4}digest: )\S+/, `$1${digest}`);
    await writeFile(join(path, "tools/_deps/packages.lock.yaml"), changed);
    await git("add", "--all");
    const { printed } = await runIn(path, ["diff", "v0.1.0", "."]);
    expect(printed).toContain("`tools/_deps/node-html-parser.js` has other code.");
    expect(printed).toContain("pages.read_headlines");
    expect(printed).not.toContain("pages.read_issue");
  });
});
