import type { Git } from "../../versions/git/git.ts";

/**
 * Whether `head` is `was` with commits of its base merged in and nothing else, as the forge or somebody with a button makes
 * it: then nobody has changed what was proposed.
 */
export async function bringsOnlyBase(
  { git, gitDir }: { readonly git: Git; readonly gitDir: string },
  { head, was, base }: { readonly head: string; readonly was: string; readonly base: string },
): Promise<boolean> {
  const run = async (...args: readonly string[]) =>
    (await git.run([`--git-dir=${gitDir}`, ...args], { statuses: [0, 1] })).trim();
  const [tree = "", ...parents] = (await run("show", "--no-patch", "--format=%T %P", head)).split(" ");
  const [first, second, ...more] = parents;
  if (first !== was || second === undefined || more.length > 0) return false;
  // Nothing is printed where all of it is on the base.
  if ((await run("rev-list", "--max-count=1", second, `^${base}`)) !== "") return false;
  // Of a conflict, more than a tree is printed.
  return (await run("merge-tree", "--write-tree", was, second)) === tree;
}
