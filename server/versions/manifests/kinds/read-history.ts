import { validRange } from "semver";
import { type DeprecationContent, toDeprecation } from "../../retirement/deprecation.ts";
import type { Problem } from "../../problem.ts";
import type { History, HistoryEntry } from "../../loaded-history.ts";
import type { Manifest } from "../manifest.ts";
import { suggest } from "../../../text/suggest.ts";
import { checkDays, checkEnds } from "./check-ends.ts";
import type { FileRead } from "./file-read.ts";

export interface HistoryContent {
  readonly current: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly versions: Readonly<
    Record<string, Omit<HistoryEntry, "deprecated"> & { readonly deprecated?: DeprecationContent }>
  >;
}

/** versions.yaml, and problems at its places. */
export interface HistoryFile {
  readonly history: History;
  readonly problem: Manifest<HistoryContent>["problem"];
}

const COMMIT = /^[0-9a-f]{7,}$/;
/** Words that an address gives a meaning of its own. */
const RESERVED_LABELS: ReadonlySet<string> = new Set(["dev", "latest"]);

export function readHistory({ content, problem }: Manifest<HistoryContent>): FileRead<HistoryFile> {
  const problems: Problem[] = [];
  const labels = new Map(Object.entries(content.labels ?? {}));
  const versions = new Map(
    Object.entries(content.versions).map(([version, { deprecated, ...entry }]): [string, HistoryEntry] => [
      version,
      Object.freeze({ ...entry, ...(deprecated && { deprecated: toDeprecation(deprecated) }) }),
    ]),
  );
  checkListed(content.current, ["current"]);
  for (const [label, version] of labels) {
    checkLabel(label);
    checkListed(version, ["labels", label]);
  }
  for (const [version, { parent, accepts = [], deprecated }] of versions) {
    const path = ["versions", version, "deprecated"];
    checkAccepts(version, accepts);
    problems.push(...checkDays(content.versions[version]?.deprecated, path, problem));
    if (deprecated?.successor !== undefined) checkListed(deprecated.successor, [...path, "successor"]);
    if (parent === undefined) continue;
    checkListed(parent, ["versions", version, "parent"]);
    checkAncestry(version);
  }
  const history = Object.freeze({ current: content.current, labels, versions });
  problems.push(...checkEnds(history, problem));
  return { value: { history, problem }, problems };

  function checkLabel(label: string): void {
    const looksLike = RESERVED_LABELS.has(label)
      ? "has a meaning of its own in addresses"
      : COMMIT.test(label)
        ? "could be a commit"
        : validRange(label) !== null
          ? "could be a version or a range of versions"
          : undefined;
    if (looksLike === undefined) return;
    const fix = "Choose a word such as `stable`.";
    problems.push(problem("label-name", ["labels", label], `The label \`${label}\` ${looksLike}.`, fix, "key"));
  }

  function checkListed(version: string, path: readonly (string | number)[]): void {
    if (versions.has(version) || (path[0] !== "current" && COMMIT.test(version))) return;
    const meant = suggest(version, [...versions.keys()]);
    // The most frequent cause is a clone without what somebody else has released.
    const rebase = path[0] === "versions" ? " If it was released elsewhere, pull or rebase first: that lists it." : "";
    const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}List it under \`versions\`, with its changes.${rebase}`;
    problems.push(problem("history-reference", path, `The version ${version} is not listed.`, fix));
  }

  function checkAccepts(version: string, accepts: NonNullable<HistoryEntry["accepts"]>): void {
    const known = new Set<string>();
    for (const [index, { finding, of, member = "", how = "", from }] of accepts.entries()) {
      const path = ["versions", version, "accepts", index] as const;
      const key = JSON.stringify([finding, of, member, how, from]);
      if (known.has(key)) {
        const message = `The version ${version} accepts \`${finding}\` of \`${of}\` twice.`;
        problems.push(problem("duplicate-name", path, message, "Leave one of the two."));
      }
      known.add(key);
      if (from === version) {
        const message = `The version ${version} accepts a break next to itself.`;
        problems.push(problem("history-reference", [...path, "from"], message, "Name the version that it breaks."));
      } else checkListed(from, [...path, "from"]);
    }
  }

  function checkAncestry(version: string): void {
    const seen = new Set([version]);
    for (let parent = versions.get(version)?.parent; parent !== undefined; parent = versions.get(parent)?.parent) {
      if (parent === version) {
        const message = `The version ${version} descends from itself.`;
        const fix = "Name the version that it was made from.";
        problems.push(problem("history-reference", ["versions", version, "parent"], message, fix));
      }
      if (seen.has(parent)) return;
      seen.add(parent);
    }
  }
}
