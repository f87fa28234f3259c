import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS } from "../../../../server/cli/client/connect-clients.ts";
import { EXIT } from "../../../../server/cli/exit-codes.ts";
import { agentFiles } from "../../../helpers/agent.ts";
import { runCairn, runInProcess, startCairn } from "../../../helpers/cairn.ts";
import { DECODERS, toDirectLink } from "../../../helpers/install-links.ts";
import { expectSchema } from "../../../helpers/schemas.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { createShared, temporaryFolder } from "../../../helpers/temporary.ts";

const shared = createShared();
let url = "";
let commit = "";
let unserved = "";

const TOOLS = { hello: { handler: "export default () => ({});\n" } };
const TUNER = { "manifests/tuner/server.yaml": "name: tuner\ndescription: Tunes.\n" };

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const files = (version: string) => agentFiles({ version, tools: TOOLS, files: TUNER, labels: { stable: "1.0.0" } });
  await repository.release("1.0.0", files("1.0.0"));
  commit = await repository.commit({ "README.md": "Untagged.\n" });
  await repository.release("1.1.0+warm-start", { ...files("1.1.0") });
  await repository.release("1.2.0", { ...files("1.2.0"), "manifests/runner/hello.yaml": "name: [\n" });
  unserved = await repository.commit({
    ...files("1.0.0"),
    "manifests/runner/hello.yaml": null,
    "tools/runner/hello.ts": null,
  });
  const data = await temporaryFolder(shared.atEnd);
  ({ url } = await startCairn(["dev", repository.path, "--data", data], {}, shared.atEnd));
});
afterAll(shared.undoAll);

const connect = (...args: string[]) => runInProcess(["connect", ...args, "--url", url]);

/** Tools that a client finds at the address of a link or a file. */
async function listTools(address: unknown): Promise<readonly string[]> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(String(address))));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

interface Detail {
  readonly servers: readonly {
    readonly name: string;
    readonly install?: Readonly<Record<string, { readonly link: string; readonly web?: string }>>;
  }[];
}

async function detailOf(version: string): Promise<{ readonly body: Detail }> {
  const body = (await (await fetch(`${url}/versions/${encodeURIComponent(version)}`)).json()) as Detail;
  expectSchema("version-detail", body);
  return { body };
}

describe("cairn connect", () => {
  test("prints what each client needs, each under its title", async () => {
    const { code, stdout, stderr } = await runCairn(["connect", "1.0.0", "runner", "--url", url]);
    expect([code, stderr]).toEqual([EXIT.OK, ""]);
    expect(stdout.split("\n")[0]).toBe(`test-agent 1.0.0, server \`runner\`: ${url}/agent/1.0.0/runner`);
    const titles = [...stdout.matchAll(/^--- (.+?): /gm)].map(([, title]) => title);
    expect(titles).toEqual(Object.values(CLIENTS).map(({ title }) => title));
  });

  test.each([
    ["zed", { context_servers: { "test-agent-runner": { url: expect.stringMatching(/\/agent\/1\.0\.0\/runner$/) } } }],
    ["claude-desktop", { mcpServers: { "test-agent-runner": { command: process.execPath, args: expect.anything() } } }],
  ])("prints for %s alone what goes into its file, and nothing else", async (client, file) => {
    const { code, stdout, stderr } = await connect("1.0.0", "runner", "--client", client);
    expect([code, JSON.parse(stdout), stderr]).toEqual([EXIT.OK, file, ""]);
  });

  test("has clients start the bridge with --stdio, by full paths", async () => {
    const { stdout } = await connect("1.0.0", "tuner", "--client", "cursor", "--stdio");
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: {
        "test-agent-tuner": {
          command: process.execPath,
          args: [resolve("bin/cairn.mjs"), "stdio", "1.0.0", "tuner", "--url", url],
        },
      },
    });
  });

  test.each([
    ["1.0.0", "1.0.0", ""],
    ["1.1.0+warm-start", "1.1.0+warm-start", ""],
    ["stable", "1.0.0", "`stable` means 1.0.0 now and moves; what is printed here stays with 1.0.0."],
    ["~1.0", "1.0.0", "`~1.0` means 1.0.0 now and moves; what is printed here stays with 1.0.0."],
    ["dev", "dev", "`dev` is the work tree: it changes with every edit."],
  ])("pins %s to %s", async (version, pinned, note) => {
    const { stdout, stderr } = await connect(version, "tuner", "--client", "cursor");
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { "test-agent-tuner": { url: `${url}/agent/${pinned}/tuner` } },
    });
    expect(stderr).toBe(note === "" ? "" : `cairn: ${note}\n`);
  });

  test("pins a commit to all of its digits", async () => {
    const { stdout } = await connect(commit.slice(0, 8), "runner");
    expect(stdout.split("\n")[0]).toBe(`test-agent ${commit}, server \`runner\`: ${url}/agent/${commit}/runner`);
  });

  test.each([
    ["9.9.9", "runner", "There is no version `9.9.9`"],
    ["1.0.0", "runer", "`1.0.0` has no MCP server `runer`; it has: runner, tuner."],
    ["1.2.0", "runner", "`1.2.0` is not served: "],
  ])("refuses %s with server %s, and says why", async (version, server, message) => {
    const { code, stdout, stderr } = await connect(version, server);
    expect([code, stdout, stderr]).toEqual([EXIT.FAILED, "", expect.stringContaining(`cairn: ${message}`)]);
  });

  test("names the clients that there are", async () => {
    const { code, stderr } = await connect("1.0.0", "runner", "--client", "emacs");
    expect([code, stderr]).toEqual([EXIT.USAGE, expect.stringContaining("claude-desktop")]);
  });

  test("needs a service", async () => {
    const { code, stderr } = await runCairn(["connect", "latest", "runner", "--url", "http://127.0.0.1:9"]);
    expect([code, stderr]).toEqual([EXIT.ENVIRONMENT, expect.stringContaining("start one with `cairn serve`")]);
  });
});

