import { diffSurfaces, type Surface, surfaceDigest, toSurface } from "../versions/surface.ts";
import type { Version } from "../versions/version.ts";
import type { Provider } from "./provider.ts";

/** Opens the version that versions.yaml names as the parent; undefined where it names none or it cannot be had. */
export type OpenParent = (version: Version) => Promise<Version | undefined>;

/** `compat://manifest`: all that a client can depend on, and how it differs from the version before. */
export function createCompatManifest(openParent: OpenParent): Provider {
  // A version never changes, so its surface is made once.
  const surfaces = new WeakMap<Version, Surface>();
  const surfaceOf = (version: Version): Surface => {
    const surface = surfaces.get(version) ?? toSurface(version);
    surfaces.set(version, surface);
    return surface;
  };

  return async ({ version }) => {
    const parent = await openParent(version);
    const surface = surfaceOf(version);
    return {
      version: version.semver,
      commit: version.commit,
      fingerprint: surfaceDigest(surface),
      declared_changes: version.history.versions.get(version.semver)?.changes ?? [],
      ...(parent === undefined
        ? { parent: null }
        : {
            parent: {
              version: parent.semver,
              commit: parent.commit,
              fingerprint: surfaceDigest(surfaceOf(parent)),
            },
            changes: diffSurfaces(surfaceOf(parent), surface),
          }),
      surface,
    };
  };
}
