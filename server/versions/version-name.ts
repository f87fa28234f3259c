import { SemVer } from "semver";

/** Name of a version: `1.6.0`, `1.7.0-rc.1` or, beside others of an equal semver, `1.6.0+warm-start`. */
export interface VersionName {
  /** With the build name. */
  readonly name: string;
  /** Without the build name. */
  readonly semver: string;
  readonly build?: string;
  readonly prerelease: boolean;
  /** For comparisons; the build name plays no part in them. */
  readonly parsed: SemVer;
}

const MAX_LENGTH = 128;
// The grammar of semver.org, without a leading `v`.
const NUMBER = "(?:0|[1-9][0-9]*)";
const CORE = `${NUMBER}\\.${NUMBER}\\.${NUMBER}`;
const PRERELEASE = `(?:${NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;
const FULL = new RegExp(
  `^(${CORE}(-${PRERELEASE}(?:\\.${PRERELEASE})*)?)(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$`,
);

export function readVersionName(text: string): VersionName | undefined {
  const [, semver, prerelease, build] = (text.length <= MAX_LENGTH ? FULL.exec(text) : undefined) ?? [];
  if (semver === undefined) return undefined;
  try {
    const parsed = new SemVer(semver);
    return { name: text, semver, prerelease: prerelease !== undefined, parsed, ...(build && { build }) };
  } catch {
    // Its numbers are beyond what can be compared exactly.
    return undefined;
  }
}

/** The version that a tag names: `v1.6.0` is `1.6.0`; other tags name none. */
export function readTagName(tag: string): VersionName | undefined {
  return tag.startsWith("v") ? readVersionName(tag.slice(1)) : undefined;
}

/** By precedence, highest first; of equal ones the one without a build name, then by name. */
export function compareNames(a: VersionName, b: VersionName): number {
  return b.parsed.compare(a.parsed) || (a.build ?? "").localeCompare(b.build ?? "", "en");
}
