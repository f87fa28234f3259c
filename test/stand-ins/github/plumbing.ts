import { spawn } from "node:child_process";

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
  ): Promise<{ readonly code: number; readonly text: string; readonly problem: string }>;
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
    new Promise<{ code: number; text: string; problem: string }>((resolve, reject) => {
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
      child.on("close", (code) =>
        resolve({ code: code ?? -1, text: Buffer.concat(out).toString().trimEnd(), problem }),
      );
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
      const { code, text } = await attempt(["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
      return code === 0 ? text : undefined;
    },
    async refs() {
      const { text } = await attempt(["for-each-ref", "--format=%(refname) %(objectname)"]);
      return new Map(
        text
          .split("\n")
          .filter(Boolean)
          .map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]),
      );
    },
  };
}
