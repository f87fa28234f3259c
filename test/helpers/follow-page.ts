import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { findFreePort } from "./free-port.ts";
import { temporaryFolder } from "./temporary.ts";
import { NODE } from "./worker-process.ts";

/** Milliseconds for one command on a busy machine: it may verify this checkout. */
const PATIENCE_MS = 120_000;

interface Step {
  readonly command: string;
  readonly expected: string;
  readonly background: boolean;
}

/** The commands of a page's `console` blocks, each with the answer that is shown below it. */
function readSteps(markdown: string): Step[] {
  return [...markdown.matchAll(/^```console( background)?\n(.*?)^```$/gms)].flatMap(([, background, block = ""]) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = "", ...answer] = step.split("\n");
        return { command, expected: answer.join("\n").trim(), background: background !== undefined };
      }),
  );
}

/** The page's blocks of code whose first line names a file, as a comment. */
function readFiles(markdown: string): (readonly [name: string, text: string])[] {
  return [...markdown.matchAll(/^```\w+\n(?:\/\/|#|<!--) (\S+\.\w+)(?: -->)?\n(.*?)^```$/gms)].map(
    ([, name = "", text = ""]) => [name, text.trimStart()] as const,
  );
}

/** Whether an answer is the one shown, where `...` stands for anything. */
function toPattern(expected: string): RegExp {
  const literal = expected.split("...").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^]*?")}$`);
}

/** Runs a page's commands one after another and compares each answer with the one shown; how many there were. */
export async function followPage(page: string): Promise<number> {
  const port = await findFreePort();
  const markdown = (await readFile(page, "utf8")).replaceAll("3000", String(port));
  const steps = readSteps(markdown);
  const shell = await openShell(port, readFiles(markdown));
  for (const { command, expected, background } of steps) {
    if (background) {
      const output = shell.start(command);
      // A service copies the checkout's history at its first start.
      await vi.waitFor(() => expect(output()).toMatch(toPattern(expected)), { timeout: 60_000, interval: 50 });
    } else {
      // What was pushed a moment ago is live within a second, more or less; what was asked too early is asked again.
      const patience = /^(?:cairn|curl) /.test(command) ? 10_000 : 0;
      const asked = Date.now();
      for (;;) {
        const answer = await shell.run(command);
        if (toPattern(expected).test(answer) || Date.now() - asked > patience) {
          expect(answer, command).toMatch(toPattern(expected));
          break;
        }
      }
    }
  }
  return steps.length;
}

/** One bash in an empty folder, in which commands run one after another and can set variables and change folders. */
async function openShell(port: number, files: readonly (readonly [name: string, text: string])[]) {
  const folder = await temporaryFolder();
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  const bin = join(await temporaryFolder(), "bin");
  await mkdir(bin);
  const shim = join(bin, "cairn");
  await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" "${resolve("bin/cairn.mjs")}" "$@"\n`);
  await chmod(shim, 0o755);
  await symlink(NODE, join(bin, "node"));
  // As if somebody had installed it.
  await mkdir(join(folder, "node_modules"));
  await symlink(resolve("."), join(folder, "node_modules/cairn-gitops"));
  const env = {
    ...Object.fromEntries(
      ["HOME", "LANG", "NODE_EXTRA_CA_CERTS"].flatMap((name) =>
        process.env[name] === undefined ? [] : [[name, process.env[name]]],
      ),
    ),
    PATH: `${bin}:${process.env["PATH"]}`,
    PORT: String(port),
    CAIRN: resolve("."),
    CAIRN_LOG_LEVEL: "silent",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
  };
  const shell = spawn("bash", ["--norc"], { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
  const children: ChildProcess[] = [shell];
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  const read = (child: ChildProcess) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => (text += chunk));
    child.stderr?.on("data", (chunk: Buffer) => (text += chunk));
    return () => text;
  };
  const output = read(shell);
  let seen = 0;
  let count = 0;
  return {
    async run(command: string): Promise<string> {
      const end = `--- end of step ${++count} ---`;
      shell.stdin.write(`{ ${command}\n} 2>&1; echo "${end}"\n`);
      const answer = () => output().slice(seen);
      await vi.waitFor(() => expect(answer()).toContain(end), { timeout: PATIENCE_MS, interval: 20 });
      const text = answer();
      seen = output().length;
      return text.slice(0, text.indexOf(end)).replaceAll("\r", "").trim();
    },
    start(command: string): () => string {
      const child = spawn("bash", ["-c", `exec ${command}`], { cwd: folder, env });
      children.push(child);
      const text = read(child);
      return () => text().trim();
    },
  };
}
