import { isDeepStrictEqual } from "node:util";
import type { DeclaredLabels, Labels, SaidLabels } from "../mirror/labels.ts";
import type { Problem } from "../problem.ts";
import type { Candidate, Judgement } from "./claims.ts";
import { type Selection, selectAlike, selectTarget } from "./select.ts";
import type { TaggedVersion, VersionIndex } from "./version-index.ts";

export interface FollowedLabels {
  /** What they mean: what they say, but for those that stay where they were. */
  readonly labels: DeclaredLabels;
  /** Why these stay. */
  readonly problems: readonly Problem[];
}

export interface LabelContext {
  readonly index: VersionIndex;
  /** Whether ranges may go to a version. */
  readonly isServed: (version: TaggedVersion) => Promise<boolean>;
  /** The one commit that begins so. */
  readonly findCommit: (prefix: string) => Promise<string | undefined>;
  /** What is wrong with the number of the second commit for those who come from the first. */
  readonly judgeMove: (from: string, to: string) => Promise<readonly Problem[]>;
}

/** What labels mean among the versions there are. */
export interface MovedLabels {
  /** Why some do not mean what they say. */
  readonly problems: readonly Problem[];
  /** An index with what labels mean among its versions; the same one where nothing is different. */
  update(index: VersionIndex): Promise<VersionIndex>;
  /** A judgement, with why labels would not go where the candidate says. */
  judge(index: VersionIndex, candidate: Candidate, judgement: Judgement): Promise<Judgement>;
}

export function createMovedLabels(
  labels: Labels,
  given: Pick<LabelContext, "isServed" | "judgeMove"> & {
    readonly findCommits: (index: VersionIndex, prefix: string) => Promise<readonly string[]>;
  },
): MovedLabels {
  let problems: readonly Problem[] = [];

  async function follow(index: VersionIndex, next: readonly SaidLabels[]): Promise<FollowedLabels> {
    const findCommit = async (prefix: string) => {
      const [commit, ...others] = await given.findCommits(index, prefix);
      return others.length === 0 ? commit : undefined;
    };
    return followLabels([...(await labels.loadPast()), ...next], { ...given, index, findCommit });
  }

  return {
    get problems() {
      return problems;
    },
    async update(index) {
      const followed = await follow(index, []);
      ({ problems } = followed);
      return isDeepStrictEqual(followed.labels, index.labels)
        ? index
        : Object.freeze({ ...index, labels: followed.labels });
    },
    async judge(index, { version, build }, judgement) {
      // Labels are what the default branch says.
      if (build !== undefined) return judgement;
      const { problems: faults } = await follow(index, [{ labels: version.history.labels, at: Infinity }]);
      return faults.length === 0 ? judgement : { ...judgement, problems: [...judgement.problems, ...faults] };
    },
  };
}

/**
 * Follows labels through what versions.yaml has said of them, oldest first, as far as it is known. A label goes where it is
 * moved to, up or down, unless that breaks what it meant before and the number does not say so: then it stays. One that is
 * moved to what is not served means that all the same, so whoever asks is refused; those who had it before still count.
 */
export async function followLabels(said: readonly SaidLabels[], context: LabelContext): Promise<FollowedLabels> {
  const labels = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [label, says] of said.at(-1)?.labels ?? []) {
    const { target, faults } = await followOne(toMoves(label, said), context);
    labels.set(label, target);
    problems.push(...faults.map((fault) => explain(fault, label, says, target)));
  }
  return { labels, problems };
}

/** What was said of one label, and until when. */
interface Move {
  readonly target: string;
  readonly until: number;
}

function toMoves(label: string, said: readonly SaidLabels[]): readonly Move[] {
  const moves = said.flatMap(({ labels, at }) => {
    const target = labels.get(label);
    return target === undefined ? [] : [{ target, at }];
  });
  const changes = moves.filter(({ target }, index) => target !== moves[index - 1]?.target);
  return changes.map(({ target }, index) => ({ target, until: changes[index + 1]?.at ?? Infinity }));
}

/** What one label means after all that was said of it. */
async function followOne(moves: readonly Move[], context: LabelContext) {
  let target = "";
  let faults: readonly Problem[] = [];
  let meant: { readonly target: string; readonly commit: string } | undefined;
  for (const { said, selection } of moves.flatMap((move) => listMeanings(move, context.index))) {
    const commit = await findServed(selection, context);
    faults = meant === undefined || commit === undefined ? [] : await context.judgeMove(meant.commit, commit);
    target = faults.length > 0 && meant !== undefined ? meant.target : said;
    const name = selection.kind === "version" ? selection.version.name : said;
    if (commit !== undefined && faults.length === 0) meant = { target: name, commit };
  }
  return { target, faults };
}

/**
 * What a label meant one after the other while it said one thing: a semver means the tag with a build name that alone has it,
 * until a plain one comes. A tag that came when the label said something else was not there for its callers.
 */
function listMeanings({ target, until }: Move, index: VersionIndex) {
  const now = { said: target, selection: selectTarget(index, target) };
  if (now.selection.kind === "commit") return [now];
  const same = index.bySemver.get(target)?.filter(({ deleted, createdAt }) => !deleted && createdAt <= until) ?? [];
  const inTime = same.toSorted((a, b) => a.createdAt - b.createdAt);
  const meanings = inTime.map((_version, at) => ({ said: target, selection: selectAlike(inTime.slice(0, at + 1)) }));
  return meanings.length === 0 ? [{ ...now, selection: NOTHING }] : meanings;
}

const NOTHING: Selection = { kind: "nothing", reason: "" };

/** The commit that callers of a label reach. */
async function findServed(selection: Selection, { isServed, findCommit }: LabelContext): Promise<string | undefined> {
  if (selection.kind === "commit") return findCommit(selection.prefix);
  if (selection.kind !== "version") return undefined;
  return (await isServed(selection.version)) ? selection.version.commit : undefined;
}

function explain(fault: Problem, label: string, says: string, stays: string): Problem {
  const message = `The label \`${label}\` says \`${says}\` and stays at \`${stays}\`, because moving it would break its users: ${fault.message}`;
  const fix = "Release what it is to mean under a number that says so, and move the label there.";
  return fault.rule === "under-claimed" ? { ...fault, rule: "label-breaks", message, fix } : fault;
}
