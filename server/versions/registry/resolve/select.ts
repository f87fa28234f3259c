import type { Segment } from "./segment.ts";
import type { TaggedVersion, VersionIndex } from "../version-index.ts";
import { readVersionName } from "../../version-name.ts";

/** Meaning of a segment among the existing versions, before a check that they can be served. */
export type Selection =
  /** This one and no other. `immutable`: it can never come to mean another commit. */
  | { readonly kind: "version"; readonly version: TaggedVersion; readonly immutable: boolean }
  /** The first of these that can be served. */
  | { readonly kind: "first"; readonly versions: Iterable<TaggedVersion> }
  | { readonly kind: "choices"; readonly versions: readonly TaggedVersion[] }
  /** A commit, or the beginning of one. */
  | { readonly kind: "commit"; readonly prefix: string; readonly immutable: boolean }
  /** `reason` completes "There is no version ...: ". */
  | { readonly kind: "nothing"; readonly reason: string };

const NO_TAG = "no tag names it";

/** Pure: the same index and segment always select the same. `dev` is the commit that the work tree stands for, if any. */
export function select(index: VersionIndex, segment: Segment, dev: string | undefined): Selection {
  switch (segment.kind) {
    case "exact":
      return selectExact(index, segment.version.name);
    case "commit":
      return { kind: "commit", prefix: segment.prefix, immutable: isFullCommit(segment.prefix) };
    case "range":
      return { kind: "first", versions: plainVersions(index, ({ parsed }) => segment.range.test(parsed)) };
    case "latest":
      return { kind: "first", versions: plainVersions(index, ({ prerelease }) => !prerelease) };
    case "dev":
      if (dev === undefined) return { kind: "nothing", reason: "no work tree is followed here" };
      return { kind: "commit", prefix: dev, immutable: false };
    case "label":
      return selectLabel(index, segment.label);
    case "nonsense":
      return { kind: "nothing", reason: "that is not a version, a range, a label or a commit" };
    case "tag":
      return { kind: "nothing", reason: `addresses leave out the tag's \`v\`: \`${segment.version.name}\`` };
  }
}

export function isFullCommit(text: string): boolean {
  return text.length === 40 || text.length === 64;
}

/**
 * A tag that was deleted upstream still answers to its exact name, because someone may have pinned it. A semver that only
 * tags with build names carry means the one commit they agree on, until another comes.
 */
function selectExact(index: VersionIndex, name: string): Selection {
  const version = index.byName.get(name);
  if (version !== undefined) return { kind: "version", version, immutable: true };
  const missing = index.missing.get(name);
  if (missing !== undefined)
    return { kind: "nothing", reason: `its tag exists, but could not be copied yet: ${missing}` };
  const sameSemver = index.bySemver.get(name) ?? [];
  const standing = sameSemver.filter(({ deleted }) => !deleted);
  return selectAlike(standing.length > 0 ? standing : sameSemver);
}

/** Of tags with the same semver the plain one, else the one commit that all mean. */
export function selectAlike(choices: readonly TaggedVersion[]): Selection {
  const plain = choices.find(({ build }) => build === undefined);
  const only = plain ?? choices[0];
  if (only === undefined) return { kind: "nothing", reason: NO_TAG };
  if (plain !== undefined || choices.every(({ commit }) => commit === only.commit)) {
    return { kind: "version", version: only, immutable: false };
  }
  return { kind: "choices", versions: choices };
}

function selectLabel(index: VersionIndex, label: string): Selection {
  const target = index.labels.get(label);
  if (target === undefined) return { kind: "nothing", reason: "no label, version or commit is called so" };
  const selection = selectTarget(index, target);
  return selection.kind === "nothing"
    ? { kind: "nothing", reason: `the label says \`${target}\`${selection.reason}` }
    : selection;
}

/**
 * Selects the version that a label's declaration means. A tag that was deleted upstream counts where there is no other: the
 * callers of a label must not lose what it means by a push that deletes too much.
 */
export function selectTarget(index: VersionIndex, target: string): Selection {
  if (/^[0-9a-f]{7,64}$/.test(target)) return { kind: "commit", prefix: target, immutable: false };
  const name = readVersionName(target);
  if (name === undefined) return { kind: "nothing", reason: ", which is neither a version nor a commit" };
  const all = index.bySemver.get(name.semver) ?? [];
  // What was never served promised nothing.
  const counted = all.filter(({ deleted, wasServed }) => !deleted || wasServed);
  const same = counted.filter((one) => name.build === undefined || one.name === target);
  const standing = same.filter(({ deleted }) => !deleted);
  const choices = standing.length === 0 ? same : standing;
  const selection = choices.length === 0 ? selectExact(index, name.name) : selectAlike(choices);
  if (selection.kind === "nothing") {
    const why = selection.reason === NO_TAG ? "which no tag names yet" : `and of that ${selection.reason}`;
    return { kind: "nothing", reason: `, ${why}` };
  }
  return selection.kind === "version" ? { ...selection, immutable: false } : selection;
}

/** The versions that ranges and `latest` choose from. */
function* plainVersions(index: VersionIndex, wanted: (version: TaggedVersion) => boolean): Generator<TaggedVersion> {
  for (const version of index.versions) {
    if (version.build === undefined && !version.deleted && wanted(version)) yield version;
  }
}
