import { SemVer } from "semver";
import { isAtLeast, type Level } from "./level.ts";
import { defined } from "../json/defined.ts";

/** Claim of a new version number about the change since another, and the need of the change. */
export interface Claim {
  /** Absent: the whole tree's. */
  readonly tool?: string;
  readonly from: string;
  readonly to: string;
  readonly claimed: Level;
  readonly required: Level;
  /** Says whether it says at least as much as the change needs. */
  readonly isKept: boolean;
  /** The least version that would. */
  readonly needed: string;
}

/** Neither version has a build name, which plays no part. */
export function createClaim(from: string, to: string, required: Level, tool?: string): Claim {
  const claimed = toClaimed(new SemVer(from), new SemVer(to));
  return Object.freeze({
    ...defined({ tool }),
    from,
    to,
    claimed,
    required,
    isKept: isAtLeast(claimed, required),
    needed: raiseBy(from, required),
  });
}

/**
 * The largest change that raising `from` to `to` may stand for (semver.org, 2.0.0). Before 1.0.0 the minor number plays
 * the major one's part, and the patch number both others', as ranges have it: `^0.2.3` ends before 0.3.0. A pre-release
 * promises nothing to what comes after it (9.).
 */
function toClaimed(from: SemVer, to: SemVer): Level {
  if (to.compare(from) <= 0) return "none";
  if (from.prerelease.length > 0 || to.major > from.major) return "major";
  if (to.minor > from.minor) return from.major === 0 ? "major" : "minor";
  return from.major === 0 ? "minor" : "patch";
}

/** The least version above `from` that stands for a change of this level; `from` itself for none. */
export function raiseBy(from: string, required: Level): string {
  if (required === "none") return from;
  const next = new SemVer(from);
  if (next.prerelease.length > 0) return next.inc("prerelease").version;
  if (next.major > 0) return next.inc(required).version;
  return next.inc(required === "major" ? "minor" : "patch").version;
}

/** Explains claims: in a sentence on the tree, and one for each tool whose number says too little. */
export function explainClaims({
  claims,
  required,
}: {
  readonly claims: readonly Claim[];
  readonly required: Level;
}): readonly string[] {
  return claims.flatMap((claim) => {
    if (claim.tool !== undefined) return claim.isKept ? [] : [explainClaim(claim)];
    if (required === "none")
      return [`Nothing that a version is made of differs between ${claim.from} and ${claim.to}.`];
    return [explainClaim(claim)];
  });
}

/** Explains a claim in a sentence: what the change needs, and what its number says. */
export function explainClaim({ tool, from, to, claimed, required, isKept, needed }: Claim): string {
  const what = tool === undefined ? "The change" : `The change of the tool \`${tool}\``;
  const early =
    from.startsWith("0.") && claimed !== "none" && required !== "patch" ? ", as numbers before 1.0.0 are read" : "";
  const says =
    claimed === "none"
      ? `${to} is no higher than ${from}`
      : `${from} to ${to} stands for a ${claimed} one at most${early}`;
  if (isKept) return `${what} from ${from} to ${to} needs a ${required} bump, and has it${early}.`;
  return `${what} needs a ${required} bump, and ${says}: it must be ${needed} or higher.`;
}
