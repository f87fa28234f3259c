import { LRUCache } from "lru-cache";
import { NOTHING, putUnder, toCeiling } from "../ceiling.ts";
import type { Mirror } from "../mirror/mirror.ts";
import type { Ceiling } from "../policy.ts";
import type { Version } from "../version.ts";
import { isUnproven } from "./judge/claims.ts";
import { forEachConcurrently } from "./for-each-concurrently.ts";
import { isStable } from "./tools/tool-catalogue.ts";
import type { Verdicts } from "./verdicts.ts";
import type { VersionCache } from "./version-cache.ts";
import { isKept, isQuarantined, type TaggedVersion, type VersionIndex } from "./version-index.ts";

/** Which commits may act, because a served tag leads to them, and what the others may have at most. */
export interface Standings {
  /** Whether a tag is served; looks at its version where nobody has. Rejects when that cannot be read at the moment. */
  isServed(tagged: TaggedVersion): Promise<boolean>;
  /** Whether a served tag has a commit in its history. */
  isLedTo(commit: string): Promise<boolean>;
  /** Those of some commits that a served tag has in its history. */
  findLedTo(commits: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of some heads of pull requests that may be tried: the default branch does not have them yet. */
  findTriable(heads: readonly string[]): Promise<ReadonlySet<string>>;
  /** A version that no served tag leads to, as far as anybody may see it; with a number, as a preview. */
  bound(version: Version, preview?: number): Promise<Version>;
}

interface Leaders {
  /** The index that the tags were found in: another may have more. */
  readonly index: VersionIndex;
  readonly tags: Promise<readonly TaggedVersion[]>;
}

const MAX_REMEMBERED = 10_000;
const CONCURRENCY = 8;

/** Git is asked once for a commit and set of refs: that a tag has a commit in its history stays true. */
export function createStandings(given: {
  /** Whether heads of pull requests may be tried. */
  readonly previews: boolean;
  readonly index: () => VersionIndex;
  readonly mirror: Pick<Mirror, "listTags" | "findOutside">;
  readonly verdicts: Pick<Verdicts, "get">;
  readonly cache: Pick<VersionCache, "open" | "verify">;
  /** See `Claims.prove`. */
  readonly prove: (commit: string) => Promise<void>;
}): Standings {
  const { mirror, verdicts, cache, prove } = given;
  const leaders = new LRUCache<string, Leaders>({ max: MAX_REMEMBERED });
  const ceilings = new WeakMap<VersionIndex, Promise<Ceiling>>();
  const ofVersions = new WeakMap<Version, Ceiling>();
  const bounded = new WeakMap<Version, ReturnType<typeof putUnder>>();
  const triable = new WeakMap<VersionIndex, Map<string, boolean>>();

  async function isServed(tagged: TaggedVersion): Promise<boolean> {
    const { commit } = tagged;
    const isRefused = () => {
      const verdict = verdicts.get(commit);
      return isQuarantined(tagged, verdict) && !isKept(tagged, verdict);
    };
    if (isRefused()) return false;
    if (verdicts.get(commit) === undefined) await cache.verify(commit);
    if (isUnproven(verdicts.get(commit))) await prove(commit);
    return !isRefused();
  }

  /** Rejects only where none is served and one cannot be read, which may be. */
  async function isAnyServed(tags: readonly TaggedVersion[]): Promise<boolean> {
    const unreadable: unknown[] = [];
    const { byName } = given.index();
    for (const { name, commit } of tags) {
      const tagged = byName.get(name);
      if (tagged?.commit !== commit) continue;
      if (await isServed(tagged).catch((error: unknown) => void unreadable.push(error))) return true;
    }
    if (unreadable.length > 0) throw unreadable[0];
    return false;
  }

  function keep(commit: string, index: VersionIndex, tags: Promise<readonly TaggedVersion[]>): void {
    const entry = { index, tags };
    leaders.set(commit, entry);
    tags.catch(() => leaders.peek(commit) === entry && leaders.delete(commit));
  }

  async function listTags(index: VersionIndex, which: "containing" | "below", commit: string) {
    return (await mirror.listTags(which, commit)).flatMap((tag) => index.byName.get(tag.slice(1)) ?? []);
  }

  async function isLedTo(commit: string): Promise<boolean> {
    const index = given.index();
    const known = leaders.get(commit);
    if (known !== undefined && (await isAnyServed(await known.tags))) return true;
    if (known?.index === index) return false;
    const tags = listTags(index, "containing", commit);
    keep(commit, index, tags);
    return isAnyServed(await tags);
  }

  async function findCeiling(index: VersionIndex): Promise<Ceiling> {
    if (index.defaultCommit === undefined) return NOTHING;
    const below = new Set(await listTags(index, "below", index.defaultCommit));
    const standing = index.versions.filter((version) => below.has(version) && !version.deleted);
    for (const tagged of [...standing.filter(isStable), ...standing.filter((version) => !isStable(version))]) {
      if (!(await isServed(tagged))) continue;
      const loaded = await cache.open(tagged.commit);
      if (!loaded.ok) continue;
      const ceiling = ofVersions.get(loaded.version) ?? toCeiling(loaded.version);
      ofVersions.set(loaded.version, ceiling);
      return ceiling;
    }
    return NOTHING;
  }

  function ceilingOf(index: VersionIndex): Promise<Ceiling> {
    const known = ceilings.get(index);
    if (known !== undefined) return known;
    const found = findCeiling(index);
    ceilings.set(index, found);
    found.catch(() => ceilings.delete(index));
    return found;
  }

  return Object.freeze<Standings>({
    isServed,
    isLedTo,
    async findLedTo(commits) {
      const index = given.index();
      const asked = commits.filter((commit) => leaders.peek(commit)?.index !== index);
      if (asked.length > 0) {
        // No tag at all leads to most of them, which one look says of all.
        const tagged = index.versions.filter(({ notACommit }) => notACommit === undefined);
        const outside = await mirror.findOutside(asked, [...new Set(tagged.map(({ commit }) => commit))]);
        for (const commit of outside) keep(commit, index, Promise.resolve([]));
      }
      const led = new Set<string>();
      await forEachConcurrently(commits, CONCURRENCY, async (commit) => {
        if (await isLedTo(commit)) led.add(commit);
      });
      return led;
    },
    async findTriable(heads) {
      if (!given.previews) return new Set();
      const index = given.index();
      const known = triable.get(index) ?? new Map<string, boolean>();
      triable.set(index, known);
      const asked = heads.filter((head) => !known.has(head));
      if (asked.length > 0) {
        const merged = index.defaultCommit === undefined ? [] : [index.defaultCommit];
        const outside = await mirror.findOutside(asked, merged);
        for (const head of asked) known.set(head, outside.has(head));
      }
      return new Set(heads.filter((head) => known.get(head)));
    },
    async bound(version, preview) {
      const ceiling = await ceilingOf(given.index());
      const known = bounded.get(version);
      if (known?.ceiling === ceiling && known.preview === preview) return known;
      const made = putUnder(ceiling, version, preview);
      bounded.set(version, made);
      return made;
    },
  });
}
