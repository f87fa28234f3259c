import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Git in one bare repository, as the host's own hands. */
export interface Plumbing {
  readonly path: string;
  /** What git printed, trimmed; it has to succeed. */
  git(
    args: readonly string[],
    input?: string | Uint8Array,
    environment?: Readonly<Record<string, string>>,
  ): Promise<string>;
  /** The same where failing is an answer. */
  attempt(
    args: readonly string[],
    input?: string | Uint8Array,
  ): Promise<{ readonly code: number; readonly text: string; readonly problem: string; readonly bytes: Buffer }>;
  /** The commit, tag, tree or blob of a name, if there is one. */
  find(name: string): Promise<string | undefined>;
  /** Object ids by full name of the ref. */
  refs(): Promise<ReadonlyMap<string, string>>;
}

const ENVIRONMENT = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };

export function createPlumbing(path: string): Plumbing {
  const attempt = (
    args: readonly string[],
    input: string | Uint8Array = "",
    environment: Readonly<Record<string, string>> = {},
  ) =>
    new Promise<{ code: number; text: string; problem: string; bytes: Buffer }>((resolve, reject) => {
      const child = spawn("git", [`--git-dir=${path}`, ...args], {
        env: { PATH: process.env["PATH"], ...ENVIRONMENT, ...environment },
      });
      const out: Buffer[] = [];
      let problem = "";
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => (problem += chunk.toString()));
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
      child.on("error", reject);
      child.on("close", (code) => {
        const bytes = Buffer.concat(out);
        resolve({ code: code ?? -1, text: bytes.toString().trimEnd(), problem, bytes });
      });
    });
  return {
    path,
    attempt: (args, input) => attempt(args, input),
    async git(args, input, environment) {
      const { code, text, problem } = await attempt(args, input, environment);
      if (code !== 0) throw new Error(`git ${args.join(" ")}: ${problem}`);
      return text;
    },
    async find(name) {
      if (/^refs\/[^^~:@{]+$/.test(name)) return (await readRefs(path)).get(name);
      const { code, text } = await attempt(["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
      return code === 0 ? text : undefined;
    },
    refs: () => readRefs(path),
  };
}

/** Reads refs as git keeps them in files: every request asks for them, and a process each time would cost most of it. */
async function readRefs(path: string): Promise<ReadonlyMap<string, string>> {
  const found = await readdir(join(path, "refs"), { recursive: true, withFileTypes: true });
  const names = found
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"))
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1));
  const loose = await Promise.all(
    names.map(async (name): Promise<readonly [string, string]> => [name, await readText(join(path, name))]),
  );
  // After them: what was packed meanwhile is there before its own file goes.
  const packed = (await readText(join(path, "packed-refs")))
    .split("\n")
    .filter((line) => /^[0-9a-f]{40} /.test(line))
    .map((line): readonly [string, string] => [line.slice(41), line.slice(0, 40)]);
  const refs = [...packed, ...loose].filter(([, oid]) => /^[0-9a-f]{40}$/.test(oid));
  return new Map(refs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function readText(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
