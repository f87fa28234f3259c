import { toDataPaths } from "../../config/data-folder.ts";
import { CairnError } from "../../errors.ts";
import { loadGit } from "../../versions/git/git.ts";
import type { CliContext } from "../command.ts";

/** The commit of a version that a data folder knows; BAD_REQUEST when it knows none. */
export async function findServedCommit(
  { environment }: Pick<CliContext, "environment">,
  data: string,
  version: string,
): Promise<string> {
  const git = await loadGit({ environment });
  const names = [`refs/tags/v${version}`, ...(/^[0-9a-f]{7,40}$/.test(version) ? [version] : [])];
  for (const name of names) {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    const commit = await git.run([`--git-dir=${toDataPaths(data).mirror}`, ...args]).catch(() => undefined);
    if (commit !== undefined) return commit.trim();
  }
  throw new CairnError(
    "BAD_REQUEST",
    `The data folder knows no version \`${version}\`; one such as 1.6.0, or a commit.`,
  );
}
