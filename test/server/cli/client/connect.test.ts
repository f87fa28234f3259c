import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS } from "../../../../server/cli/client/connect-clients.ts";
import { EXIT } from "../../../../server/cli/exit-codes.ts";
import { agentFiles } from "../../../helpers/agent.ts";
import { runCairn, startCairn } from "../../../helpers/cairn.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { createShared, temporaryFolder } from "../../../helpers/temporary.ts";

const shared = createShared();
let url = "";
let commit = "";

const TOOLS = { hello: { handler: "export default () => ({});\n" } };
const TUNER = { "manifests/tuner/server.yaml": "name: tuner\ndescription: Tunes.\n" };

beforeAll(async () => {
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const files = (version: string) => agentFiles({ version, tools: TOOLS, files: TUNER, labels: { stable: "1.0.0" } });
  await repository.release("1.0.0", files("1.0.0"));
  commit = await repository.commit({ "README.md": "Untagged.\n" });
  await repository.release("1.1.0+warm-start", { ...files("1.1.0") });
  await repository.release("1.2.0", { ...files("1.2.0"), "manifests/runner/hello.yaml": "name: [\n" });
  await repository.commit({ ...files("1.0.0"), "manifests/runner/hello.yaml": null, "tools/runner/hello.ts": null });
  const data = await temporaryFolder(shared.atEnd);
  ({ url } = await startCairn(["dev", repository.path, "--data", data], {}, shared.atEnd));
});
afterAll(shared.undoAll);

const connect = (...args: string[]) => runCairn(["connect", ...args, "--url", url]);

describe("cairn connect", () => {
  test("prints what each client needs, each under its title", async () => {
    const { code, stdout, stderr } = await connect("1.0.0", "runner");
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
