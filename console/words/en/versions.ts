/** Texts of the page of all versions, in English. */
export const words = Object.freeze({
  accepts: "released with a declared break",
  allVersions: "Also quarantined versions, pre-releases and pull requests",
  changes: "Changes",
  commit: "Commit",
  fix: "Fix",
  found: (shown: number, total: number) => `${shown} of ${total} versions`,
  from: (parent: string) => `from ${parent}`,
  graph: (version: string, parent: string | undefined) =>
    parent === undefined ? `${version} begins a line` : `${version} was made from ${parent}`,
  labelProblem: "Labels are not all as the default branch says; the others stay:",
  newer: "Newer",
  none: "No version is served yet. A version is a commit with a tag.",
  older: "Older",
  pages: "Pages of the list",
  released: "Released",
  states: {
    served: "served",
    quarantined: "quarantined",
    unserved: "not served",
    preview: "preview",
    unverified: "not checked yet",
  },
  tests: { pass: "tests pass", fail: "tests fail", unknown: "not tested" },
  title: "Versions",
  why: "Why it is not served",
});
