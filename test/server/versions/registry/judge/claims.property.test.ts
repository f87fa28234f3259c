import fc from "fast-check";
import { SemVer } from "semver";
import { describe, expect, test } from "vitest";
import type { Version } from "../../../../../server/versions/version.ts";
import { createClaim } from "../../../../../server/semver/claim.ts";
import { compareVersions } from "../../../../../server/semver/compare-versions.ts";
import {
  createMemoryReplica,
  createMemoryRepository,
  type MemoryReplica,
  type MemoryRepository,
  type Surface,
} from "../memory-replica.ts";

const RUNS = process.env["CAIRN_LONG"] ? 5_000 : 100;

const FIRST = ["0.1.0", "1.0.0"];
const OTHERS = ["0.1.0", "0.2.0", "1.0.0", "1.0.1", "1.1.0", "1.1.1", "1.2.0", "2.0.0"];
const RANGES = [
  "latest",
  "*",
  "0.x",
  "^0.1.0",
  "^0.1.1",
  "~0.1.1",
  "0.1.x",
  "^0.2.0",
  "^1.0.0",
  "~1.0.0",
  "^1.0.1",
  "1.x",
];
const MORE_RANGES = ["1.1.x", "~1.1.1", "^1.1.0", "~1.2", "^1.2.0", "^2", "2.x", ">=1.0.0 <1.2.0", "^1.1.0-rc.0"];

const ALL_RANGES = [...RANGES, ...MORE_RANGES];

/** What happens to a repository. Numbers point among what there is at that moment. */
type Step =
  | {
      readonly kind: "release";
      /** Of the number of what it is made from; or a number of its own. */
      readonly bump: "patch" | "minor" | "major" | "same" | "prerelease" | "other";
      readonly other: string;
      readonly from: number;
      readonly merged: number | undefined;
      /** What becomes of the surface that it is made from. */
      readonly change: "none" | "narrow" | "widen" | "add" | "remove";
      readonly parent: "honest" | "none" | "unlisted" | "lie" | "commit";
      readonly lie: string;
      readonly build: string | undefined;
      readonly isTagged: boolean;
      readonly isLightweight: boolean;
      /** How long ago the tag says that it was made; not at all: it says the truth. */
      readonly backdated: number | undefined;
      /** Whether git knows nothing of what it is made from. */
      readonly isOrphan: boolean;
    }
  | { readonly kind: "delete"; readonly which: number }
  | { readonly kind: "label"; readonly which: number; readonly asCommit: boolean }
  | { readonly kind: "sync" };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("release" as const),
      bump: fc.constantFrom(
        ...(["patch", "patch", "patch", "minor", "minor", "major", "same"] as const),
        "prerelease",
        "other",
      ),
      other: fc.constantFrom(...OTHERS),
      // Mostly what was made last.
      from: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(4) }),
      merged: fc.option(fc.nat(9), { nil: undefined, freq: 5 }),
      change: fc.constantFrom(...(["none", "none", "narrow", "widen", "add", "remove"] as const)),
      parent: fc.constantFrom(...(["honest", "honest", "honest", "none", "unlisted", "lie", "commit"] as const)),
      lie: fc.constantFrom(...OTHERS),
      build: fc.option(fc.constantFrom("warm", "cold"), { nil: undefined, freq: 6 }),
      isTagged: fc.constantFrom(true, true, true, false),
      isLightweight: fc.boolean(),
      backdated: fc.option(fc.nat(60), { nil: undefined, freq: 1 }),
      isOrphan: fc.constantFrom(true, false, false),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("label" as const), which: fc.nat(9), asCommit: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("sync" as const) }) },
);

interface World {
  readonly repository: MemoryRepository;
  /** What versions.yaml of a commit says, which the commits made from it go on with. */
  readonly histories: Map<string, ReadonlyMap<string, string | undefined>>;
  readonly made: string[];
}

