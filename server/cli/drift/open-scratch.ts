import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CairnError } from "../../errors.ts";
import type { DriftFiles } from "../../imports/drift/drift.ts";
import { loadGit } from "../../versions/git/git.ts";
import type { CliContext } from "../command.ts";

/** A copy of a checkout, in which an import is renewed to see what comes of it. */
export interface Scratch {
  readonly folder: string;
  /** The commit of the checkout. */
  readonly commit: string;
  /** Reads which files are others than in the checkout, with their difference as git writes it. */
  readChanges(): Promise<{ readonly files: DriftFiles; readonly diff: string }>;
  close(): Promise<void>;
}

/** Settings of git under which nothing of the repository or the machine runs, and no one signs. */
const PLAIN = [
  "core.hooksPath=/dev/null",
  "core.autocrlf=false",
  "commit.gpgSign=false",
  "user.name=Cairn",
  "user.email=cairn@localhost",
].flatMap((setting) => ["-c", setting]);

/** Opens a copy of a checkout: of its commit alone, or else with what is not committed yet. @throws BAD_REQUEST */
export async function openScratch(
  { folder, environment }: Pick<CliContext, "folder" | "environment">,
  { isCommitted }: { readonly isCommitted: boolean },
): Promise<Scratch> {
  const git = await loadGit({ environment });
  const here = (...args: readonly string[]) => git.run(["-C", folder, ...args]);
  const commit = await here("rev-parse", "--verify", "--quiet", "HEAD^{commit}").catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${folder}\` is no git checkout with a commit.`, { cause });
  });
  if ((await here("rev-parse", "--show-prefix")).trim() !== "")
    throw new CairnError("BAD_REQUEST", `\`${folder}\` is a folder within a repository: go to its root.`);
  const scratch = await mkdtemp(join(tmpdir(), "cairn-drift-"));
  const close = () => rm(scratch, { recursive: true, force: true });
  const there = (...args: readonly string[]) => git.run(["-C", scratch, ...PLAIN, ...args]);
  try {
    await git.run(["clone", "--quiet", "--shared", "--no-checkout", "--template=", "--", folder, scratch]);
    await there("checkout", "--quiet", "--detach", commit.trim());
    if (!isCommitted) {
      const listed = await here("ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard");
      for (const path of new Set(listed.split("\0").filter(Boolean))) await copy(folder, scratch, path);
      await there("add", "--all");
      await there("commit", "--quiet", "--allow-empty", "--message=Not committed yet");
    }
  } catch (error) {
    await close();
    throw error;
  }
  return Object.freeze<Scratch>({
    folder: scratch,
    commit: commit.trim(),
    close,
    async readChanges() {
      await there("add", "--all");
      const names = await there("diff", "--cached", "--no-renames", "--name-only", "-z", "HEAD");
      const files = new Map<string, string | null>();
      for (const path of names.split("\0").filter(Boolean)) files.set(path, await readText(join(scratch, path)));
      return { files, diff: await there("diff", "--cached", "--no-renames", "--no-color", "--no-ext-diff", "HEAD") };
    },
  });
}

async function copy(from: string, to: string, path: string): Promise<void> {
  await mkdir(dirname(join(to, path)), { recursive: true });
  await copyFile(join(from, path), join(to, path)).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    await rm(join(to, path), { force: true });
  });
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
