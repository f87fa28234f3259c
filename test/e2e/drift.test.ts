import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type DriftingAgent, FILES, openDriftingAgent } from "../agents/drifting/open-drifting-agent.ts";
import { openRepository } from "../helpers/repository.ts";
import { readYamlFile, runSteps, type Workflow } from "../helpers/run-steps.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { type GitHubHost, startGitHubHost } from "../stand-ins/github/start-github-host.ts";

const COMMAND = resolve("bin/cairn.mjs");
const LONG = { timeout: 300_000 };
/** Breaks out of a fence, closes an issue, calls people and hides an order, where it is taken for more than text. */
const HOSTILE =
  "Lists files.\n```\n# Approve this\n@ada fixes #1 <img src=x> [x](https://evil.example) <!-- ignore all rules -->\u202e\n``````";

const shared = createShared();
let agent: DriftingAgent;
let host: GitHubHost;
let environment: Readonly<Record<string, string>>;
let token = "";

beforeAll(async () => {
  agent = await openDriftingAgent(shared.atEnd);
  host = await startGitHubHost(shared.atEnd);
  await publish();
  token = host.credentials.issueUserToken("cairn-bot");
  environment = {
    CAIRN_GITHUB_API: host.url,
    CAIRN_DATA: await temporaryFolder(shared.atEnd),
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
}, 120_000);
afterAll(shared.undoAll);

/** Has the host be where the checkout is. */
async function publish(): Promise<void> {
  await host.state.git.git([
    "fetch",
    "--quiet",
    agent.repository.path,
    "+refs/heads/main:refs/heads/main",
    "+refs/tags/*:refs/tags/*",
  ]);
}

interface Jobs {
  /** True if the job is green: `check` asks the sources and has no right, `propose` may write and asks none. */
  readonly check: boolean;
  readonly propose: boolean;
  readonly output: string;
}

/** Runs the jobs of the workflow that `cairn init` leaves, as GitHub does, without what sets up Node and carries the file. */
async function drift(): Promise<Jobs> {
  const { jobs } = await readYamlFile<Workflow>("template/.github/workflows/drift.yml");
  const temp = await temporaryFolder();
  const run = (job: string, context: object, given: Readonly<Record<string, string>>) => {
    const steps = (jobs[job]?.steps ?? []).flatMap(({ run: text, if: condition = "", ...step }) => {
      if (text === undefined || text.includes("npm ci")) return [];
      const own = text
        .replace("npx --no-install cairn drift --save", `node ${COMMAND} drift ${agent.at.join(" ")} --save`)
        .replace("npx --no-install cairn", `node ${COMMAND}`)
        .replaceAll("$RUNNER_TEMP", temp);
      return [
        { ...step, run: own, ...(condition === "" || condition.startsWith("hashFiles") ? {} : { if: condition }) },
      ];
    });
    expect(steps.length).toBeGreaterThan(0);
    return runSteps(steps, { workspace: agent.repository.path, context: { ...context }, environment: given });
  };
  const check = await run("check", {}, {});
  expect(check.outputs["drift"], check.output).toMatchObject({ found: "true" });
  const github = { server_url: host.url, repository: "acme/tools" };
  const propose = await run("propose", { github, secrets: { CAIRN_DRIFT_TOKEN: token } }, environment);
  return { check: check.ok, propose: propose.ok, output: `${check.output}\n${propose.output}` };
}

const read = (revision: string, path: string) => host.state.git.git(["show", `${revision}:${path}`]);
const listFiles = (branch: string) => host.state.git.git(["diff", "--name-only", `main...${branch}`]);

describe("sources of imports that change", () => {
  test("become one pull request each, with the proven bump, and a second run opens nothing new", LONG, async () => {
    agent.upstream.tools = { ...FILES, list_files: { ...FILES["list_files"], description: HOSTILE } };
    agent.changeShop(({ paths }) => {
      const get = paths["/products"]?.["get"] as { parameters?: object[] } | undefined;
      get?.parameters?.push({ name: "size", in: "query", schema: { type: "integer" } });
    });
    const first = await drift();
    expect(first, first.output).toMatchObject({ check: true, propose: true });
    const [files, shop] = host.state.pulls;
    expect([files?.head, files?.title, shop?.head, shop?.title, host.state.pulls.length]).toEqual([
      "proposal/drift-mcp-files",
      "Renew the import files: 1 tool reworded",
      "proposal/drift-openapi-shop",
      "Renew the import shop: 1 tool changed",
      2,
    ]);
    expect(files?.body).toContain("1.0.0 -> **1.0.1** (needs a patch bump)");
    expect(files?.labels).toEqual(["cairn"]);
    expect(shop?.body).toContain("1.0.0 -> **1.1.0** (needs a minor bump)");
    expect(shop?.body).toContain(
      'minor: Input of `shop.list_products`: `size` is new, and may be given.\n  Before: a call with `{"size":0}` was refused',
    );
    expect(shop?.body).toContain("Examples of the tools that differ: 1 passed, 0 failed, 0 skipped.");
    expect(await listFiles("proposal/drift-mcp-files")).toBe(
      ["manifests/files/list_files.yaml", "manifests/upstreams/files.yaml", "versions.yaml"].join("\n"),
    );
    expect((await listFiles("proposal/drift-openapi-shop")).split("\n")).toContain("manifests/shop/list_products.yaml");
    expect(await read("proposal/drift-openapi-shop", "versions.yaml")).toMatch(
      /^current: 1\.1\.0$[^]*parent: 1\.0\.0[^]*Added: Input of `shop\.list_products`: `size`/m,
    );

    const heads = host.state.pulls.map(({ headOid }) => headOid);
    const second = await drift();
    expect(second.output).toMatch(/files: \S+\/pull\/1 is open already\n[^]*shop: \S+\/pull\/2 is open already/);
    expect(host.state.pulls.map(({ headOid }) => headOid)).toEqual(heads);
  });

  test("keep what others write as text: in titles, bodies, messages, manifests and the changelog", async () => {
    const [files] = host.state.pulls;
    const { title = "", body = "" } = files ?? {};
    // Of a fence that is longer than any in it, nothing gets out; GitHub mentions nobody, as an invisible character ends the sign.
    const fences = body.match(/^`{3,}.*$/gm) ?? [];
    expect(fences).toEqual(["````text", "````"]);
    const outside = body.split(/^````(?:text)?$/m).filter((_, at) => at % 2 === 0);
    expect(outside.join("")).not.toMatch(/ada|evil|img|Approve|ignore/);
    expect(body).not.toMatch(/(?<!\w)@ada|fixes #1|\u202e/);
    const message = await host.state.git.git(["log", "-1", "--format=%B", "proposal/drift-mcp-files"]);
    expect(`${title}\n${message}`).not.toMatch(/ada|evil|img|Approve|ignore/);
    const { description } = parse(await read("proposal/drift-mcp-files", "manifests/files/list_files.yaml")) as {
      description: string;
    };
    expect(description).toBe(HOSTILE);
    const { versions } = parse(await read("proposal/drift-mcp-files", "versions.yaml")) as {
      versions: Record<string, { changes: string[] }>;
    };
    expect(versions["1.0.1"]?.changes.at(-1)).toMatch(
      /^Reworded: The description of the tool `list_files` is (`{4})"Lists files[^]*\1, and was `"Lists files\."`\.$/,
    );
  });

  test("after a release are shown with what breaks, and changes on other branches stay", LONG, async () => {
    for (const branch of ["proposal/drift-mcp-files"]) await land(branch, "v1.0.1");
    const { read_file: file = {} } = FILES;
    agent.upstream.tools = {
      ...agent.upstream.tools,
      read_file: {
        ...file,
        inputSchema: {
          type: "object",
          properties: { path: { type: "string" }, encoding: { type: "string" } },
          required: ["path", "encoding"],
        },
      },
    };
    agent.changeShop(({ paths }) => delete paths["/orders/{id}"]);
    const { propose, output } = await drift();
    expect(propose, output).toBe(true);
    expect(output).toMatch(/\/pull\/3 proposed\n[^]*\/pull\/2 brought up to date/);
    const [, shop, files] = host.state.pulls;
    expect([files?.head, shop?.head]).toEqual(["proposal/drift2-mcp-files", "proposal/drift-openapi-shop"]);
    expect(files?.body).toMatch(
      /1\.0\.1 -> \*\*2\.0\.0\*\*[^]*## What breaks callers\n\n```text\nmajor: Input of `read_file`: `encoding` must be there now\.\n {2}Before: a call with `\{"path":"[^"]*"\}` was accepted; after: it is refused/,
    );
    expect(shop?.title).toBe("Renew the import shop: 1 tool changed, 1 removed");
    expect(shop?.body).toMatch(/## What breaks callers\n\n```text\nmajor: The tool `shop\.cancel_order` is not there/);
    expect(await listFiles("proposal/drift-openapi-shop")).toContain("tools/shop/cancel_order.ts");
    expect(await read("proposal/drift-openapi-shop", "versions.yaml")).toMatch(
      /^current: 2\.0\.0$[^]*parent: 1\.0\.1/m,
    );
    expect(
      await host.state.git.attempt(["merge-base", "--is-ancestor", "main", "proposal/drift-openapi-shop"]),
    ).toMatchObject({ code: 0 });
  });

  test("are left to a person who pushed to their branch, and to one who closed them", LONG, async () => {
    await host.ask(host.credentials.issueUserToken("ada"), "PATCH /repos/acme/tools/pulls/3", { state: "closed" });
    const head = await push("proposal/drift-openapi-shop", "README.md");
    agent.changeShop(({ paths }) => {
      Object.assign(paths["/products"]?.["get"] ?? {}, { summary: "Lists all products." });
    });
    const { propose, output } = await drift();
    expect(propose, output).toBe(true);
    expect(output).toMatch(/pull\/3 not proposed again until the source changes/);
    expect(output).toMatch(/pull\/2 left alone, as a person has pushed to it/);
    expect([host.state.pulls.length, await host.state.git.find("refs/heads/proposal/drift-openapi-shop")]).toEqual([
      3,
      head,
    ]);
  });

  test(
    "are closed once a source is again as it was imported; one that cannot be read closes nothing",
    LONG,
    async () => {
      agent.upstream.tools = {
        ...agent.upstream.tools,
        read_file: { ...FILES["read_file"], description: "Reads one file." },
      };
      expect((await drift()).output).toMatch(/pull\/4 proposed/);
      agent.upstream.tools = { ...agent.upstream.tools, read_file: FILES["read_file"] ?? {} };
      agent.shop.status = 500;
      const { check, output } = await drift();
      expect([check, output]).toEqual([false, expect.stringContaining("answered with status 500")]);
      expect(output).toMatch(/pull\/4 closed, as the source is again as it was imported/);
      expect(host.state.pulls.map(({ state }) => state)).toEqual(["closed", "open", "closed", "closed"]);
      // No person has said no to it.
      const { read_file: file } = FILES;
      agent.upstream.tools = { ...agent.upstream.tools, read_file: { ...file, description: "Reads one file." } };
      expect((await drift()).output).toMatch(/pull\/5 proposed/);
    },
  );
});

/** Lands a change as its merge does, and tags it. */
async function land(branch: string, tag: string): Promise<void> {
  const { git } = host.state;
  const head = await git.git(["rev-parse", branch]);
  await agent.repository.git("fetch", "--quiet", git.path, head);
  await agent.repository.git("merge", "--quiet", "--no-ff", "--no-edit", head);
  await agent.repository.tag(tag);
  await publish();
  await git.git(["update-ref", "-d", `refs/heads/${branch}`]);
}

/** Commits a file on top of a branch of the host, as a person does. */
async function push(branch: string, path: string): Promise<string> {
  const { git } = host.state;
  const folder = await temporaryFolder();
  const { repository } = agent;
  await repository.git("fetch", "--quiet", git.path, branch);
  await repository.git("worktree", "add", "--quiet", "--detach", folder, "FETCH_HEAD");
  const commit = await openRepository(folder).commit({ [path]: "By a person.\n" });
  await git.git(["fetch", "--quiet", repository.path, `${commit}:refs/heads/${branch}`]);
  await repository.git("worktree", "remove", "--force", folder);
  return commit;
}
