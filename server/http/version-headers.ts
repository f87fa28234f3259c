import type { Deprecation } from "../versions/retirement/deprecation.ts";
import type { VersionRecord } from "../versions/record.ts";
import type { Tool } from "../versions/version.ts";
import type { Resolved } from "../versions/registry/resolve/resolve.ts";

/** Headers of a request without anything to tell, made once for all. */
const NOTHING: Readonly<Record<string, string>> = Object.freeze({});

/** Tells which commit answers, and the address under which it always will. */
export function versionHeaders({ record, version }: Resolved, path: string): Readonly<Record<string, string>> {
  return {
    "cairn-commit": version.commit,
    "cairn-version": record.tag?.slice(1) ?? version.semver,
    ...(version.preview === undefined ? {} : { "cairn-preview": `pull-request-${version.preview}` }),
    ...toNotice(record, path, [`</agent/${version.commit}${path}>; rel="canonical"`]),
  };
}

/**
 * Tells of the end of a version: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and in `Link` its successor and what says so;
 * `links` are others to tell of. Nothing where there is nothing to tell.
 */
export function toNotice(
  { deprecated, semver = "" }: Pick<VersionRecord, "deprecated" | "semver">,
  path: string,
  links: readonly string[] = [],
): Readonly<Record<string, string>> {
  if (deprecated === undefined) return links.length === 0 ? NOTHING : { link: links.join(", ") };
  const { successor } = deprecated;
  const all = [
    ...links,
    ...(successor === undefined ? [] : [`</agent/${successor}${path}>; rel="successor-version"`]),
    `</versions/${semver}>; rel="deprecation"`,
  ];
  return { ...toDays(deprecated), link: all.join(", ") };
}

/** Tells of the end of a tool, at the address of a version that has no earlier one. */
export function toToolNotice(
  { deprecated }: Pick<Tool, "deprecated">,
  { record }: Pick<Resolved, "record">,
): Readonly<Record<string, string>> {
  const ends = record.deprecated?.sunset ?? Infinity;
  return deprecated === undefined || (deprecated.sunset ?? Infinity) >= ends ? NOTHING : toDays(deprecated);
}

/** Tells when something is deprecated, and when it ends. */
function toDays({ since, sunset }: Deprecation): Readonly<Record<string, string>> {
  return {
    deprecation: `@${since / 1000}`,
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
  };
}
