import { CairnError } from "../errors.ts";
import type { OpenParent } from "../resources/compat.ts";
import type { FindParent } from "../capabilities/tuner/ledgers.ts";
import { walkParents } from "../versions/registry/judge/bases.ts";
import type { Registry } from "../versions/registry/registry-types.ts";

/** The version that a version was made from, where versions.yaml names one that can be served. */
export function openParent(registry: Registry): OpenParent {
  return async ({ history, semver }) => {
    const parent = history.versions.get(semver)?.parent;
    if (parent === undefined) return undefined;
    return registry.read(parent).catch(() => undefined);
  };
}

/**
 * The nearest served version of those that a version descends from, by what its own versions.yaml says of its parents.
 * @throws UNAVAILABLE where one is served, but cannot be read now.
 */
export function findServedParent(registry: Pick<Registry, "resolve">): FindParent {
  return async (version) => {
    for (const name of walkParents(version)) {
      try {
        return (await registry.resolve(name)).version;
      } catch (error) {
        if (!(error instanceof CairnError && error.name.startsWith("VERSION_"))) throw error;
      }
    }
    return undefined;
  };
}