/** `isServed`: whether a tag ever was, so that nobody sets it again. */
function play(world: World, step: Step, isServed: (tag: string) => boolean): void {
  const { repository, histories, made } = world;
  if (step.kind === "release") {
    const before = made[made.length - 1 - (step.from % Math.max(1, made.length))] ?? "";
    const known = histories.get(before) ?? new Map<string, string | undefined>();
    const last = repository.commits.get(before)?.version;
    const number = toNumber(step, last?.semver);
    const parents = {
      honest: last?.semver === number ? known.get(number) : last?.semver,
      none: undefined,
      unlisted: "0.0.9",
      lie: step.lie,
      commit: before || undefined,
    };
    const history = new Map([...known, [number, parents[step.parent]]]);
    if (hasCircle(history, number)) history.set(number, undefined);
    const other = step.merged === undefined ? undefined : made[step.merged % Math.max(1, made.length)];
    const surface = change(toSurface(last), step.change);
    const commit = repository.commit({
      semver: number,
      surface,
      parents: (step.isOrphan ? [] : [before, other]).filter((one) => one !== undefined && one !== "") as string[],
      history,
    });
    histories.set(commit, history);
    made.push(commit);
    const tag = `v${number}${step.build === undefined ? "" : `+${step.build}`}`;
    const { isLightweight, backdated } = step;
    const date = (repository.commits.get(commit)?.date ?? 0) - (backdated ?? 0) * 60_000;
    if (step.isTagged && !isServed(tag) && !isNamedAhead(world, number, isServed))
      repository.tag(tag, commit, { isLightweight, ...(backdated !== undefined && { date }) });
  } else if (step.kind === "delete") {
    const tags = [...repository.tags.keys()];
    repository.tags.delete(tags[step.which % Math.max(1, tags.length)] ?? "");
  } else if (step.kind === "label") {
    const commit = made[step.which % Math.max(1, made.length)];
    const version = commit && repository.commits.get(commit)?.version;
    if (version) repository.label({ stable: step.asCommit ? version.commit : version.semver });
  }
}

/**
 * Whether a tagged version says that it was made from a number that has no tag yet, and from nothing else that is served.
 * Once the number is tagged, that looks like a version with a forged date, and is judged as one.
 */
function isNamedAhead({ repository, histories }: World, number: string, isServed: (tag: string) => boolean): boolean {
  const { commits, tags } = repository;
  return [...tags.values()].some(({ commit }) => {
    const semver = commits.get(commit)?.version.semver ?? "";
    const named = listNamed(histories.get(commit) ?? new Map(), semver);
    const others = named.filter((name) => name !== number && isServed(`v${name}`) && tags.has(`v${name}`));
    return named.includes(number) && !others.some((name) => new SemVer(name).compare(semver) < 0);
  });
}

/** What versions.yaml says that a version was made from, nearest first. */
function listNamed(history: ReadonlyMap<string, string | undefined>, semver: string): readonly string[] {
  const named: string[] = [];
  for (let name = history.get(semver); name !== undefined; name = history.get(name)) named.push(name);
  return named;
}

function toNumber({ bump, other }: Step & { readonly kind: "release" }, last: string | undefined): string {
  if (last === undefined) return FIRST[other.length % FIRST.length] ?? other;
  if (bump === "same" || bump === "other") return bump === "same" ? last : other;
  const next = new SemVer(last);
  return bump === "prerelease" ? next.inc("preminor", "rc").version : next.inc(bump).version;
}

/** By tool the greatest length of its input. */
function toSurface(version: Version | undefined): Surface {
  const tools = [...(version?.tools.values() ?? [])];
  return Object.fromEntries(tools.map(({ name, input }) => [name.slice("runner.".length), toLength(input)]));
}

function toLength(schema: unknown): number {
  return Number(/"maxLength":(\d+)/.exec(JSON.stringify(schema))?.[1]);
}

function change(before: Surface, how: (Step & { readonly kind: "release" })["change"]): Surface {
  const { a = 10, ...others } = before;
  const [extra] = Object.keys(others);
  if (how === "narrow") return { ...others, a: Math.max(1, a - 5) };
  if (how === "widen") return { ...others, a: a + 5 };
  if (how === "add") return { ...others, a, [extra === "b" ? "c" : "b"]: 10 };
  return how === "remove" && extra !== undefined ? { a } : { ...others, a };
}

