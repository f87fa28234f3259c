import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { toDataPaths } from "../../config/data-folder.ts";
import { CairnError } from "../../errors.ts";
import { createInPlace } from "../git/create-in-place.ts";
import { type Git, SERVE_LOCALLY } from "../git/git.ts";
import { createGitTrees } from "../git/git-tree.ts";
import type { LoadHistory } from "../mirror/labels.ts";
import { openObjectReader } from "../git/object-reader.ts";
import { readVersionName } from "../version-name.ts";

/** Longest history that a first start copies. */
const CLONE_MS = 10 * 60_000;

/**
 * The repository of a service that was given none: a bare one at `<data>/origin.git`, which begins with the committed
 * history of `checkout` and with a tag for the version that the checkout is at. People push to it; it is made only once.
 * Rejects with BAD_REQUEST when the checkout has nothing to serve. Returns its path.
 */
export async function createEmbeddedOrigin(options: {
  readonly git: Git;
  readonly data: string;
  readonly checkout: string;
  readonly loadHistory: LoadHistory;
}): Promise<string> {
  const { git, checkout } = options;
  const path = toDataPaths(options.data).origin;
  if ((await stat(path).catch(() => undefined)) !== undefined) return path;
  const head = await git
    .run(["-C", checkout, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    .catch((cause: unknown) => {
      throw new CairnError(
        "BAD_REQUEST",
        `There is nothing to serve: \`${checkout}\` is not a git checkout with at least one commit. \`cairn init\` makes an agent; \`cairn serve <repository>\` serves one that is there.`,
        { cause },
      );
    });
  await createInPlace(path, async (unfinished) => {
    // Through git's own transport: a plain copy of the folder would share files with the checkout, or depend on a third.
    const args = ["clone", "--quiet", "--bare", "--no-local", "--template=", SERVE_LOCALLY];
    await git.run([...args, "--", resolve(checkout), unfinished], { timeoutMs: CLONE_MS });
    await nameBranch(git, unfinished, head.trim());
    await tagCurrent(options, unfinished, head.trim());
  });
  return path;
}

/** A checkout without a branch, as continuous integration makes them, leaves a HEAD that nobody could push to. */
async function nameBranch(git: Git, path: string, head: string): Promise<void> {
  const own = (...args: string[]) => git.run([`--git-dir=${path}`, ...args]);
  const onBranch = (await own("rev-parse", "--symbolic-full-name", "HEAD")).startsWith("refs/heads/");
  if (onBranch) return;
  const branches = (await own("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")).split("\n");
  const there = branches.find((line) => line.endsWith(` ${head}`))?.split(" ")[0];
  const hasMain = branches.some((line) => line.startsWith("refs/heads/main "));
  const branch = there ?? (hasMain ? "refs/heads/imported" : "refs/heads/main");
  await own("update-ref", branch, head);
  await own("symbolic-ref", "HEAD", branch);
}

async function tagCurrent(
  options: { readonly git: Git; readonly checkout: string; readonly loadHistory: LoadHistory },
  path: string,
  head: string,
): Promise<void> {
  const current = await readCurrent(options, path, head);
  const tag = `refs/tags/v${current}`;
  const known = await options.git.run([`--git-dir=${path}`, "for-each-ref", "--format=%(refname)", tag]);
  if (known.trim() === "") await options.git.run([`--git-dir=${path}`, "update-ref", tag, head, ""]);
}

async function readCurrent(
  options: { readonly git: Git; readonly checkout: string; readonly loadHistory: LoadHistory },
  path: string,
  head: string,
): Promise<string> {
  const objects = openObjectReader(options.git, path);
  try {
    const read = await createGitTrees(objects)(head);
    const loaded = read.ok ? await options.loadHistory(read.tree) : read;
    if (loaded.ok && readVersionName(loaded.history.current) !== undefined) return loaded.history.current;
    const [first] = loaded.ok ? [] : loaded.problems;
    const why = first === undefined ? "`current` is not a version" : `${first.file}:${first.line}: ${first.message}`;
    throw new CairnError(
      "BAD_REQUEST",
      `The last commit of \`${options.checkout}\` has no usable versions.yaml: ${why}`,
    );
  } finally {
    objects.close();
  }
}