describe("install links", () => {
  test("lead each client to the server: those of the service, which are those of the command", async () => {
    const { body } = await detailOf("1.0.0");
    const { install = {} } = body.servers.find(({ name }) => name === "runner") ?? {};
    expect(Object.keys(install)).toEqual(Object.keys(DECODERS));
    for (const [client, { link, web }] of Object.entries(install)) {
      const { name, config } = DECODERS[client]?.(link) ?? {};
      expect([name, config?.["url"]]).toEqual(["test-agent-runner", `${url}/agent/1.0.0/runner`]);
      expect(await listTools(config?.["url"])).toEqual(["runner.hello"]);
      if (web !== undefined) expect(toDirectLink(client, web)).toBe(link);
    }
    const { code, stdout, stderr } = await connect("1.0.0", "runner", "--link");
    const printed = Object.values(install).flatMap(({ link, web }) => (web === undefined ? [link] : [link, web]));
    expect([code, stdout.split("\n").filter((line) => /^[a-z-]+:/.test(line))]).toEqual([EXIT.OK, printed]);
    expect(stderr).toBe("cairn: The client stays with 1.0.0, which never changes.\n");
  });

  test("are only of servers that answer calls, and of none of a version that is quarantined", async () => {
    const { body } = await detailOf(unserved);
    expect(body.servers.map(({ install }) => install)).toEqual([undefined, undefined]);
    expect((await detailOf("1.2.0")).body.servers).toBeUndefined();
  });

  test("hold the name behind a plus sign", async () => {
    const { body } = await detailOf("1.1.0+warm-start");
    const links = body.servers.map(
      ({ install }) => DECODERS["cursor"]?.(install?.["cursor"]?.link ?? "").config["url"],
    );
    expect(links).toContain(`${url}/agent/1.1.0+warm-start/runner`);
    for (const link of links) expect(await listTools(link)).toBeInstanceOf(Array);
  });

  test("of one client are all that is printed for it", async () => {
    const { stdout, stderr } = await connect("stable", "tuner", "--link", "--client", "kiro");
    expect(DECODERS["kiro"]?.(stdout.trim())).toEqual({
      name: "test-agent-tuner",
      config: { url: `${url}/agent/1.0.0/tuner` },
    });
    expect(stderr).toContain("`stable` means 1.0.0 now and moves; the client stays with 1.0.0, which never changes.");
  });

  test("keep a label with --follow", async () => {
    const { stdout, stderr } = await connect("stable", "runner", "--link", "--client", "goose", "--follow");
    const { config } = DECODERS["goose"]?.(stdout.trim()) ?? {};
    expect(config?.["url"]).toBe(`${url}/agent/stable/runner`);
    expect(await listTools(config?.["url"])).toEqual(["runner.hello"]);
    expect(stderr).toBe("cairn: `stable` means 1.0.0 now and moves; the client moves with it.\n");
  });

  test("start the bridge with --stdio, and say that they are good here alone", async () => {
    const { stdout, stderr } = await connect("1.0.0", "runner", "--link", "--client", "goose", "--stdio");
    const { config } = DECODERS["goose"]?.(stdout.trim()) ?? {};
    expect(config).toMatchObject({ command: process.execPath, args: expect.arrayContaining(["stdio", "1.0.0", url]) });
    expect(stderr).toContain("they are good on it alone");
  });

  test.each([
    [["--link", "--client", "zed"], "`zed` documents no install links; these do: cursor, vscode"],
    [["--link", "--write"], "`--link` and `--write` do not go together"],
    [["--yes"], "`--yes` needs `--write`"],
    [["--write", "--file", "a", "--project"], "`--file` and `--project` do not go together"],
    [["--write", "--file", "a"], "`--file` needs `--client`"],
    [["--write", "--client", "windsurf", "--project"], "Windsurf has no such file"],
    [["--write", "--client", "goose", "--file", "a"], "Goose has no such file"],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await connect("1.0.0", "runner", ...args);
    expect([code === EXIT.OK, stdout, stderr]).toEqual([false, "", expect.stringContaining(message)]);
  });
});

