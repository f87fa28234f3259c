import type { Version } from "../versions/version.ts";
import type { Release } from "../versions/write-version.ts";
import { createClaim, raiseBy } from "./claim.ts";
import type { Difference } from "./compare-versions.ts";
import { isAtLeast, largest, type Level } from "./level.ts";

/** Which numbers have to be others for a tree to say as much as it changes. */
export interface RaisePlan {
  /** What `current` has to become; absent: it is high enough. */
  readonly current?: string;
  /** The manifests of tools, and the versions that they have to name. */
  readonly tools: readonly { readonly file: string; readonly version: string }[];
  /** A sentence for each difference, those of the largest bump first. */
  readonly changes: readonly string[];
}

export interface RaiseOptions {
  /** Whether the tools that changed get higher versions of their own. */
  readonly tools: boolean;
  /** The least bump of the tree, and of each tool whose version is raised. */
  readonly least?: Level;
  /** Numbers that stand for something else already, and are passed over at the same level. */
  readonly taken?: (semver: string) => boolean;
}

export function planRaise(
  {
    claims,
    findings,
    required,
  }: Pick<Difference, "claims" | "required"> & {
    readonly findings: readonly { readonly message: string }[];
  },
  before: Version,
  after: Version,
  { tools: raisesTools, least = "none", taken = () => false }: RaiseOptions,
): RaisePlan {
  const tools = (raisesTools ? claims : []).flatMap(({ tool, from, to, required: needs }) => {
    const file = tool === undefined ? undefined : after.tools.get(tool)?.file;
    const claim = createClaim(from, to, largest([needs, least]));
    return file === undefined || claim.isKept ? [] : [{ file, version: claim.needed }];
  });
  const level = largest([required, least, tools.length > 0 ? "patch" : "none"]);
  const { isKept } = createClaim(before.semver, after.semver, level);
  const isFree = after.semver === before.semver || !taken(after.semver);
  return {
    ...(isKept && isFree
      ? {}
      : { current: findFree(before.semver, isAtLeast(level, "patch") ? level : "patch", taken) }),
    tools,
    changes: [...new Set(findings.map(({ message }) => message))],
  };
}

/** What versions.yaml is to say of a version that is raised to `version`. */
export function toRelease(
  version: string,
  before: Version,
  after: Version,
  about: {
    /** Whether the number that `after` has is a version that people may have. */
    readonly isReleased: boolean;
    readonly changes: readonly string[];
    /** Milliseconds since 1970. */
    readonly now: number;
  },
): Release {
  return {
    version,
    replaced: before.semver === after.semver || about.isReleased ? undefined : after.semver,
    parent: before.semver,
    date: new Date(about.now).toISOString().replace(/\.\d+Z$/, "Z"),
    changes: about.changes,
  };
}

function findFree(from: string, level: Level, taken: (semver: string) => boolean): string {
  let next = raiseBy(from, level);
  while (taken(next)) next = raiseBy(next, level);
  return next;
}
