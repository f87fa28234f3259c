import type { Problem } from "../../problem.ts";
import type { Readable } from "../../read-text-of.ts";
import { readVersionName } from "../../version-name.ts";
import type { Version } from "../../version.ts";
import { type Base, listParents } from "./bases.ts";
import { type Comparer, type ComparerOptions, createComparer, type Subject } from "./compare-bases.ts";
import { createMeasure, findSpokesman, type Measure, type MeasureOptions, toProblems } from "./measure.ts";
import { isQuarantined, type TaggedVersion, toRecord, type VersionIndex } from "../version-index.ts";
import type { Verdict, Verdicts } from "../verdicts.ts";

/** A version whose commit may have no tag; `build` is what its tag has, or would have, behind a `+`. */
export interface Candidate extends Readable {
  readonly build?: string | undefined;
}

/** The fate of a candidate if its commit is tagged with its number now. */
export interface Judgement {
  /** Problems for which it would not be served under its number; empty when it would. */
  readonly problems: readonly Problem[];
  /** The versions that it was measured against; none: it is the first. */
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
  /** Finds what a version would be measured against, without comparing it. Rejects as `judge` does. */
  findBases(version: Version, build: string | undefined): Promise<readonly Base[]>;
  /** Finds what is wrong with the number of one commit's version for a label that comes from another's: see `Scope`. */
  judgeMove(from: string, to: string): Promise<readonly Problem[]>;
  /** Says whether ranges may go to a version; rejects when it cannot be read at the moment. */
  isServed(version: TaggedVersion): Promise<boolean>;
}

export interface ClaimsOptions extends MeasureOptions, Omit<ComparerOptions, "measure"> {
  /** Number of versions below the requested one that are inspected before the answer. */
  readonly lookBack?: number;
  readonly onError: (error: unknown) => void;
}

/** Enough for a service that starts without its data to know all of a repository of that size before it answers. */
const LOOK_BACK = 32;

/** Says whether nobody has measured a version's number yet. */
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

/** The parts of claims. */
interface Parts {
  readonly options: ClaimsOptions;
  readonly lookBack: number;
  readonly measure: Measure;
  readonly comparer: Comparer;
}

export function createClaims(options: ClaimsOptions): Claims {
  const { index, verdicts, lookBack: usual = LOOK_BACK } = options;
  const measure = createMeasure(options);
  const comparer = createComparer({ ...options, measure });
  const parts: Parts = { options, lookBack: usual, measure, comparer };
  return Object.freeze<Claims>({
    measure: measure.all,
    async prove(commit, lookBack = usual) {
      const verdict = verdicts.get(commit);
      const version = verdict?.ok === true ? findSpokesman(index(), commit, verdict.semver) : undefined;
      if (version === undefined || !isUnproven(verdict)) return;
      await comparer.settle(version, lookBack).catch(options.onError);
    },
    judge: (candidate) => judge(parts, candidate),
    async findBases(version, build) {
      const holder = await findHolder(parts, toName(version, build));
      return comparer.settleBases(toSubject(parts, version, build, holder), usual);
    },
    judgeMove: (from, to) => judgeMove(parts, from, to),
    async isServed(version) {
      await comparer.settle(version, usual);
      return !isQuarantined(version, verdicts.get(version.commit));
    },
  });
}

async function judge(parts: Parts, candidate: Candidate): Promise<Judgement> {
  const { options, comparer, lookBack } = parts;
  const { version, build } = candidate;
  const holder = await findHolder(parts, toName(version, build));
  const isHolder = holder?.commit === version.commit && !holder.deleted;
  const own = isHolder ? comparer.toSubject(version.commit) : undefined;
  if (holder !== undefined && own !== undefined) {
    const { problems } = toRecord(options.index(), holder, options.verdicts.get(holder.commit));
    return toJudgement(parts, await comparer.settleBases(own, 0), problems);
  }
  const subject = { ...toSubject(parts, version, build, holder), load: async () => candidate };
  const bases = await comparer.compareAll(subject, lookBack);
  const problems = [...toProblems(bases, subject.compared), ...findUnmeasured(version, bases)];
  return toJudgement(parts, bases, problems);
}

/** Finds breaks that are accepted next to versions which the number is not measured against, for example after its parent changed. */
function findUnmeasured({ semver, history }: Version, bases: readonly Base[]): readonly Problem[] {
  const measured = bases.map(({ version }) => version.semver);
  const accepted = (history.versions.get(semver)?.accepts ?? []).map(({ from }) => from);
  if (measured.length === 0) return [];
  return [...new Set(accepted)]
    .filter((from) => !measured.includes(from))
    .map((from) => {
      const message = `The version ${semver} accepts breaks next to ${from}, and is measured against ${measured.join(" and ")}.`;
      const fix = "Remove the entries under `accepts`, or write `from` with the version that they break.";
      return { file: "versions.yaml", line: 1, column: 1, rule: "accepted-stale", message, fix };
    });
}

async function judgeMove({ options, comparer }: Parts, from: string, to: string): Promise<readonly Problem[]> {
  const verdict = await options.cache.verify(to);
  const key = `label:${from}`;
  const known = from === to || !verdict.ok ? [] : verdict.compared?.[key];
  if (known !== undefined) return known;
  const [older, newer] = await Promise.all([comparer.load(from), comparer.load(to)]);
  if (older === undefined || newer === undefined) return [];
  const problems = await options.judge(older, newer, "label", true);
  comparer.toSubject(to)?.keep(key, problems);
  return problems;
}

function toName({ semver }: Version, build: string | undefined): string {
  return build === undefined ? semver : `${semver}+${build}`;
}

/** Finds the version that has a number now, after a look at it. */
async function findHolder({ options, comparer, lookBack }: Parts, name: string): Promise<TaggedVersion | undefined> {
  const holder = options.index().byName.get(name);
  if (holder !== undefined) await comparer.settle(holder, lookBack);
  return holder;
}

/** Makes a base of the version that a number was served with: the number stands for it. */
function toBase({ options }: Parts, holder: TaggedVersion | undefined): Base | undefined {
  if (holder === undefined) return undefined;
  if (!holder.wasServed && isQuarantined(holder, options.verdicts.get(holder.commit))) return undefined;
  return { version: holder, scope: "all", because: "its number is served there, and a tag never moves" };
}

function toSubject(
  parts: Parts,
  version: Version,
  build: string | undefined,
  holder: TaggedVersion | undefined,
): Subject {
  const name = readVersionName(toName(version, build));
  if (name === undefined) throw new TypeError(`\`${toName(version, build)}\` is no version.`);
  const compared = new Map<string, readonly Problem[]>();
  return {
    measured: { ...name, commit: version.commit, releasedAt: Infinity },
    isTagged: false,
    parents: listParents(version),
    more: toBase(parts, holder),
    compared: (key) => compared.get(key),
    keep: (key, problems) => compared.set(key, problems),
    load: async () => undefined,
  };
}

function toJudgement({ measure }: Parts, bases: readonly Base[], problems: readonly Problem[]): Judgement {
  const presumed = bases.flatMap(({ version }) => (measure.isSettled(version) ? [] : [version.name]));
  return Object.freeze({ problems, bases, presumed });
}
