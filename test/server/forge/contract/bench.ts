import { spawn } from "node:child_process";
import type { Change, Forge } from "../../../../server/forge/forge.ts";

/** A forge over a repository with the branch `main`, and what people do to that repository meanwhile. */
export interface ForgeBench {
  readonly forge: Forge;
  /** Commits on top of a branch, as a person does who pushes; the branch is made when there is none. Returns the commit. */
  push(branch: string, files: Files): Promise<string>;
  /** The commit that a ref leads to. */
  find(ref: string): Promise<string | undefined>;
  /** All files of a commit. */
  read(commit: string): Promise<ReadonlyMap<string, BenchFile>>;
  isAncestor(older: string, newer: string): Promise<boolean>;
  /** All refs that people get to see. */
  refs(): Promise<readonly string[]>;
  /** Where a forge knows labels. */
  labels?(change: Change): Promise<readonly string[]>;
}

/** Opens a forge whose `main` is empty of everything but what the bench's first push brings. */
export type OpenForge = (options: { readonly required: readonly string[] }) => Promise<ForgeBench>;

/** `null` deletes. */
type Files = Readonly<Record<string, string | Uint8Array | null | { readonly executable: string }>>;

interface BenchFile {
  readonly executable: boolean;
  readonly content: Buffer;
}

/** The part of a bench that a bare repository on this machine is enough for. */
export function createGitBench(path: string): Omit<ForgeBench, "forge" | "labels"> {
  let time = Date.UTC(2026, 0, 1) / 1000;
  const git = (args: readonly string[], input?: string | Buffer) => runGit(["--git-dir", path, ...args], input);
  const text = async (...args: string[]) => (await git(args)).toString().trim();

  async function find(ref: string): Promise<string | undefined> {
    const name = ref.startsWith("refs/") ? ref : `refs/heads/${ref}`;
    const found = await text("for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", name);
    const [, oid, peeled] =
      found
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ") ?? [];
    return peeled === undefined || peeled === "" ? oid : peeled;
  }

  return {
    find,
    push: async (branch, files) => {
      const parent = await find(branch);
      const by = `Ada <ada@example.com> ${(time += 60)} +0000`;
      const head = [
        `commit refs/heads/${branch}`,
        `author ${by}`,
        `committer ${by}`,
        "data 8",
        "A person",
        ...(parent === undefined ? [] : [`from ${parent}`]),
      ];
      const changes = Object.entries(files).map(([name, file]) => {
        if (file === null) return Buffer.from(`D ${name}\n`);
        const isPlain = typeof file === "string" || file instanceof Uint8Array;
        const content = Buffer.from(isPlain ? file : file.executable);
        const mode = isPlain ? "100644" : "100755";
        return Buffer.concat([
          Buffer.from(`M ${mode} inline ${name}\ndata ${content.length}\n`),
          content,
          Buffer.from("\n"),
        ]);
      });
      await git(["fast-import", "--quiet"], Buffer.concat([Buffer.from(`${head.join("\n")}\n`), ...changes]));
      return text("rev-parse", `refs/heads/${branch}`);
    },
    read: async (commit) => {
      const lines = (await git(["ls-tree", "-r", "-z", commit])).toString().split("\0").filter(Boolean);
      const files = new Map<string, BenchFile>();
      for (const line of lines) {
        const [, mode, oid = "", name = ""] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? [];
        files.set(name, { executable: mode === "100755", content: await git(["cat-file", "blob", oid]) });
      }
      return files;
    },
    isAncestor: async (older, newer) => (await text("rev-list", "--max-count=1", older, "--not", newer)) === "",
    refs: async () => (await text("for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags")).split("\n"),
  };
}

async function runGit(args: readonly string[], input: string | Buffer = ""): Promise<Buffer> {
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const child = spawn("git", args, { env });
  const [out, errors]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  // What ends without having read everything says why by its status.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const code = await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${Buffer.concat(errors).toString()}`);
  return Buffer.concat(out);
}
