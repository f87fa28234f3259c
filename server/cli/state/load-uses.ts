import { stat } from "node:fs/promises";
import { compareBuild } from "semver";
import { toScope } from "../../capabilities/state/state.ts";
import type { StatePlace } from "../../capabilities/state/data/place.ts";
import { toDataPaths } from "../../config/data-folder.ts";
import { loadGit } from "../../versions/git/git.ts";
import { createGitTrees } from "../../versions/git/git-tree.ts";
import { openObjectReader } from "../../versions/git/object-reader.ts";
import { createLoader } from "../../versions/load-version.ts";
import { DEV_REF, listLocalRefs } from "../../versions/mirror/refs.ts";
import type { Tool, Version } from "../../versions/version.ts";
import type { CliContext } from "../command.ts";

/** A version of the data folder whose tools use a state. */
export interface StateUse extends Pick<StatePlace, "server" | "scope"> {
  /** Name of its tag without `v`, or `dev`. */
  readonly version: string;
  readonly commit: string;
  /** Full names of the tools that may write there. */
  readonly writers: ReadonlySet<string>;
}

const TAG = "refs/tags/v";
const READS = new Set(["state.read", "lineage.read"]);
const WRITES = new Set(["state.write", "lineage.write"]);

/** Finds which versions of a data folder use which states: every tag whose tree can be read in order of semver, and `dev`. */
export async function loadStateUses(
  { environment }: Pick<CliContext, "environment">,
  data: string,
): Promise<readonly StateUse[]> {
  const { mirror } = toDataPaths(data);
  // Nothing was served from this folder yet.
  if ((await stat(mirror).catch(() => undefined)) === undefined) return [];
  const git = await loadGit({ environment });
  const objects = openObjectReader(git, mirror);
  try {
    const run = (args: readonly string[]) => git.run([`--git-dir=${mirror}`, ...args]);
    const refs = await listLocalRefs(run, objects, ["refs/tags/", DEV_REF]);
    const [loader, loadTree] = [createLoader(), createGitTrees(objects)];
    const uses: StateUse[] = [];
    for (const [ref, { target, type }] of refs) {
      if (type !== "commit" || (ref !== DEV_REF && !ref.startsWith(TAG))) continue;
      const read = await loadTree(target);
      const loaded = read.ok ? await loader.load(read.tree, target) : undefined;
      if (loaded?.ok) uses.push(...listUses(loaded.version, ref === DEV_REF ? "dev" : ref.slice(TAG.length)));
    }
    return uses.sort(({ version: one }, { version: other }) => compare(one, other));
  } finally {
    objects.close();
  }
}

/** By semver; `dev` comes last. */
function compare(one: string, other: string): number {
  return one === "dev" ? 1 : other === "dev" ? -1 : compareBuild(one, other);
}

function listUses(version: Version, name: string): readonly StateUse[] {
  return [...version.servers.values()].flatMap(({ name: server, tools }) => {
    const users = tools.filter(({ uses }) => !READS.isDisjointFrom(uses) || mayWrite({ uses }));
    const [first] = users;
    if (first === undefined) return [];
    const writers = new Set(users.filter(mayWrite).map((tool) => tool.name));
    return [{ server, scope: toScope(version, first), version: name, commit: version.commit, writers }];
  });
}

function mayWrite({ uses }: Pick<Tool, "uses">): boolean {
  return !WRITES.isDisjointFrom(uses);
}
