import type { Resolved } from "../versions/registry/resolve/resolve.ts";

/** Tells which commit answers, and the address under which it always will. */
export function versionHeaders({ record, version }: Resolved, path: string): Readonly<Record<string, string>> {
  return {
    "cairn-commit": version.commit,
    "cairn-version": record.tag?.slice(1) ?? version.semver,
    ...(version.preview === undefined ? {} : { "cairn-preview": `pull-request-${version.preview}` }),
    link: `</agent/${version.commit}${path}>; rel="canonical"`,
  };
}
