import { lte } from "semver";
import type { Base, Scope } from "../versions/registry/judge/bases.ts";
import type { Version } from "../versions/version.ts";
import type { Release } from "../versions/write-version.ts";
import { listChanges } from "./changelog.ts";
import { createClaim, raiseBy } from "./claim.ts";
import { type Difference, compareInTurns } from "./compare-versions.ts";
import { isAtLeast, largest, type Level } from "./level.ts";

/** Numbers to raise, so that a tree claims what it changes. */
export interface RaisePlan {
  /** New value of `current`; absent: it is high enough. */
  readonly current?: string;
  /** The manifests of tools, and the versions that they have to name. */
  readonly tools: readonly { readonly file: string; readonly version: string }[];
  /** A sentence for each difference, by the headings of the changelog. */
  readonly changes: readonly string[];
}

export interface RaiseOptions {
  /** True if the changed tools get higher versions. */
  readonly tools: boolean;
  /** The least bump of the tree, and of each tool in `asked`. */
  readonly least?: Level;
  /** Tools that `least` is about; absent: all that differ. */
  readonly asked?: ReadonlySet<string>;
  /** Numbers that stand for something else already, and are passed over at the same level. */
  readonly taken?: (semver: string) => boolean;
  /** Further versions that the numbers are measured against. */
  readonly others?: readonly Other[];
}

/** Another version that numbers are measured against. */
interface Other {
  readonly before: Version;
  readonly difference: Pick<Difference, "claims" | "required">;
  readonly scope: Scope;
}

/** Source of the versions that a version will be measured against. */
export interface Against {
  readonly findBases: (version: Version) => Promise<readonly Base[]>;
  readonly load: (commit: string) => Promise<Version>;
}

type Told = Pick<Difference, "claims" | "required"> & { readonly findings: Parameters<typeof listChanges>[0] };

export function planRaise(difference: Told, before: Version, after: Version, options: RaiseOptions): RaisePlan {
  const { least = "none", taken = () => false, others = [] } = options;
  const tools = options.tools ? raiseTools(difference, after, options) : [];
  const level = largest([difference.required, least, tools.length > 0 ? "patch" : "none"]);
  const { isKept } = createClaim(before.semver, after.semver, level);
  const isFree = after.semver === before.semver || !taken(after.semver);
  const first =
    isKept && isFree ? after.semver : findFree(before.semver, isAtLeast(level, "patch") ? level : "patch", taken);
  const current = raiseAbove(first, others, taken);
  return {
    ...(current === after.semver ? {} : { current }),
    tools,
    changes: listChanges(difference.findings),
  };
}

/**
 * The plan whose numbers also say enough next to the versions that they will be measured against. Which those are depends on
 * the number, so it is planned until no further one is found.
 */
export async function planMeasuredRaise(
  difference: Told,
  before: Version,
  after: Version,
  options: Omit<RaiseOptions, "others">,
  against: Against,
): Promise<RaisePlan> {
  const others: Other[] = [];
  for (;;) {
    const plan = planRaise(difference, before, after, { ...options, others });
    const known = new Set([before.commit, ...others.map((other) => other.before.commit)]);
    const bases = await against.findBases(plan.current === undefined ? after : toRaised(plan.current, before, after));
    const further = bases.filter(({ version }) => !known.has(version.commit));
    if (further.length === 0) return plan;
    for (const { version, scope } of further) {
      const base = await against.load(version.commit);
      others.push({ before: base, difference: await compareInTurns(base, after), scope });
    }
  }
}

/** The version with another number, made from `before`. */
export function toRaised(semver: string, before: Pick<Version, "semver">, after: Version): Version {
  const { history } = after;
  const versions = new Map([...history.versions, [semver, { parent: before.semver, changes: [] }]]);
  return { ...after, semver, history: { ...history, current: semver, versions } };
}

/** For each tool whose number says too little next to one of these versions, the least that says enough next to all. */
function raiseTools({ claims }: Told, after: Version, options: RaiseOptions): RaisePlan["tools"] {
  const { least = "none", asked, others = [] } = options;
  const versions = new Map<string, string>();
  const own = claims.map((claim) => {
    const isAsked = asked === undefined || (claim.tool !== undefined && asked.has(claim.tool));
    return isAsked ? { ...claim, required: largest([claim.required, least]) } : claim;
  });
  const further = others.flatMap(({ difference, scope }) => (scope === "all" ? difference.claims : []));
  for (const { tool, from, to, required } of [...own, ...further]) {
    const file = tool === undefined ? undefined : after.tools.get(tool)?.file;
    if (file === undefined) continue;
    const claim = createClaim(from, versions.get(file) ?? to, required);
    if (!claim.isKept) versions.set(file, claim.needed);
  }
  return [...versions].map(([file, version]) => ({ file, version }));
}

/** The least free number from this one on that says enough next to these versions. */
function raiseAbove(from: string, others: readonly Other[], taken: (semver: string) => boolean): string {
  let current = from;
  for (let last = ""; last !== current;) {
    last = current;
    for (const { before, difference } of others) {
      if (createClaim(before.semver, current, difference.required).isKept) continue;
      current = findFree(before.semver, difference.required, (semver) => taken(semver) || lte(semver, current));
    }
  }
  return current;
}

/** Writes the entry of versions.yaml for a version that is raised to `version`. */
export function toRelease(
  version: string,
  before: Version,
  after: Version,
  about: {
    /** True if users may have a version with the number of `after`. */
    readonly isReleased: boolean;
    readonly changes: readonly string[];
    /** Milliseconds since 1970. */
    readonly now: number;
  },
): Release {
  const replaced = before.semver === after.semver || about.isReleased ? undefined : after.semver;
  return {
    version,
    replaced,
    // A parent that somebody wrote down stays.
    parent: after.history.versions.get(replaced ?? version)?.parent ?? before.semver,
    date: new Date(about.now).toISOString().replace(/\.\d+Z$/, "Z"),
    changes: about.changes,
  };
}

function findFree(from: string, level: Level, taken: (semver: string) => boolean): string {
  let next = raiseBy(from, level);
  while (taken(next)) next = raiseBy(next, level);
  return next;
}
