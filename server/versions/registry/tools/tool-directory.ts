import type { Range } from "semver";
import { CairnError } from "../../../errors.ts";
import { isUnproven } from "../judge/claims.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import type { Resolved } from "../resolve/resolve.ts";
import { isStable, type ToolCatalogue, type ToolChoice } from "./tool-catalogue.ts";
import type { Verdicts } from "../verdicts.ts";
import type { VersionCache } from "../version-cache.ts";
import { isQuarantined, type TaggedVersion, toRecord, type VersionIndex } from "../version-index.ts";

/** Tools by name, across all versions that are served. */
export interface ToolDirectory {
  /** The highest version of each tool, by name; with `includeUnstable` also of pre-releases and named versions. */
  list(includeUnstable: boolean): Promise<ToolChoices>;
  /** The highest version of a tool, of those in the range if there is one. UNAVAILABLE while it may still turn up. */
  find(name: string, range?: Range): Promise<ToolChoice | undefined>;
  /** Lists the versions of a tool in stable versions, highest first. */
  versionsOf(name: string): readonly string[];
  /** The version that serves a choice. UNAVAILABLE when it cannot be read at the moment. */
  open(choice: ToolChoice): Promise<Resolved>;
}

interface ToolChoices {
  readonly choices: readonly ToolChoice[];
  /** Stable versions that nobody has looked at yet, so that what they have is not among the choices. */
  readonly unverified: number;
}

/**
 * The highest versions, which nearly always have the highest tools, are looked at before anything is answered; the
 * others when the sweep gets there, because looking at thousands would keep the caller waiting for a minute.
 */
const LOOKED_AT = 50;
const CONCURRENCY = 8;

export function createToolDirectory(given: {
  readonly index: () => VersionIndex;
  readonly verdicts: Verdicts;
  readonly cache: VersionCache;
  readonly catalogue: ToolCatalogue;
  readonly prove: (commit: string) => Promise<void>;
}): ToolDirectory {
  const { verdicts, cache, catalogue, prove } = given;
  let complete: VersionIndex | undefined;

  const isUnknown = (version: TaggedVersion) =>
    isStable(version) &&
    !version.deleted &&
    verdicts.get(version.commit) === undefined &&
    !isQuarantined(version, undefined);

  /** Looks at versions nobody has looked at; returns how many are left. One that cannot be read does not count. */
  async function lookAt(choose: (unknown: readonly TaggedVersion[]) => readonly TaggedVersion[]): Promise<number> {
    const index = given.index();
    if (complete === index) return 0;
    const unreadable = new Set<string>();
    const chosen = choose(index.versions.filter(isUnknown));
    await forEachConcurrently(new Set(chosen.map(({ commit }) => commit)), CONCURRENCY, async (commit) => {
      await cache.verify(commit).catch(() => unreadable.add(commit));
    });
    const left = index.versions.filter((version) => isUnknown(version) && !unreadable.has(version.commit)).length;
    if (left === 0 && unreadable.size === 0) complete = index;
    return left;
  }

  const lookAtHighest = () => {
    const highest = new Set(given.index().versions.filter(isStable).slice(0, LOOKED_AT));
    return lookAt((unknown) => unknown.filter((version) => highest.has(version)));
  };

  const findAll = (name: string, range?: Range) => {
    const found = catalogue.find(name, range);
    return found === undefined ? [] : [found];
  };

  /** Chooses again as long as what was chosen turns out under-claimed. */
  async function proven(choose: () => readonly ToolChoice[]): Promise<readonly ToolChoice[]> {
    const tried = new Set<string>();
    for (;;) {
      const choices = choose();
      const commits = new Set(choices.map(({ carrier }) => carrier.commit));
      const unproven = [...commits].filter((commit) => !tried.has(commit) && isUnproven(verdicts.get(commit)));
      if (unproven.length === 0) return choices;
      await forEachConcurrently(unproven, CONCURRENCY, prove);
      for (const commit of unproven) tried.add(commit);
    }
  }

  return Object.freeze({
    async list(includeUnstable: boolean) {
      const unverified = await lookAtHighest();
      return { choices: await proven(() => catalogue.list(includeUnstable)), unverified };
    },
    async find(name: string, range?: Range) {
      await lookAtHighest();
      const [found] = await proven(() => findAll(name, range));
      if (found !== undefined) return found;
      const left = await lookAt((unknown) => unknown.slice(0, LOOKED_AT));
      const [later] = await proven(() => findAll(name, range));
      if (later !== undefined || left === 0) return later;
      throw new CairnError("UNAVAILABLE", `${left} versions that may have such a tool have not been looked at yet.`);
    },
    versionsOf: catalogue.versionsOf,
    async open({ carrier }: ToolChoice): Promise<Resolved> {
      const loaded = await cache.open(carrier.commit).catch((error: unknown) => {
        const message = "The version that serves the tool exists, but cannot be read now.";
        throw new CairnError("UNAVAILABLE", message, { cause: error });
      });
      if (!loaded.ok) throw new CairnError("VERSION_QUARANTINED", `Version ${carrier.name} is not served.`);
      const record = toRecord(given.index(), carrier, verdicts.get(carrier.commit));
      return { version: loaded.version, record, immutable: true };
    },
  });
}
