import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DriftingAgent, FILES, openDriftingAgent } from "../../../agents/drifting/open-drifting-agent.ts";
import { createShared, temporaryFolder } from "../../../helpers/temporary.ts";
import { runIn } from "../run-in.ts";

const LONG = { timeout: 120_000 };
const MANIFEST = "manifests/files/read_file.yaml";
const shared = createShared();
let agent: DriftingAgent;
let original = "";

beforeAll(async () => {
  agent = await openDriftingAgent(shared.atEnd);
  original = agent.shop.text;
}, 120_000);
afterAll(shared.undoAll);
beforeEach(async () => {
  Object.assign(agent.shop, { text: original, status: 200 });
  agent.upstream.tools = FILES;
  await agent.repository.git("reset", "--quiet", "--hard", "v1.0.0");
  await agent.repository.git("clean", "--quiet", "-fd");
});

const drift = (...argv: string[]) => runIn(agent.repository.path, ["drift", ...agent.at, ...argv]);
const status = () => agent.repository.git("status", "--porcelain");
const reword = (name: string, description: string) => {
  agent.upstream.tools = { ...agent.upstream.tools, [name]: { ...agent.upstream.tools[name], description } };
};

describe("cairn drift", () => {
  test("ends with 0 while sources are as imported, and lists what they have besides", LONG, async () => {
    agent.upstream.tools = { ...FILES, write_file: FILES["read_file"] ?? {} };
    const { code, printed } = await drift();
    expect(printed).toMatch(
      /^files: unchanged \(https:\/\/files\.internal\/mcp\)\n {2}not imported: write_file\nshop: unchanged \(http:.*\)$/,
    );
    expect([code, await status()]).toEqual([0, ""]);
  });

  test("ends with 4 where one differs, says how, and writes nothing", LONG, async () => {
    reword("read_file", "Reads one file.");
    const { code, printed } = await drift("files", "--json");
    expect([code, await status()]).toEqual([4, ""]);
    expect(JSON.parse(printed)).toMatchObject({
      imports: [
        {
          name: "files",
          kind: "mcp",
          state: "drifted",
          bump: "patch",
          before: "1.0.0",
          after: "1.0.1",
          tools: { added: [], removed: [], reworded: ["read_file"], changed: [] },
          files: [MANIFEST, "manifests/upstreams/files.yaml", "versions.yaml"],
        },
      ],
    });
  });

  test.each([
    ["no answer of that name", 404, "gone", /answered with status 404/],
    ["a page", 200, "<html>", /is no OpenAPI document|can be read neither/],
    ["a document without operations", 200, `{"openapi":"3.1.0","paths":{}}`, /has no operations under `paths`/],
    ["another API", 200, `{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{}}}}}`, /has none of the 2 operations/],
  ])("takes %s for an error, and goes on with the others", LONG, async (_what, answered, text, says) => {
    Object.assign(agent.shop, { status: answered, text });
    reword("read_file", "Reads one file.");
    const { code, printed } = await drift("--write");
    expect(printed).toMatch(says);
    expect(printed).toMatch(/^shop: failed/m);
    expect([code, await status()]).toEqual([
      1,
      ` M ${MANIFEST}\n M manifests/upstreams/files.yaml\n M versions.yaml`.trim(),
    ]);
  });

  test("takes a server without any of the imported tools for an error", LONG, async () => {
    agent.upstream.tools = {};
    const { code, printed } = await drift("files", "--write");
    expect(printed).toMatch(
      /files: failed .*\n {2}Nothing of the import is left: the server lists none of the 2 tools/,
    );
    expect([code, await status()]).toEqual([1, ""]);
  });

  test("writes what importing again and bumping do, and keeps edits", LONG, async () => {
    const path = join(agent.repository.path, MANIFEST);
    await writeFile(path, (await readFile(path, "utf8")).replace("Reads a file.", "Reads a document."));
    reword("read_file", "Reads one file.");
    const { code, printed } = await drift("--write");
    expect([code, printed]).toEqual([
      0,
      expect.stringContaining("note: read_file: `description` changed on both sides"),
    ]);
    expect(await readFile(path, "utf8")).toContain("description: Reads a document.");
    expect(await readFile(join(agent.repository.path, "versions.yaml"), "utf8")).toContain("current: 1.0.1");
  });

  test("says which lines people and the source both changed, and never calls that renewed", LONG, async () => {
    const path = join(agent.repository.path, "manifests/shop/cancel_order.yaml");
    await writeFile(path, (await readFile(path, "utf8")).replace("Cancels an order.", "Cancels it."));
    agent.shop.text = original.replace("Cancels an order.", "Cancels one order.");
    const asked = await drift("shop");
    expect([asked.code, asked.printed]).toEqual([
      1,
      expect.stringMatching(
        /shop: failed .*\n {2}Edits of yours and the source touch the same lines of manifests\/shop/,
      ),
    ]);
    expect(await status()).toBe("M manifests/shop/cancel_order.yaml");
    expect((await drift("shop", "--write")).code).toBe(1);
    expect(await readFile(path, "utf8")).toContain("<<<<<<< yours");
  });

  test(
    "starts no command of an upstream unasked, and sends credentials to the import alone that they are for",
    LONG,
    async () => {
      const path = join(agent.repository.path, "manifests/upstreams/files.yaml");
      const text = await readFile(path, "utf8");
      await writeFile(path, text.replace(/^url: .*$/m, "command: [touch, /tmp/started]"));
      const { code, printed } = await runIn(agent.repository.path, ["drift", "files"]);
      expect([code, printed]).toEqual([1, expect.stringContaining("It is a command, which is not started unasked")]);
      const wrong = await drift("--token-env", "TOKEN");
      expect([wrong.code, wrong.printed]).toEqual([
        2,
        expect.stringContaining("`--token-env` begins with the name of an import"),
      ]);
    },
  );

  test("refuses a saved file that changes anything but tools", LONG, async () => {
    reword("read_file", "Reads one file.");
    const saved = join(await temporaryFolder(), "drift.json");
    expect((await drift("--save", saved)).code).toBe(4);
    const text = await readFile(saved, "utf8");
    for (const path of [
      ".github/workflows/x.yml",
      "package.json",
      "manifests/policies/a.yaml",
      "../x",
      "imports/files.lock.json",
    ]) {
      await writeFile(saved, text.replace('"versions.yaml"', JSON.stringify(path)));
      const { code, printed } = await drift("--propose", "--saved", saved);
      expect([code, printed], path).toEqual([2, expect.stringContaining(`may not change \`${path}\``)]);
    }
  });

  test(
    "keeps one change on a forge of this machine, and brings it up to date when its base has moved",
    LONG,
    async () => {
      const { repository } = agent;
      const bare = join(await temporaryFolder(), "bare.git");
      execFileSync("git", ["clone", "--quiet", "--bare", repository.path, bare]);
      const environment = { PATH: process.env["PATH"], CAIRN_REPO: bare, CAIRN_DATA: await temporaryFolder() };
      const propose = async () =>
        runIn(repository.path, ["drift", ...agent.at, "--propose"], { environment, now: Date.now });
      const find = () =>
        execFileSync("git", ["-C", bare, "rev-parse", "proposal/drift-mcp-files"], { encoding: "utf8" }).trim();
      reword("read_file", "Reads one file.");
      expect(await propose()).toMatchObject({ code: 0, printed: expect.stringMatching(/drift-mcp-files proposed$/) });
      const first = find();
      expect((await propose()).printed).toMatch(/drift-mcp-files is open already$/);
      expect(find()).toBe(first);
      const versions = await readFile(join(repository.path, "versions.yaml"), "utf8");
      const other = versions.replace("current: 1.0.0", "current: 1.0.1");
      await repository.commit({
        "versions.yaml": `${other}  1.0.1:\n    parent: 1.0.0\n    changes:\n      - Other.\n`,
      });
      await repository.tag("v1.0.1");
      await repository.git("push", "--quiet", bare, "main", "v1.0.1");
      const moved = await propose();
      expect([moved.code, moved.printed]).toEqual([0, expect.stringMatching(/drift-mcp-files brought up to date$/)]);
      const show = (path: string) =>
        execFileSync("git", ["-C", bare, "show", `${find()}:${path}`], { encoding: "utf8" });
      expect(show("versions.yaml")).toMatch(/^current: 1\.0\.2$/m);
      expect(show(MANIFEST)).toContain("Reads one file.");
      expect(execFileSync("git", ["-C", bare, "merge-base", first, find()], { encoding: "utf8" }).trim()).toBe(first);
      agent.upstream.tools = FILES;
      expect((await propose()).printed).toMatch(/drift-mcp-files closed, as the source is again as it was imported$/);
      expect(execFileSync("git", ["-C", bare, "branch", "--list", "proposal/*"], { encoding: "utf8" })).toBe("");
    },
  );

  test("tells a checkout from before a change landed from a person who says no", LONG, async () => {
    const { repository } = agent;
    const bare = join(await temporaryFolder(), "bare.git");
    execFileSync("git", ["clone", "--quiet", "--bare", repository.path, bare]);
    const environment = { PATH: process.env["PATH"], CAIRN_REPO: bare, CAIRN_DATA: await temporaryFolder() };
    const propose = () => runIn(repository.path, ["drift", ...agent.at, "--propose"], { environment, now: Date.now });
    reword("read_file", "Reads one file.");
    expect((await propose()).printed).toMatch(/drift-mcp-files proposed$/);
    execFileSync("git", ["-C", bare, "update-ref", "refs/heads/main", "proposal/drift-mcp-files"]);
    expect((await propose()).printed).toMatch(/drift-mcp-files has landed already: bring this checkout up to date$/);
  });
});
