import type { GraphVersion } from "../../service/versions.ts";
import type { Node } from "./lay-out-graph.ts";

/** Finds the commits of parents, which the graph has by name or commit, among the versions that are loaded. */
export function toNodes(versions: readonly GraphVersion[]): readonly Node[] {
  const commits = new Map<string, string>();
  for (const { commit_hash: commit, semver, tag } of versions) {
    commits.set(commit, commit);
    if (tag !== undefined) commits.set(tag.slice(1), commit);
    if (semver !== null && !commits.has(semver)) commits.set(semver, commit);
  }
  return versions.map(({ commit_hash: commit, parent }) => {
    const found = parent === null ? undefined : commits.get(parent);
    return found === undefined ? { commit } : { commit, parent: found };
  });
}
