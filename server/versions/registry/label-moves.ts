import { isDeepStrictEqual } from "node:util";
import { type DeclaredLabels, type Labels, LABELS_FILE, type SaidLabels } from "../mirror/labels.ts";
import type { Problem } from "../problem.ts";
import type { Candidate, Judgement } from "./judge/claims.ts";
import { type Selection, selectAlike, selectTarget } from "./resolve/select.ts";
import { isKnownDeleted, type TaggedVersion, type VersionIndex } from "./version-index.ts";

export interface FollowedLabels {
  /** Meanings of the labels: as declared, except for those that stay where they were. */
  readonly labels: DeclaredLabels;
  /** Reasons why these stay. */
  readonly problems: readonly Problem[];
}

export interface LabelContext {
  readonly index: VersionIndex;
  /** Checks that ranges may go to a version. */
  readonly isServed: (version: TaggedVersion) => Promise<boolean>;
  /** The one commit that begins so. */
  readonly findCommit: (prefix: string) => Promise<string | undefined>;
  /** Checks that a served tag leads to a commit; absent: every commit counts as led to. */
  readonly isLedTo?: (commit: string) => Promise<boolean>;
  /** Lists problems of the second commit's number for callers who move from the first. */
  readonly judgeMove: (from: string, to: string) => Promise<readonly Problem[]>;
}

/** Meanings of labels among the existing versions. */
export interface MovedLabels {
  /** Reasons why some differ from their declaration. */
  readonly problems: readonly Problem[];
  /** An index with what labels mean among its versions; the same one where nothing is different. */
  update(index: VersionIndex): Promise<VersionIndex>;
  /** A judgement, with why labels would not go where the candidate says. */
  judge(index: VersionIndex, candidate: Candidate, judgement: Judgement): Promise<Judgement>;
}

export function createMovedLabels(
  labels: Labels,
  given: Pick<LabelContext, "isServed" | "isLedTo" | "judgeMove"> & {
    readonly findCommits: (index: VersionIndex, prefix: string) => Promise<readonly string[]>;
  },
): MovedLabels {
  let problems: readonly Problem[] = [];

  function toContext(index: VersionIndex): LabelContext {
    const findCommit = async (prefix: string) => {
      const [commit, ...others] = await given.findCommits(index, prefix);
      return others.length === 0 ? commit : undefined;
    };
    return { ...given, index, findCommit };
  }

  return {
    get problems() {
      return problems;
    },
    async update(index) {
      const followed = await followLabels(await labels.loadPast(), toContext(index));
      ({ problems } = followed);
      return isDeepStrictEqual(followed.labels, index.labels)
        ? index
        : Object.freeze({ ...index, labels: followed.labels });
    },
    async judge(index, { version, build }, judgement) {
      // Labels are what the default branch says.
      if (build !== undefined) return judgement;
      const faults = await judgeLabels(await labels.loadPast(), version, toContext(index));
      return faults.length === 0 ? judgement : { ...judgement, problems: [...judgement.problems, ...faults] };
    },
  };
}

/**
 * Lists reasons why labels would not mean what a candidate declares. Existing problems of the labels are not the
 * candidate's fault.
 */
export async function judgeLabels(
  past: readonly SaidLabels[],
  version: Candidate["version"],
  context: LabelContext,
): Promise<readonly Problem[]> {
  const { problems } = await followLabels([...past, sayLabels(context.index, version)], context);
  if (problems.length === 0) return [];
  const before = await followLabels(past, context);
  return problems.filter((problem) => !before.problems.some((known) => isDeepStrictEqual(known, problem)));
}

/**
 * Returns the labels that a candidate declares. A label with the candidate's own number is left out while another commit
 * has the tag: it will mean the candidate once that is tagged, and not the commit to be replaced.
 */
export function sayLabels(index: VersionIndex, { semver, commit, history }: Candidate["version"]): SaidLabels {
  const isOther = index.byName.has(semver) && index.byName.get(semver)?.commit !== commit;
  const labels = [...history.labels].filter(([, target]) => !isOther || target !== semver);
  return { labels: new Map(labels), at: Infinity };
}

/**
 * Follows labels through what versions.yaml has said of them, oldest first, as far as it is known. A label goes where it is
 * moved to, up or down, unless that is not there, is quarantined, or breaks what it meant before and the number does not say
 * so: then it stays. One that never meant anything served means what it says all the same, so its callers are refused.
 */
