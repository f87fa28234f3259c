import type { Principal } from "../principal.ts";
import { diffSurfaces, type Surface, toSurface } from "../versions/surface.ts";
import { listAccepted } from "../versions/list-accepted.ts";
import type { Version } from "../versions/version.ts";
import { mayUse, type Provider } from "./provider.ts";

/** Prefix of a tool in the surface, before the tool's name. */
const TOOL = "tool ";

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

  return async ({ version, principal }) => {
    const parent = await openParent(version);
    const surface = surfaceOf(version);
    return {
      version: version.semver,
      commit: version.commit,
      fingerprint: version.fingerprint(),
      accepted_breaks: listAccepted(version, ({ name }) => mayUse({ version, principal }, name)),
      declared_changes: version.history.versions.get(version.semver)?.changes ?? [],
      ...(parent === undefined
        ? { parent: null }
        : {
            parent: {
              version: parent.semver,
              commit: parent.commit,
              fingerprint: parent.fingerprint(),
            },
            changes: diffSurfaces(
              toVisible(parent, surfaceOf(parent), principal),
              toVisible(version, surface, principal),
            ),
          }),
      surface: toVisible(version, surface, principal),
    };
  };
}

/** The surface without the tools that the principal may not use. Fingerprints are of all of it, whoever asks. */
function toVisible(version: Version, surface: Surface, principal: Principal): Surface {
  const isVisible = (what: string) => !what.startsWith(TOOL) || mayUse({ version, principal }, what.slice(TOOL.length));
  return Object.fromEntries(Object.entries(surface).filter(([what]) => isVisible(what)));
}
