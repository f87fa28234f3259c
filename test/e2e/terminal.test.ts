import { execFile, spawnSync } from "node:child_process";
import { chmod } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { runCairn } from "../helpers/cairn.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const ESC = "\u001b";
const WARNING = "other accounts may enter the data folder, mode 0755; run: chmod 700";
const LISTENS = /^cairn: Cannot listen on 127\.0\.0\.1:\d+: something else listens there\. End it, or .*$/;

/** Arguments and environment of a service that logs a warning, and then finds its port taken. */
async function createRefused(more: Readonly<Record<string, string>> = {}) {
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  onTestFinished(() => void other.close());
  const repository = await createRepository();
  const tools = { ok: { handler: "export default () => ({});\n" } };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools }));
  const data = await temporaryFolder();
  await chmod(data, 0o755);
  const port = String((other.address() as AddressInfo).port);
  return {
    args: ["serve", repository.path, "--data", data],
    environment: { PORT: port, CAIRN_LOG_LEVEL: "warn", PATH: process.env["PATH"] ?? "", ...more },
  };
}

test("piped, the log is lines of JSON, and a port in use is one line without a stack or colours", async () => {
  const { args, environment } = await createRefused();
  const { code, stdout, stderr } = await runCairn(args, { environment });
  expect([code, stdout]).toEqual([3, ""]);
  const [logged = "", said = "", ...more] = stderr.trimEnd().split("\n");
  expect(JSON.parse(logged)).toMatchObject({ level: "warn", msg: expect.stringContaining(WARNING) });
  expect([said, more]).toEqual([expect.stringMatching(LISTENS), []]);
  expect(stderr).not.toContain(ESC);
});

test("piped, the log is for people where the variable says so", async () => {
  const { args, environment } = await createRefused({ CAIRN_LOG_FORMAT: "text" });
  const { stderr } = await runCairn(args, { environment });
  expect(stderr).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d WARN  ${WARNING}`));
  expect(stderr).not.toContain(ESC);
});

function hasScript(): boolean {
  if (spawnSync("script", ["--version"]).stdout?.includes("util-linux")) return true;
  if (process.env["CI"] !== undefined && process.platform === "linux") throw new Error("script is not installed");
  process.stderr.write("SKIPPED terminals: `script` of util-linux is not installed\n");
  return false;
}

describe.runIf(hasScript())("on a terminal", () => {
  async function runOnTerminal(more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
    const { args, environment } = await createRefused({ TERM: "xterm", ...more });
    const command = [process.execPath, resolve("bin/cairn.mjs"), ...args].map((word) => `'${word}'`).join(" ");
    // It gives the command a terminal for input, output and errors, and prints what it writes there.
    const { stdout } = await promisify(execFile)("script", ["-qc", command, "/dev/null"], { env: environment });
    return stdout.trimEnd().split("\r\n");
  }

  test("the log is coloured lines for people, and a port in use is one line", async () => {
    const [logged = "", said, ...more] = await runOnTerminal();
    expect(logged).toContain(`${ESC}[33mWARN ${ESC}[0m ${WARNING}`);
    expect([said, more]).toEqual([expect.stringMatching(LISTENS), []]);
  });

  test("NO_COLOR takes the colours, and CAIRN_LOG_FORMAT the form", async () => {
    const plain = await runOnTerminal({ NO_COLOR: "1" });
    expect(plain[0]).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d WARN  ${WARNING}`));
    const json = await runOnTerminal({ CAIRN_LOG_FORMAT: "json" });
    expect(JSON.parse(json[0] ?? "")).toMatchObject({ level: "warn" });
    expect([...plain, ...json].join("\n")).not.toContain(ESC);
  });
});
