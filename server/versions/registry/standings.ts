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

/** Commits that may act, because a served tag leads to them, and the ceilings of the others. */
export interface Standings {
  /** Says whether a tag is served; looks at its version where nobody has. Rejects when that cannot be read at the moment. */
  isServed(tagged: TaggedVersion): Promise<boolean>;
  /** Says whether a served tag has a commit in its history. */
  isLedTo(commit: string): Promise<boolean>;
  /** Those of some commits that a served tag has in its history. */
  findLedTo(commits: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of some heads of pull requests that may be tried: the default branch does not have them yet. */
  findTriable(heads: readonly string[]): Promise<ReadonlySet<string>>;
  /** The ceiling of what no served tag leads to: the policies of the default branch's newest served version. */
  ceiling(): Promise<Ceiling>;
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

export interface StandingsOptions {
  /** Says whether heads of pull requests may be tried. */
  readonly previews: boolean;
  readonly index: () => VersionIndex;
  readonly mirror: Pick<Mirror, "listTags" | "findOutside">;
  readonly verdicts: Pick<Verdicts, "get">;
  readonly cache: Pick<VersionCache, "open" | "verify">;
  /** See `Claims.prove`. */
  readonly prove: (commit: string) => Promise<void>;
}

/** The options, and what was found out before. */
interface State extends StandingsOptions {
  /** By commit. */
  readonly leaders: LRUCache<string, Leaders>;
  readonly ceilings: WeakMap<VersionIndex, Promise<Ceiling>>;
  readonly ofVersions: WeakMap<Version, Ceiling>;
  readonly bounded: WeakMap<Version, ReturnType<typeof putUnder>>;
  /** Heads of pull requests, and whether the default branch lacks them. */
  readonly triable: WeakMap<VersionIndex, Map<string, boolean>>;
}

/** Git is asked once for a commit and set of refs: that a tag has a commit in its history stays true. */
export function createStandings(options: StandingsOptions): Standings {
  const state: State = {
    ...options,
    leaders: new LRUCache({ max: MAX_REMEMBERED }),
    ceilings: new WeakMap(),
    ofVersions: new WeakMap(),
    bounded: new WeakMap(),
    triable: new WeakMap(),
  };
  return Object.freeze<Standings>({
    isServed: (tagged) => isServed(state, tagged),
    isLedTo: (commit) => isLedTo(state, commit),
    findLedTo: (commits) => findLedTo(state, commits),
    findTriable: (heads) => findTriable(state, heads),
    ceiling: () => ceilingOf(state, state.index()),
    bound: (version, preview) => bound(state, version, preview),
  });
}

async function isServed(state: State, tagged: TaggedVersion): Promise<boolean> {
  const { commit } = tagged;
  const isRefused = () => {
    const verdict = state.verdicts.get(commit);
    return isQuarantined(tagged, verdict) && !isKept(tagged, verdict);
  };
  if (isRefused()) return false;
  if (state.verdicts.get(commit) === undefined) await state.cache.verify(commit);
  if (isUnproven(state.verdicts.get(commit))) await state.prove(commit);
  return !isRefused();
}

/** Rejects only where none is served and one cannot be read, which may be. */
async function isAnyServed(state: State, tags: readonly TaggedVersion[]): Promise<boolean> {
  const unreadable: unknown[] = [];
  const { byName } = state.index();
  for (const { name, commit } of tags) {
    const tagged = byName.get(name);
    if (tagged?.commit !== commit) continue;
    if (await isServed(state, tagged).catch((error: unknown) => void unreadable.push(error))) return true;
  }
  if (unreadable.length > 0) throw unreadable[0];
  return false;
}

function keep(state: State, commit: string, index: VersionIndex, tags: Promise<readonly TaggedVersion[]>): void {
  const entry = { index, tags };
  state.leaders.set(commit, entry);
  tags.catch(() => state.leaders.peek(commit) === entry && state.leaders.delete(commit));
}

async function listTags(state: State, index: VersionIndex, which: "containing" | "below", commit: string) {
  return (await state.mirror.listTags(which, commit)).flatMap((tag) => index.byName.get(tag.slice(1)) ?? []);
}

async function isLedTo(state: State, commit: string): Promise<boolean> {
  const index = state.index();
  const known = state.leaders.get(commit);
  if (known !== undefined && (await isAnyServed(state, await known.tags))) return true;
  if (known?.index === index) return false;
  const tags = listTags(state, index, "containing", commit);
  keep(state, commit, index, tags);
  return isAnyServed(state, await tags);
}

async function findCeiling(state: State, index: VersionIndex): Promise<Ceiling> {
  if (index.defaultCommit === undefined) return NOTHING;
  const below = new Set(await listTags(state, index, "below", index.defaultCommit));
  const standing = index.versions.filter((version) => below.has(version) && !version.deleted);
  for (const tagged of [...standing.filter(isStable), ...standing.filter((version) => !isStable(version))]) {
    if (!(await isServed(state, tagged))) continue;
    const loaded = await state.cache.open(tagged.commit);
    if (!loaded.ok) continue;
    const ceiling = state.ofVersions.get(loaded.version) ?? toCeiling(loaded.version);
    state.ofVersions.set(loaded.version, ceiling);
    return ceiling;
  }
  return NOTHING;
}

function ceilingOf(state: State, index: VersionIndex): Promise<Ceiling> {
  const known = state.ceilings.get(index);
  if (known !== undefined) return known;
  const found = findCeiling(state, index);
  state.ceilings.set(index, found);
  found.catch(() => state.ceilings.delete(index));
  return found;
}

async function findLedTo(state: State, commits: readonly string[]): Promise<ReadonlySet<string>> {
  const index = state.index();
  const asked = commits.filter((commit) => state.leaders.peek(commit)?.index !== index);
  if (asked.length > 0) {
    // No tag at all leads to most of them, which one look says of all.
    const tagged = index.versions.filter(({ notACommit }) => notACommit === undefined);
    const outside = await state.mirror.findOutside(asked, [...new Set(tagged.map(({ commit }) => commit))]);
    for (const commit of outside) keep(state, commit, index, Promise.resolve([]));
  }
  const led = new Set<string>();
  await forEachConcurrently(commits, CONCURRENCY, async (commit) => {
    if (await isLedTo(state, commit)) led.add(commit);
  });
  return led;
}

async function findTriable(state: State, heads: readonly string[]): Promise<ReadonlySet<string>> {
  if (!state.previews) return new Set();
  const index = state.index();
  const known = state.triable.get(index) ?? new Map<string, boolean>();
  state.triable.set(index, known);
  const asked = heads.filter((head) => !known.has(head));
  if (asked.length > 0) {
    const merged = index.defaultCommit === undefined ? [] : [index.defaultCommit];
    const outside = await state.mirror.findOutside(asked, merged);
    for (const head of asked) known.set(head, outside.has(head));
  }
  return new Set(heads.filter((head) => known.get(head)));
}

async function bound(state: State, version: Version, preview: number | undefined): Promise<Version> {
  const ceiling = await ceilingOf(state, state.index());
  const known = state.bounded.get(version);
  if (known?.ceiling === ceiling && known.preview === preview) return known;
  const made = putUnder(ceiling, version, preview);
  state.bounded.set(version, made);
  return made;
}
