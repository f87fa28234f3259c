import type { Deprecation } from "./deprecation.ts";
import type { History } from "../loaded-history.ts";

/** Announcements by versions.yaml of the default branch about versions tagged before: tags cannot say it of themselves. */
export interface Announced {
  /** By semver, which counts for tags with a build name too. */
  readonly deprecations: ReadonlyMap<string, Deprecation>;
  /** Semvers whose tags were deleted upstream on purpose. */
  readonly deletedTags: ReadonlySet<string>;
}

export const NOTHING_ANNOUNCED: Announced = Object.freeze<Announced>({
  deprecations: new Map(),
  deletedTags: new Set(),
});

export function toAnnounced({ versions }: Pick<History, "versions">): Announced {
  const entries = [...versions];
  return Object.freeze<Announced>({
    deprecations: new Map(
      entries.flatMap(([semver, { deprecated }]) => (deprecated ? [[semver, deprecated] as const] : [])),
    ),
    deletedTags: new Set(entries.flatMap(([semver, { tag }]) => (tag?.state === "deleted" ? [semver] : []))),
  });
}
