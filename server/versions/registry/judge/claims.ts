import type { Problem } from "../../problem.ts";
import type { Readable } from "../../read-text-of.ts";
import { readVersionName } from "../../version-name.ts";
import type { Version } from "../../version.ts";
import { type Base, listParents } from "./bases.ts";
import { type ComparerOptions, createComparer, type Subject } from "./compare-bases.ts";
import { createMeasure, findSpokesman, type MeasureOptions, toProblems } from "./measure.ts";
import { isQuarantined, type TaggedVersion, toRecord, type VersionIndex } from "../version-index.ts";
import type { Verdict, Verdicts } from "../verdicts.ts";

/** A version whose commit may have no tag; `build` is what its tag has, or would have, behind a `+`. */
export interface Candidate extends Readable {
  readonly build?: string | undefined;
}

/** What becomes of a candidate if its commit is tagged with its number now. */
export interface Judgement {
  /** Why it would not be served under its number; empty when it would. */
  readonly problems: readonly Problem[];
  /** What it was measured against; nothing: it is the first. */
  readonly bases: readonly Base[];
  /** Names of those of them that were taken for served, because too many versions are below to look at all. */
  readonly presumed: readonly string[];
}

/** Finds out whether versions are numbered as their content needs. */
export interface Claims {
  /** Draws the conclusions from an index that is new, before anyone asks; or all of them anew. */
  measure(): void;
  /**
   * Compares the version of a tagged commit with those that it is measured against, once. Before that it does the same for
   * them, and for theirs, `lookBack` versions deep: those beyond are taken for served, and it stays unproven until they
   * are looked at. Never rejects: what cannot be compared now stays unproven.
   */
  prove(commit: string, lookBack?: number): Promise<void>;
  /** Rejects when a version that the candidate has to be compared with cannot be read at the moment. */
  judge(candidate: Candidate): Promise<Judgement>;
  /** What a version would be measured against, without comparing it. Rejects as `judge` does. */
  findBases(version: Version, build: string | undefined): Promise<readonly Base[]>;
  /** What is wrong with the number of one commit's version for a label that comes from another's: see `Scope`. */
  judgeMove(from: string, to: string): Promise<readonly Problem[]>;
  /** Whether ranges may go to a version; rejects when it cannot be read at the moment. */
  isServed(version: TaggedVersion): Promise<boolean>;
}

export interface ClaimsOptions extends MeasureOptions, Omit<ComparerOptions, "measure"> {
  /** How many versions below the one that is asked for are looked at before it is answered. */
  readonly lookBack?: number;
  readonly onError: (error: unknown) => void;
}

/** Enough for a service that starts without its data to know all of a repository of that size before it answers. */
const LOOK_BACK = 32;

/** Whether nobody has measured a version's number yet. */
export function isUnproven(verdict: Verdict | undefined): boolean {
  return verdict?.ok === true && verdict.claim === undefined;
}

/**
 * Commits of tagged versions that nobody has looked at or measured: in the first round (0) the newest first, in further ones
 * first what the others rest on.
 */
export function listUnverified(
  { versions }: VersionIndex,
  verdicts: Pick<Verdicts, "get">,
  round: number,
): readonly string[] {
  const unverified = versions.filter(({ commit, notACommit }) => {
    const verdict = verdicts.get(commit);
    return notACommit === undefined && (verdict === undefined || isUnproven(verdict));
  });
  const sorted = round === 0 ? unverified.toSorted((a, b) => b.createdAt - a.createdAt) : unverified.toReversed();
  return sorted.map(({ commit }) => commit);
}

export function createClaims(options: ClaimsOptions): Claims {
  const { index, cache, verdicts, lookBack: usual = LOOK_BACK } = options;
  const measure = createMeasure(options);
  const comparer = createComparer({ ...options, measure });
  const isHeldBy = (holder: TaggedVersion | undefined, commit: string) => holder?.commit === commit && !holder.deleted;

  function nameOf({ semver }: Version, build: string | undefined): string {
    return build === undefined ? semver : `${semver}+${build}`;
  }

  /** The version that has a number now, after a look at it. */
  async function findHolder(name: string): Promise<TaggedVersion | undefined> {
    const holder = index().byName.get(name);
    if (holder !== undefined) await comparer.settle(holder, usual);
    return holder;
  }

  /** A number that was served stands for what it was served with. */
  function toBase(holder: TaggedVersion | undefined): Base | undefined {
    if (holder === undefined) return undefined;
    if (!holder.wasServed && isQuarantined(holder, verdicts.get(holder.commit))) return undefined;
    return { version: holder, scope: "all", because: "its number is served there, and a tag never moves" };
  }

  function toSubject(version: Version, build: string | undefined, holder: TaggedVersion | undefined): Subject {
    const name = readVersionName(nameOf(version, build));
    if (name === undefined) throw new TypeError(`\`${nameOf(version, build)}\` is no version.`);
    const compared = new Map<string, readonly Problem[]>();
    return {
      measured: { ...name, commit: version.commit, releasedAt: Infinity },
      parents: listParents(version),
      more: toBase(holder),
      compared: (key) => compared.get(key),
      keep: (key, problems) => compared.set(key, problems),
      load: async () => undefined,
    };
  }

  function toJudgement(bases: readonly Base[], problems: readonly Problem[]): Judgement {
    const presumed = bases.flatMap(({ version }) => (measure.isSettled(version) ? [] : [version.name]));
    return Object.freeze({ problems, bases, presumed });
  }

  return Object.freeze<Claims>({
    measure: measure.all,
    async prove(commit, lookBack = usual) {
      const verdict = verdicts.get(commit);
      const version = verdict?.ok === true ? findSpokesman(index(), commit, verdict.semver) : undefined;
      if (version === undefined || !isUnproven(verdict)) return;
      await comparer.settle(version, lookBack).catch(options.onError);
    },
    async judge(candidate) {
      const { version, build } = candidate;
      const holder = await findHolder(nameOf(version, build));
      const own = isHeldBy(holder, version.commit) ? comparer.toSubject(version.commit) : undefined;
      if (holder !== undefined && own !== undefined) {
        const { problems } = toRecord(index(), holder, verdicts.get(holder.commit));
        return toJudgement(await comparer.settleBases(own, 0), problems);
      }
      const subject = { ...toSubject(version, build, holder), load: async () => candidate };
      const bases = await comparer.compareAll(subject, usual);
      return toJudgement(bases, toProblems(bases, subject.compared));
    },
    async findBases(version, build) {
      const holder = await findHolder(nameOf(version, build));
      return comparer.settleBases(toSubject(version, build, holder), usual);
    },
    async judgeMove(from, to) {
      const verdict = await cache.verify(to);
      const key = `label:${from}`;
      const known = from === to || !verdict.ok ? [] : verdict.compared?.[key];
      if (known !== undefined) return known;
      const [older, newer] = await Promise.all([comparer.load(from), comparer.load(to)]);
      if (older === undefined || newer === undefined) return [];
      const problems = await options.judge(older, newer, "label");
      comparer.toSubject(to)?.keep(key, problems);
      return problems;
    },
    async isServed(version) {
      await comparer.settle(version, usual);
      return !isQuarantined(version, verdicts.get(version.commit));
    },
  });
}
