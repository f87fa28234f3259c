import type { VersionIndex } from "../version-index.ts";
import { versionUnreadable } from "./resolve-errors.ts";
import type { Segment } from "./segment.ts";

/** Versions that are here, and ways to find out about those that are not. */
export interface LookForVersion {
  readonly index: () => VersionIndex;
  /** Looks at the upstream, unless that was done just now; whether it was. */
  readonly lookAgain: () => Promise<boolean>;
  /** Says of a version that is not here whether nodes of the store have decided what it means. */
  readonly isDecided: (name: string) => Promise<boolean>;
}

/**
 * Refuses the exact name of a version that other nodes may answer and this one cannot: whatever else is here under the same number is
 * another commit. @throws UNAVAILABLE
 */
export async function assertHere({ index, isDecided, lookAgain }: LookForVersion, segment: Segment): Promise<void> {
  if (segment.kind !== "exact") return;
  const { name } = segment.version;
  if (index().byName.has(name) || !(await isDecided(name))) return;
  // It may have been pushed a moment ago.
  await lookAgain();
  if (!index().byName.has(name)) throw versionUnreadable(index().missing.get(name));
}
