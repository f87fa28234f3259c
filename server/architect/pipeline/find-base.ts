import { CairnError } from "../../errors.ts";
import type { Git } from "../../versions/git/git.ts";

/** The branch that a change lands on, and where it is. */
export interface Base {
  readonly branch: string;
  readonly head: string;
  /** What the names of its versions end with: nothing on the default branch, elsewhere the branch's name. */
  readonly build: string;
}

/** Branches of the forge's own making. */
const OURS = /^(?:proposal|agent)\//;

/**
 * The branch that has a version: the default one, or else the only other one, because several evolutions may go on side
 * by side.
 *
 * @throws CONFLICT when no branch has it, or several do.
 */
export async function findBase(
  { git, gitDir }: { readonly git: Git; readonly gitDir: string },
  commit: string,
  defaultBranch: string,
): Promise<Base> {
  const format = "--format=%(refname:lstrip=2) %(objectname)";
  const listed = await git.run([`--git-dir=${gitDir}`, "for-each-ref", format, `--contains=${commit}`, "refs/heads/"]);
  const branches = listed.split("\n").flatMap((line) => {
    const [branch = "", head = ""] = line.split(" ");
    return branch === "" || OURS.test(branch) ? [] : [{ branch, head }];
  });
  const main = branches.find(({ branch }) => branch === defaultBranch);
  if (main !== undefined) return { ...main, build: "" };
  const [only, ...others] = branches;
  if (only === undefined) {
    throw new CairnError("CONFLICT", "No branch has this version any more, so nothing made from it could land.");
  }
  if (others.length > 0) {
    const names = branches.map(({ branch }) => `\`${branch}\``).join(", ");
    throw new CairnError(
      "CONFLICT",
      `Several branches have this version (${names}); merge it into \`${defaultBranch}\` first.`,
    );
  }
  return { ...only, build: only.branch.replaceAll(/[^0-9A-Za-z]+/g, "-").replaceAll(/^-+|-+$/g, "") };
}

/** The tag of a version on a branch. */
export function toTag(semver: string, build: string): string {
  return build === "" ? `v${semver}` : `v${semver}+${build}`;
}
