import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Git, loadGit } from "../../server/versions/git/git.ts";
import { createShell } from "./shell.ts";
import { temporaryFolder } from "./temporary.ts";

/** A real git repository with a checkout, for tests. Commits carry fixed names and dates, one minute apart. */
export interface TestRepository {
  readonly path: string;
  /** Runs git in it and returns what it printed, trimmed. */
  git(...args: string[]): Promise<string>;
  /** Writes (`null` removes) files, commits everything, returns the commit. */
  commit(files: Readonly<Record<string, string | null>>): Promise<string>;
  /** Commits a version's files and tags the commit `v<version>`; more files can be given. Returns the commit. */
  release(version: string, files?: Readonly<Record<string, string | null>>): Promise<string>;
  /** A lightweight tag, or an annotated one. */
  tag(name: string, target?: string, options?: { readonly annotated?: boolean }): Promise<void>;
}

const START = Date.UTC(2026, 0, 1) / 1000;
const run = createShell();

export async function createRepository(path?: string): Promise<TestRepository> {
  const folder = path ?? (await temporaryFolder());
  await mkdir(folder, { recursive: true });
  await runGit(folder, START, ["init", "--quiet", "--initial-branch=main"]);
  return openRepository(folder);
}

/** A repository that is there already: a clone, a work tree, a bare one. */
export function openRepository(path: string): TestRepository {
  let time = START;
  const git = (...args: string[]) => runGit(path, time, args);

  async function commit(files: Readonly<Record<string, string | null>>): Promise<string> {
    time += 60;
    for (const [name, content] of Object.entries(files)) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      if (content === null) await rm(file, { recursive: true });
      else await writeFile(file, content);
    }
    await git("add", "--all");
    await git("commit", "--quiet", "--allow-empty", "--message", `At ${time}`);
    return git("rev-parse", "HEAD");
  }

  async function tag(name: string, target = "HEAD", options: { readonly annotated?: boolean } = {}): Promise<void> {
    time += 60;
    const kind = options.annotated === true ? ["--annotate", "--message", name] : [];
    await git("tag", "--force", ...kind, name, target);
  }

  return {
    path,
    git,
    commit,
    tag,
    release: async (version, files = {}) => {
      const made = await commit({ ...versionFiles(version), ...files });
      await tag(`v${version}`, made);
      return made;
    },
  };
}

/** The least that the test loader takes for a version. */
export function versionFiles(version: string, labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  const lines = Object.entries(labels).map(([label, target]) => `  ${label}: ${target}\n`);
  return {
    "versions.yaml": `current: ${version}\n${lines.length > 0 ? `labels:\n${lines.join("")}` : ""}`,
    "manifests/agent.yaml": "name: test\n",
  };
}

async function runGit(cwd: string, time: number, args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_AUTHOR_DATE: `${time} +0000`,
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
    GIT_COMMITTER_DATE: `${time} +0000`,
  };
  return (await run(cwd, env, ["git", ...args])).trim();
}

let known: Promise<Git> | undefined;

/** Git as the service runs it, deaf to how this machine is configured. All files of a worker share it: it keeps no state. */
export function loadTestGit(): Promise<Git> {
  return (known ??= loadGit({
    environment: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }));
}
