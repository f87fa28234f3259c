import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { startMcpUpstream } from "../../../stand-ins/mcp-upstream.ts";
import { openKeyedMcp } from "../../../stand-ins/keyed-mcp.ts";
import { LIST, READ } from "../../capabilities/mcp/stand-in.ts";
import { runIn } from "../run-in.ts";

const TOKEN = "tok-0123456789/abc+def";
const AS = "https://files.internal/mcp";
const MANIFEST = "manifests/files/read.yaml";

async function openRepository() {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "manifests"));
  await writeFile(join(folder, "versions.yaml"), "current: 0.1.0\nversions: { 0.1.0: { changes: [First.] } }\n");
  await writeFile(join(folder, "manifests/agent.yaml"), "name: reader\ndescription: Reads.\nhostApi: 1.0.0\n");
  const read = (path: string) => readFile(join(folder, path), "utf8");
  return { folder, read };
}

async function setUp() {
  const { folder, read } = await openRepository();
  const server = await startMcpUpstream({ read: READ, list: LIST });
  const run = (...more: string[]) =>
    runIn(folder, ["import", "mcp", server.url, "--as", AS, "--name", "files", ...more]);
  return { folder, read, server, run };
}

describe("cairn import mcp", () => {
  test("writes a valid tree from a server of the official SDK, and says what it writes", async () => {
    const { folder, read, run } = await setUp();
    const { code, printed } = await run();
    expect(printed).toMatch(
      /^files: Team Files 2\.1\.0, MCP 2025-11-25\n {2}new: read, list\n {2}add manifests\/files\//,
    );
    expect(printed).toContain("is valid");
    expect(code).toBe(0);
    expect(await read("manifests/upstreams/files.yaml")).toContain(`url: ${AS}`);
    expect((await readdir(join(folder, "tools/files"))).toSorted()).toEqual(["list.ts", "read.ts"]);
  });

  test("renews: texts of people stay, a changed schema comes, a tool that is gone goes, a deleted one stays away", async () => {
    const { folder, read, server, run } = await setUp();
    server.tools = { ...server.tools, write: LIST };
    await run();
    const edited = (await read(MANIFEST)).replace("Reads a file.", "Reads a document.");
    await writeFile(join(folder, MANIFEST), edited);
    for (const path of ["manifests/files/write.yaml", "tools/files/write.ts"]) await rm(join(folder, path));
    const inputSchema = { type: "object", properties: { path: { type: "string", maxLength: 99 } } };
    server.tools = { read: { ...READ, description: "Reads.", inputSchema }, write: LIST, search: LIST };
    const { code, printed } = await run();
    expect(printed.split("\n").slice(0, 10)).toEqual([
      "files: Team Files 2.1.0, MCP 2025-11-25",
      "  changed: read",
      "  gone: list",
      "  deleted here, and not written again (`--tool <name>` does): write",
      "  not imported (`--tool <name>` brings one in): search",
      "  change manifests/files/read.yaml",
      "  remove manifests/files/list.yaml",
      "  remove tools/files/list.ts",
      "  change manifests/upstreams/files.yaml",
      "  read: `description` changed on both sides; yours stays",
    ]);
    expect(printed.split("\n").slice(10)).toEqual([
      "reader 0.1.0 is valid: 1 server, 1 tool.",
      "Numbers are not checked yet: `cairn bump --tools` raises the versions of what changed.",
    ]);
    expect(code).toBe(0);
    expect((await run()).printed).not.toContain("Numbers");
    expect(await read(MANIFEST)).toContain("description: Reads a document.");
    expect(await read(MANIFEST)).toContain("maxLength: 99");
    expect(await readdir(join(folder, "manifests/files"))).toEqual(["read.yaml", "server.yaml"]);
  });

  test("has tools need capabilities where policies name roles, and not where they only allow commands", async () => {
    const { folder, read, run } = await setUp();
    const policy = join(folder, "manifests/policies/access.yaml");
    await mkdir(join(policy, ".."));
    await writeFile(policy, "commands: [{ program: files-server }]\n");
    expect(await run()).toMatchObject({ code: 0 });
    expect(await read(MANIFEST)).not.toContain("requiredCapabilities");
    await rm(join(folder, "manifests/files"), { recursive: true });
    await rm(join(folder, "manifests/upstreams"), { recursive: true });
    await writeFile(policy, 'roles: { reader: ["tool:read"] }\n');
    const { code, printed } = await run();
    expect([code, printed]).toEqual([1, expect.stringContaining("No role grants `tool:list`. (uncovered-capability)")]);
    expect(await read(MANIFEST)).toContain("requiredCapabilities:\n  - tool:read\n");
  });

  test("says in its help where the token goes", async () => {
    const { printed } = await runIn(".", ["import", "mcp", "--help"]);
    expect(printed).toContain("Variable with the bearer token for the server's URL");
    expect(printed).not.toContain("--mcp");
  });

  test("says what it would write, and writes nothing, with `--dry-run`", async () => {
    const { folder, run } = await setUp();
    const { code, printed } = await run("--dry-run");
    expect([code, printed.split("\n").at(-1)]).toEqual([0, "  add manifests/files/server.yaml"]);
    expect(await readdir(join(folder, "manifests"))).toEqual(["agent.yaml"]);
  });

  test("asks with a token, and has the service send a secret in its place", async () => {
    const { folder, read } = await openRepository();
    const server = await openKeyedMcp({ [TOKEN]: ["whoami", TOKEN] });
    const run = (more: readonly string[], own = {}) =>
      runIn(folder, ["import", "mcp", server.url, "--as", AS, "--name", "files", ...more], {
        environment: { PATH: process.env["PATH"], ...own },
      });
    const refused = await run([]);
    expect([refused.code, refused.printed]).toEqual([
      expect.any(Number),
      expect.stringContaining("refuses us (401): name the variable"),
    ]);
    const own = ["--token-env", "OWN", "--secret", "FILES", "--of", "caller"];
    const { code, printed } = await run(own, { OWN: TOKEN });
    expect([code, printed]).toEqual([0, expect.stringContaining("is valid")]);
    const written = await read("manifests/upstreams/files.yaml");
    expect(written).toContain(
      "secrets:\n  - name: FILES\n    of: caller\n    header: Authorization\n    format: Bearer {}\n",
    );
    const files = await readdir(join(folder), { recursive: true, withFileTypes: true });
    const texts = files.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), "utf8"));
    expect((await Promise.all(texts)).join("") + printed + files.map(({ name }) => name).join()).not.toContain(TOKEN);
    await run(["--header", "X-Api-Key=OWN", "--secret", "MORE"], { OWN: TOKEN });
    expect(await read("manifests/upstreams/files.yaml")).toContain(
      "format: Bearer {}\n  - name: MORE\n    of: service\n    header: X-Api-Key\n",
    );
    for (const [more, says] of [
      [["--secret", "lower"], /`--secret` is a name in capital letters/],
      [["--secret", "FILES", "--of", "me"], /`--of` service, tenant or caller/],
      [["--secret", "FILES", "--token-env", "OWN", "--header", "X-A=OWN"], /is sent in one header/],
    ] as const) {
      const wrong = await run(more, { OWN: TOKEN });
      expect([wrong.code, wrong.printed]).toEqual([2, expect.stringMatching(says)]);
    }
  });

  test("starts a command, and leaves to policies whether the service may", async () => {
    const { folder, read } = await openRepository();
    const program = `${process.execPath} ${resolve("test/server/cli/mcp/programs/sdk-server.ts")}`;
    const as = ["--as", "issues-server --quiet", "--mount", "docs"];
    const { code, printed } = await runIn(folder, ["import", "mcp", program, ...as, "--tool", "list_issues"]);
    expect(printed).toContain("issues: issues 1.0.0, MCP 2025-11-25\n  new: list_issues\n");
    expect(printed).toContain("command-not-allowed");
    expect(code).toBe(1);
    expect(await read("manifests/upstreams/issues.yaml")).toContain(
      "command:\n  - issues-server\n  - --quiet\nmounts:\n  - docs\n",
    );
    expect(await read("manifests/issues/list_issues.yaml")).toContain("sideEffect: false");
  });

  test.each([
    [["--tool", "write"], /The server has no tool `write`; it has read, list\./],
    [["--name", "../x"], /`\.\.\/x` cannot name the upstream/],
    [["--as", "http://10.0.0.1/mcp"], /A service asks upstreams over HTTPS alone\. Name the address .* `--as https:/],
  ])("refuses %j, and writes nothing", async (more, says) => {
    const { folder, run } = await setUp();
    const { code, printed } = await run(...more);
    expect(printed).toMatch(says);
    expect(code).toBe(2);
    expect(await readdir(join(folder, "manifests"))).toEqual(["agent.yaml"]);
  });
});