export async function followLabels(said: readonly SaidLabels[], context: LabelContext): Promise<FollowedLabels> {
  const labels = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [label, says] of said.at(-1)?.labels ?? []) {
    const { target, faults } = await followOne(toMoves(label, said), context);
    labels.set(label, target);
    problems.push(...faults.map((fault) => explain(fault, label, says, target)));
    problems.push(...findDeleted(label, target, context.index));
  }
  return { labels, problems };
}

/** Finds that the tag which a label means was deleted upstream, unless that is known. */
function findDeleted(label: string, target: string, index: VersionIndex): readonly Problem[] {
  const selection = selectTarget(index, target);
  if (selection.kind !== "version" || !selection.version.deleted) return [];
  if (isKnownDeleted(index, selection.version)) return [];
  const message = `The label \`${label}\` stands for \`${target}\`, whose tag was deleted upstream; it goes on from the copy.`;
  const fix = "Push the tag again, move the label, or write under `tag` of the version that it was deleted.";
  return [{ file: LABELS_FILE, line: 1, column: 1, rule: "history-reference", message, fix }];
}

/** Declaration of one label, with the end of its time. */
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

/** Follows the declarations of one label to its meaning. */
async function followOne(moves: readonly Move[], context: LabelContext) {
  let target = "";
  let faults: readonly Problem[] = [];
  let meant: { readonly target: string; readonly commit: string } | undefined;
  for (const { said, selection } of moves.flatMap((move) => listMeanings(move, context.index))) {
    const name = selection.kind === "version" ? selection.version.name : said;
    const { commit, isRefused } = await findReached(selection, context);
    faults = meant === undefined || commit === undefined ? [] : await context.judgeMove(meant.commit, commit);
    if (isRefused && meant !== undefined && faults.length === 0) faults = [refuse(name)];
    // What is not there is told of already; until it comes, callers go on with what worked last.
    target = meant !== undefined && (faults.length > 0 || commit === undefined) ? meant.target : said;
    if (commit !== undefined && !isRefused && faults.length === 0) meant = { target: name, commit };
  }
  return { target, faults };
}

/**
 * Lists the successive meanings of a label under one declaration: a semver means the only tag with a build name, until a
 * plain one comes. A tag that came after the declaration changed was not there for its callers.
 */
function listMeanings({ target, until }: Move, index: VersionIndex) {
  const now = { said: target, selection: selectTarget(index, target) };
  if (now.selection.kind === "commit") return [now];
  const same = index.bySemver.get(target)?.filter(({ deleted, wasServed }) => !deleted || wasServed) ?? [];
  const standing = same.filter(({ deleted }) => !deleted);
  const known = (standing.length === 0 ? same : standing).filter(({ createdAt }) => createdAt <= until);
  const inTime = known.toSorted((a, b) => a.createdAt - b.createdAt);
  const meanings = inTime.map((_version, at) => ({ said: target, selection: selectAlike(inTime.slice(0, at + 1)) }));
  return meanings.length === 0 ? [{ ...now, selection: NOTHING }] : meanings;
}

const NOTHING: Selection = { kind: "nothing", reason: "" };

/** The commit that callers of a label would reach, and whether they would be refused there because it is quarantined, or no served tag leads there. */
async function findReached(
  selection: Selection,
  { isServed, isLedTo, findCommit }: LabelContext,
): Promise<{ readonly commit?: string | undefined; readonly isRefused: boolean }> {
  if (selection.kind === "commit") {
    const commit = await findCommit(selection.prefix);
    return { commit, isRefused: commit !== undefined && isLedTo !== undefined && !(await isLedTo(commit)) };
  }
  if (selection.kind !== "version") return { isRefused: false };
  return { commit: selection.version.commit, isRefused: !(await isServed(selection.version)) };
}

function refuse(name: string): Problem {
  const fix = "Move the label to a version that is served.";
  return { file: LABELS_FILE, line: 1, column: 1, rule: "label-quarantined", message: `${name} is not served.`, fix };
}

function explain(fault: Problem, label: string, says: string, stays: string): Problem {
  const what = `The label \`${label}\` says \`${says}\` and stays at \`${stays}\``;
  if (fault.rule === "label-quarantined") return { ...fault, message: `${what}, because ${fault.message}` };
  const message = `${what}, because moving it would break its users: ${fault.message}`;
  const fix = "Release what it is to mean under a number that says so, and move the label there.";
  return fault.rule === "under-claimed" ? { ...fault, rule: "label-breaks", message, fix } : fault;
}