function hasCircle(history: ReadonlyMap<string, string | undefined>, from: string): boolean {
  const seen = new Set<string>();
  for (let name: string | undefined = from; name !== undefined; name = history.get(name)) {
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

/** Why a move breaks those who come from the first version; undefined when it does not. */
function findBreak(world: World, segment: string, from: string, to: string): string | undefined {
  const [before, after] = [from, to].map((commit) => world.repository.commits.get(commit)?.version);
  if (before === undefined || after === undefined) return undefined;
  const isLabel = segment === "stable";
  if (new SemVer(after.semver).compare(before.semver) < 0) return isLabel ? undefined : `${segment} goes back`;
  const claim = createClaim(before.semver, after.semver, compareVersions(before, after).required);
  if (claim.isKept || (isLabel && claim.required !== "major")) return undefined;
  return `${segment}: ${claim.from} -> ${claim.to} needs ${claim.required} and says ${claim.claimed}`;
}

async function answersOf(replica: MemoryReplica, segments: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const segment of segments) answers.set(segment, await replica.resolve(segment));
  return answers;
}

/**
 * Whether the label has said a commit, or a tag that was served, while such a tag is gone: where that was seen, the tag goes
 * on leading to its commits, as to its own name.
 */
function isLeftToReplica({ repository }: World, replica: MemoryReplica): boolean {
  const gone = [...replica.served.keys()].filter((tag) => !repository.tags.has(tag));
  const said = repository.labels.map(({ labels }) => labels.get("stable") ?? "");
  return said.some((says) => gone.some((tag) => repository.commits.has(says) || tag.slice(1).startsWith(says)));
}

/** Exact names mean what they mean to everybody; those that were served go on meaning that where it was seen. */
async function checkNames(world: World, replica: MemoryReplica, fresh: MemoryReplica): Promise<void> {
  for (const [tag, commit] of replica.served) expect([tag, await replica.resolve(tag.slice(1))]).toEqual([tag, commit]);
  // Only once something that was served is gone can what was measured against it be judged otherwise.
  const gone = [...replica.served.keys()].filter((tag) => !world.repository.tags.has(tag));
  const isSeen = (name: string) =>
    [...replica.served.keys()].some((tag) => tag === `v${name}` || tag.startsWith(`v${name}+`));
  const numbers = world.made.flatMap((commit) => world.repository.commits.get(commit)?.version.semver ?? []);
  const names = numbers.flatMap((name) => [name, `${name}+warm`, `${name}+cold`]);
  const others = gone.length === 0 ? names : names.filter((name) => !isSeen(name));
  expect(await answersOf(replica, others)).toEqual(await answersOf(fresh, others));
}

describe("[V10] addresses that move", () => {
  test("never move to what breaks what they meant, and mean the same to every replica", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 14 }), async (all) => {
        const world: World = { repository: createMemoryRepository(), histories: new Map(), made: [] };
        const early = createMemoryReplica(world.repository);
        const late = createMemoryReplica(world.repository);
        const moving = [...ALL_RANGES, "stable"];
        const replicas = new Map<MemoryReplica, ReadonlyMap<string, string>>();
        const follow = async (replica: MemoryReplica) => {
          const before = replicas.get(replica) ?? new Map<string, string>();
          const stood = replica.index().versions.filter(({ deleted, wasServed }) => wasServed && !deleted);
          await replica.sync();
          const after = await answersOf(replica, moving);
          replicas.set(replica, after);
          // Whoever takes back what was served decides for those who had it.
          if (stood.some(({ tag }) => !world.repository.tags.has(tag))) return;
          // A label may come by way of a rollback, which is two moves.
          for (const segment of replica === early ? moving : ALL_RANGES) {
            const [from = "", to = ""] = [before.get(segment), after.get(segment)];
            expect(from === to ? undefined : findBreak(world, segment, from, to)).toBeUndefined();
          }
        };
        for (const one of all) {
          play(world, one, (tag) => early.served.has(tag));
          if (one.kind === "sync") await follow(late);
          await follow(early);
        }
        await follow(late);
        const fresh = createMemoryReplica(world.repository);
        await fresh.sync();
        for (const replica of [early, late]) {
          const alike = isLeftToReplica(world, replica) ? ALL_RANGES : moving;
          expect(await answersOf(replica, alike)).toEqual(await answersOf(fresh, alike));
          await checkNames(world, replica, fresh);
        }
      }),
      { numRuns: RUNS },
    );
  }, 3_600_000);
});
