import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../../../server/cli/exit-codes.ts";
import { agentFiles } from "../../../helpers/agent.ts";
import { runCairn, startCairn } from "../../../helpers/cairn.ts";
import { eventually } from "../../../helpers/eventually.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { createShared, temporaryFolder } from "../../../helpers/temporary.ts";
import { answer, INITIALIZE, INITIALIZED, modern } from "../open-bridge.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const SERVING = /^cairn: serving at http:\/\/127\.0\.0\.1:\d+ as long as the client stays$/m;

const shared = createShared();
let repository = "";
let url = "";

beforeAll(async () => {
  const made = await createRepository(await temporaryFolder(shared.atEnd));
  const tools = { hello: { handler: "export default () => ({ text: 'Hello.' });\n" } };
  await made.release("1.0.0", agentFiles({ version: "1.0.0", tools }));
  repository = made.path;
  const data = await temporaryFolder(shared.atEnd);
  ({ url } = await startCairn(["serve", repository, "--data", data], {}, shared.atEnd));
});
afterAll(shared.undoAll);

/** The command in a process of its own; its lines of standard output, each of which must be JSON. */
function startStdio(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [resolve("bin/cairn.mjs"), "stdio", ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], CAIRN_LOG_LEVEL: "warn", ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: unknown[] = [];
  let stderr = "";
  createInterface(child.stdout).on("line", (line) => void lines.push(JSON.parse(line)));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk));
  const closed = once(child, "close") as Promise<[number | null]>;
  return {
    child,
    lines,
    stderr: () => stderr,
    take: (...messages: readonly object[]) => {
      for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    code: async () => (await closed)[0],
    /** Says no more, and waits for the exit code. */
    async finish() {
      child.stdin.end();
      return (await closed)[0];
    },
  };
}

/** A port of this machine where nobody listens. */
async function findFreePort(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return String(port);
}

describe("cairn stdio", () => {
  test("starts a service of its own for a repository, and ends it when the client has said its last", async () => {
    const stdio = startStdio(["1.0.0", "runner", "--repo", repository, "--data", await temporaryFolder()]);
    stdio.take(INITIALIZE, INITIALIZED, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    stdio.take(modern(2, "tools/call", { name: "runner.hello", arguments: {} }));
    expect(await stdio.finish()).toBe(EXIT.OK);
    expect(stdio.lines).toHaveLength(3);
    expect(stdio.lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 0, result: expect.objectContaining({ protocolVersion: "2025-11-25" }) }),
        expect.objectContaining({ id: 1, result: expect.objectContaining({ tools: [expect.anything()] }) }),
        expect.objectContaining({
          id: 2,
          result: expect.objectContaining({ structuredContent: expect.objectContaining({ text: "Hello." }) }),
        }),
      ]),
    );
    expect(stdio.stderr()).toMatch(SERVING);
  });

  test("uses the service of another with the same data, and begins its own when that ends", async () => {
    const args = ["1.0.0", "runner", "--repo", repository, "--data", await temporaryFolder()];
    const first = startStdio(args);
    first.take(PING);
    await eventually(() => expect(first.lines).toEqual([answer(1)]));
    const second = startStdio(args);
    second.take(INITIALIZE, INITIALIZED, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    await eventually(() => expect(second.lines).toHaveLength(2));
    const { href } = new URL(/http:\S+/.exec(first.stderr())?.[0] ?? "");
    expect(second.stderr()).toBe(`cairn: using the service at ${href.slice(0, -1)} as long as it stays\n`);
    first.take({ ...PING, id: 2 });
    expect(await first.finish()).toBe(EXIT.OK);
    expect(first.lines).toEqual([answer(1), answer(2)]);

    second.take({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    await eventually(() => expect(second.lines).toHaveLength(3));
    expect(second.lines[2]).toMatchObject({ id: 2, result: (second.lines[1] as { result: object }).result });
    expect(second.stderr()).toMatch(SERVING);
    expect(await second.finish()).toBe(EXIT.OK);
  });

  test("refuses data that another serves another repository from", async () => {
    const data = await temporaryFolder();
    const other = await createRepository(await temporaryFolder());
    await other.release("1.0.0", agentFiles({ version: "1.0.0", tools: {} }));
    await startCairn(["serve", repository, "--data", data]);
    const { code, stderr } = await runCairn(["stdio", "1.0.0", "runner", "--repo", other.path, "--data", data]);
    expect([code, stderr]).toEqual([
      EXIT.ENVIRONMENT,
      expect.stringContaining(`is in use for \`${repository}\`, not for \`${other.path}\``),
    ]);
  });

  test("uses the service at the usual address", async () => {
    const stdio = startStdio(["1.0.0", "runner"], { PORT: new URL(url).port });
    stdio.take(PING);
    expect([await stdio.finish(), stdio.lines, stdio.stderr()]).toEqual([EXIT.OK, [answer(1)], ""]);
  });

  test("starts one when nobody is there, or somebody else", async () => {
    const other = createServer((_, response) => response.end('{"hello":"world"}'));
    await once(other.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void other.close());
    for (const port of [await findFreePort(), String((other.address() as AddressInfo).port)]) {
      const stdio = startStdio(["1.0.0", "runner"], {
        PORT: port,
        CAIRN_REPO: repository,
        CAIRN_DATA: await temporaryFolder(),
      });
      stdio.take(PING);
      expect([await stdio.finish(), stdio.lines]).toEqual([EXIT.OK, [answer(1)]]);
      expect(stdio.stderr()).toMatch(SERVING);
    }
  });

  test.each(["--url", "CAIRN_URL"])("never starts one when %s says where it is", async (way) => {
    const nowhere = `http://127.0.0.1:${await findFreePort()}`;
    const args = ["1.0.0", "runner"];
    const stdio = way === "--url" ? startStdio([...args, way, nowhere]) : startStdio(args, { [way]: nowhere });
    stdio.take(PING);
    const message = `No service answers at ${nowhere}; start one with \`cairn serve\`.`;
    expect([await stdio.finish(), stdio.lines, stdio.stderr()]).toMatchObject([
      EXIT.OK,
      [{ id: 1, error: { message } }],
      "",
    ]);
  });

  test("passes on that there is no such version or server", async () => {
    for (const [version = "", server = "", message] of [
      ["9.9.9", "runner", "There is no version `9.9.9`"],
      ["1.0.0", "a/b", "has no MCP server"],
    ]) {
      const stdio = startStdio([version, server, "--url", url]);
      stdio.take(PING);
      expect([await stdio.finish(), stdio.lines]).toMatchObject([
        EXIT.OK,
        [{ id: 1, error: { message: expect.stringContaining(message ?? "") } }],
      ]);
    }
  });

  test("ends in good order when it is asked to, or when nobody reads what it writes", async () => {
    const args = ["1.0.0", "runner", "--repo", repository, "--data", await temporaryFolder()];
    const asked = startStdio(args);
    await eventually(() => expect(asked.stderr()).toMatch(SERVING));
    asked.child.kill("SIGTERM");
    expect(await asked.code()).toBe(EXIT.OK);

    const unread = startStdio(args);
    unread.child.stdout.destroy();
    unread.take(PING);
    expect([await unread.code(), unread.stderr()]).toEqual([EXIT.OK, expect.not.stringContaining("EPIPE")]);
  });

  test("takes a service that runs or one to start, not both", async () => {
    const { code, stderr } = await runCairn(["stdio", "1.0.0", "runner", "--url", "http://127.0.0.1:9", "--repo", "."]);
    expect([code, stderr]).toEqual([EXIT.USAGE, expect.stringContaining("give one or the other")]);
  });
});
