import { join } from "node:path";
import { openLocalForge } from "../../../server/forge/local/open-local-forge.ts";
import type { Store } from "../../../server/store/store.ts";
import type { Git } from "../../../server/versions/git/git.ts";
import { openTestStore } from "../../helpers/store.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";
import { type ForgeBench, createGitBench } from "./contract/bench.ts";
import { loadTestGit } from "../../helpers/repository.ts";

export interface LocalBench extends ForgeBench {
  readonly path: string;
  readonly git: Git;
  readonly store: Store;
}

/** A local forge over a bare repository of its own. */
export async function openLocalBench({ required }: { readonly required: readonly string[] }): Promise<LocalBench> {
  const git = await loadTestGit();
  const path = join(await temporaryFolder(), "origin.git");
  await git.run(["init", "--quiet", "--bare", "--template=", "--initial-branch=main", path]);
  const store = await openTestStore();
  const forge = await openLocalForge({ git, store, path, copy: path, required, now: () => NOW });
  return {
    ...createGitBench(path),
    forge,
    path,
    git,
    store,
    labels: async ({ key }) => {
      const subject = await git.run([`--git-dir=${path}`, "cat-file", "-p", `refs/cairn/changes/${key}`]);
      const { labels }: { labels: string[] } = JSON.parse(subject.slice(subject.indexOf("\n\n")));
      return labels;
    },
  };
}

/** Milliseconds. The same for all, so that what is made again is the same. */
export const NOW = Date.UTC(2026, 5, 1);
