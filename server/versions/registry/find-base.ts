import type { Version } from "../version.ts";
import { readVersionName } from "../version-name.ts";

/**
 * The version or commit that a version's number is measured against: the one it was made from; past pre-releases, which
 * promise nothing to what comes after them (semver.org, 9.), to the last release. Undefined where versions.yaml names none.
 */
export function findBase({ semver, history }: Pick<Version, "semver" | "history">): string | undefined {
  let name = history.versions.get(semver)?.parent;
  // versions.yaml that is taken for good has no circles.
  for (let parent = name; parent !== undefined && readVersionName(parent)?.prerelease === true;) {
    parent = history.versions.get(parent)?.parent;
    name = parent ?? name;
  }
  return name;
}
