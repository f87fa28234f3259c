import { type Range, SemVer } from "semver";
import { readToolName, splitToolNames } from "./tool-names.ts";
import type { Verdict, Verdicts } from "../verdicts.ts";
import { compareVersions, isQuarantined, type TaggedVersion, type VersionIndex } from "../version-index.ts";

/** One version of a tool, and of all versions of the repository that have it the one that serves it. */
export interface ToolChoice {
  readonly name: string;
  /** The tool's own semver. */
  readonly version: string;
  readonly carrier: TaggedVersion;
}

/** Catalogue of the tools' versions, as far as the versions have been inspected. Opens none. */
export interface ToolCatalogue {
  /** The highest version of each tool, by name. */
  list(includeUnstable: boolean): readonly ToolChoice[];
  /** The highest version of a tool, of those in the range if there is one. An exact version may be an unstable one's. */
  find(name: string, range?: Range): ToolChoice | undefined;
  /** All versions of a tool that stable versions have, highest first. */
  versionsOf(name: string): readonly string[];
  /** A commit was looked at. */
  onVerdict(commit: string, verdict: Verdict): void;
  /** Discards the catalogue after another change of the served versions. */
  forget(): void;
}

interface Offer {
  readonly name: string;
  readonly version: SemVer;
  /** The best carriers, of the stable versions and of all. */
  stable?: TaggedVersion;
  any: TaggedVersion;
}

interface Offers {
  readonly byVersion: Map<string, Offer>;
  highest: Offer;
  /** The highest stable offer of a stable version. */
  stable?: Offer;
}

/**
 * Built from the verdicts when first asked for, and when the refs have changed; verdicts that come later are added.
 * Of versions that have the same version of a tool, the one of the highest precedence carries it, then the newest.
 */
export function createToolCatalogue(given: {
  readonly index: () => VersionIndex;
  readonly verdicts: Pick<Verdicts, "get">;
}): ToolCatalogue {
  let built: { readonly index: VersionIndex; readonly tools: Map<string, Offers> } | undefined;

  function tools(): Map<string, Offers> {
    const index = given.index();
    if (built?.index === index) return built.tools;
    const made = new Map<string, Offers>();
    // The first version that has a version of a tool is its best carrier: the others add nothing.
    const seen = { stable: new Set<string>(), any: new Set<string>() };
    for (const version of index.versions) {
      const verdict = given.verdicts.get(version.commit);
      if (verdict?.ok !== true || !isOffered(version, verdict)) continue;
      const known = isStable(version) ? seen.stable : seen.any;
      for (const entry of splitToolNames(verdict.tools)) {
        if (known.has(entry)) continue;
        known.add(entry);
        add(made, version, entry);
      }
    }
    built = { index, tools: made };
    return made;
  }

  return Object.freeze({
    list(includeUnstable: boolean) {
      const choices = [...tools().values()].flatMap(({ highest, stable }) => {
        const offer = includeUnstable ? highest : stable;
        return offer === undefined ? [] : [toChoice(offer, includeUnstable)];
      });
      return choices.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    find(name: string, range?: Range) {
      const offers = tools().get(name);
      if (range === undefined) return offers?.stable && toChoice(offers.stable, false);
      const fitting = [...(offers?.byVersion.values() ?? [])].filter(
        ({ stable, version }) => stable && range.test(version),
      );
      fitting.sort((a, b) => b.version.compare(a.version));
      // Who names a version to the letter asks for it wherever it is; a range chooses among what is stable.
      const [offer = offers?.byVersion.get(range.range)] = fitting;
      return offer && toChoice(offer, false);
    },
    versionsOf(name: string) {
      const offers = [...(tools().get(name)?.byVersion.values() ?? [])].filter(({ stable }) => stable !== undefined);
      return offers.sort((a, b) => b.version.compare(a.version)).map(({ version }) => version.version);
    },
    onVerdict(commit: string, verdict: Verdict) {
      // What was good before may have been in here.
      if (!verdict.ok) built = undefined;
      if (built === undefined || !verdict.ok) return;
      for (const version of built.index.byCommit.get(commit) ?? []) {
        if (!isOffered(version, verdict)) continue;
        for (const entry of splitToolNames(verdict.tools)) add(built.tools, version, entry);
      }
    },
    forget() {
      built = undefined;
    },
  });
}

function isOffered(version: TaggedVersion, verdict: Verdict): boolean {
  return !version.deleted && !isQuarantined(version, verdict);
}

/** Checks that `latest` and ranges may choose the version. */
export function isStable({ prerelease, build }: TaggedVersion): boolean {
  return !prerelease && build === undefined;
}

function add(tools: Map<string, Offers>, carrier: TaggedVersion, entry: string): void {
  const { name, version } = readToolName(entry);
  let offers = tools.get(name);
  const known = offers?.byVersion.get(version);
  const offer: Offer = known ?? { name, version: new SemVer(version), any: carrier };
  if (compareVersions(carrier, offer.any) < 0) offer.any = carrier;
  if (isStable(carrier) && (offer.stable === undefined || compareVersions(carrier, offer.stable) < 0)) {
    offer.stable = carrier;
  }
  if (offers === undefined) tools.set(name, (offers = { byVersion: new Map(), highest: offer }));
  offers.byVersion.set(version, offer);
  if (offer.version.compare(offers.highest.version) > 0) offers.highest = offer;
  const isCandidate = offer.stable !== undefined && offer.version.prerelease.length === 0;
  if (isCandidate && (offers.stable === undefined || offer.version.compare(offers.stable.version) > 0)) {
    offers.stable = offer;
  }
}

function toChoice({ name, version, stable, any }: Offer, includeUnstable: boolean): ToolChoice {
  return { name, version: version.version, carrier: includeUnstable ? any : (stable ?? any) };
}
