import type { Git } from "../git/git.ts";

const USUAL = ["main", "master"];

/**
 * The name of the repository's default branch, as far as `mirror` knows: what HEAD names, or, as for labels, where there is
 * no such branch `main`, `master` or the only one. `undefined` when there is none.
 */
export async function findDefaultBranch(git: Git, mirror: string): Promise<string | undefined> {
  const own = (args: readonly string[], statuses = [0]) => git.run([`--git-dir=${mirror}`, ...args], { statuses });
  // 1 means that it is detached.
  const named = (await own(["symbolic-ref", "--quiet", "HEAD"], [0, 1])).trim().slice("refs/heads/".length);
  const listing = await own(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"]);
  const branches = listing.split("\n").filter((name) => name !== "");
  const found = [named, ...USUAL].find((name) => branches.includes(name));
  return found ?? (branches.length === 1 ? branches[0] : undefined);
}
