import type { OpenParent } from "../resources/compat.ts";
import type { Registry } from "../versions/registry/registry-types.ts";

/** The version that a version was made from, where versions.yaml names one that can be served. */
export function openParent(registry: Registry): OpenParent {
  return async ({ history, semver }) => {
    const parent = history.versions.get(semver)?.parent;
    if (parent === undefined) return undefined;
    return registry.read(parent).catch(() => undefined);
  };
}