describe("cairn connect --write", () => {
  const writeAfter = (input: string, home: string, ...args: string[]) =>
    runCairn(["connect", ...args, "--url", url, "--write"], { cwd: home, environment: { HOME: home }, input });
  const write = (home: string, ...args: string[]) => writeAfter("", home, ...args);

  test("writes where the client reads, asks first, and replaces its own entry", async () => {
    const home = await temporaryFolder();
    const file = join(home, ".cursor/mcp.json");
    const asked = await write(home, "1.0.0", "runner", "--client", "cursor");
    expect([asked.code, existsSync(file)]).toEqual([EXIT.FAILED, false]);
    expect(asked.stdout).toContain(`+       "url": "${url}/agent/1.0.0/runner"`);
    expect(asked.stderr).toContain("write this?");

    const read = async () =>
      JSON.parse(await readFile(file, "utf8")) as { mcpServers: Record<string, { url: string }> };
    expect(await writeAfter("y\n", home, "1.0.0", "runner", "--client", "cursor")).toMatchObject({ code: EXIT.OK });
    const { mcpServers } = await read();
    expect(await listTools(mcpServers["test-agent-runner"]?.url)).toEqual(["runner.hello"]);
    const moved = await write(home, "1.1.0+warm-start", "runner", "--client", "cursor", "--yes");
    expect(moved.stdout).not.toContain("leads to");
    expect(await read()).toEqual({
      mcpServers: { "test-agent-runner": { url: `${url}/agent/1.1.0+warm-start/runner` } },
    });
  });

  test("adds to every client's file that there is, but for those that were named otherwise", async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, ".codex"));
    await mkdir(join(home, ".gemini"));
    await writeFile(join(home, ".codex/config.toml"), 'model = "x" # mine\n');
    await writeFile(join(home, ".gemini/settings.json"), '{ "theme": "dark" }');
    const { code, stderr } = await write(home, "1.0.0", "runner", "--yes");
    expect([code, stderr]).toEqual([EXIT.OK, "cairn: The client stays with 1.0.0, which never changes.\n"]);
    expect(await readFile(join(home, ".codex/config.toml"), "utf8")).toBe(
      `model = "x" # mine\n\n[mcp_servers.test-agent-runner]\nurl = "${url}/agent/1.0.0/runner"\n`,
    );
    expect(JSON.parse(await readFile(join(home, ".gemini/settings.json"), "utf8"))).toEqual({
      theme: "dark",
      mcpServers: { "test-agent-runner": { httpUrl: `${url}/agent/1.0.0/runner` } },
    });
    expect((await readdir(home)).toSorted()).toEqual([".codex", ".gemini"]);
    const none = await write(await temporaryFolder(), "1.0.0", "runner", "--yes");
    expect([none.code, none.stderr]).toEqual([EXIT.FAILED, expect.stringContaining("No client's file was found")]);
  });

  test("writes into the project, or the file that is named, with the bridge for those that take nothing else", async () => {
    const home = await temporaryFolder();
    await write(home, "latest", "runner", "--client", "vscode", "--project", "--yes");
    expect(JSON.parse(await readFile(join(home, ".vscode/mcp.json"), "utf8"))).toEqual({
      servers: { "test-agent-runner": { type: "http", url: `${url}/agent/1.0.0/runner` } },
    });
    await write(home, "1.0.0", "runner", "--client", "claude-desktop", "--file", "desktop.json", "--yes");
    expect(JSON.parse(await readFile(join(home, "desktop.json"), "utf8"))).toMatchObject({
      mcpServers: { "test-agent-runner": { command: process.execPath, args: expect.arrayContaining(["stdio"]) } },
    });
  });

  test("prints the command of a client that writes its file itself", async () => {
    const { code, stdout } = await write(await temporaryFolder(), "1.0.0", "runner", "--client", "claude-code");
    expect([code, stdout]).toEqual([
      EXIT.OK,
      `claude mcp add --transport http test-agent-runner ${url}/agent/1.0.0/runner\n`,
    ]);
  });
});
