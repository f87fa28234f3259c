import type { TreeResult } from "../../git/tree-walk.ts";
import type { Problem } from "../../problem.ts";
import { type Readable, readTextOf } from "../../read-text-of.ts";
import type { Base, Measured, Scope } from "./bases.ts";
import { findSpokesman, keyOf, type Measure } from "./measure.ts";
import type { VersionCache } from "../version-cache.ts";
import type { TaggedVersion, VersionIndex } from "../version-index.ts";
import type { Verdicts } from "../verdicts.ts";

/** Finds what is wrong with the numbers of `after`, measured against `before`; `[]` when nothing is. */
export type JudgeClaim = (
  before: Readable,
  after: Readable,
  scope: Scope,
  isTagged: boolean,
) => Promise<readonly Problem[]>;

/** A version that is compared with its bases: one that is tagged, or may be. */
export interface Subject {
  readonly measured: Measured;
  readonly isTagged: boolean;
  /** See `listParents`. */
  readonly parents: readonly string[];
  /** A base that does not follow from number and parents. */
  readonly more?: Base | undefined;
  readonly compared: (key: string) => readonly Problem[] | undefined;
  readonly keep: (key: string, problems: readonly Problem[]) => void;
  /** Undefined when it cannot be read at the moment. */
  readonly load: () => Promise<Readable | undefined>;
}

/** Compares versions with what they are measured against, each pair once. */
export interface Comparer {
  /** Makes a subject of the version of a tagged commit; undefined where the commit makes none. */
  toSubject(commit: string): Subject | undefined;
  /** Compares a tagged version, and first those that it rests on, `lookBack` deep. Rejects when one cannot be read now. */
  settle(version: TaggedVersion, lookBack: number): Promise<void>;
  /** Settles what a subject rests on, and returns it. */
  settleBases(subject: Subject, lookBack: number): Promise<readonly Base[]>;
  /** Compares a subject with all that it rests on. */
  compareAll(subject: Subject, lookBack: number): Promise<readonly Base[]>;
  /** A version with its files; undefined when it is broken or cannot be read at the moment. */
  load(commit: string): Promise<Readable | undefined>;
}

export interface ComparerOptions {
  readonly index: () => VersionIndex;
  readonly cache: VersionCache;
  readonly verdicts: Verdicts;
  readonly measure: Measure;
  readonly readTree: (commit: string) => Promise<TreeResult>;
  /** Says whether one commit is in the history of another. */
  readonly isAncestor: (older: string, newer: string) => Promise<boolean>;
  readonly judge: JudgeClaim;
}

interface Context extends ComparerOptions {
  /** Comparisons under way, by the names of both. */
  readonly running: Map<string, Promise<boolean>>;
}

export function createComparer(options: ComparerOptions): Comparer {
  const context: Context = { ...options, running: new Map() };
  return Object.freeze<Comparer>({
    toSubject: (commit) => toSubject(context, commit),
    settle: (version, lookBack) => settle(context, version, lookBack, new Set()),
    settleBases: (subject, lookBack) => settleBases(context, subject, lookBack, new Set()),
    compareAll: (subject, lookBack) => compareAll(context, subject, lookBack, new Set()),
    load: (commit) => load(context, commit),
  });
}

function listBases(context: Context, { measured, parents, more }: Subject) {
  const found = context.measure.findBases(measured, parents);
  return { ...found, bases: more === undefined ? found.bases : [more, ...found.bases] };
}

async function settleBases(
  context: Context,
  subject: Subject,
  lookBack: number,
  visited: Set<string>,
): Promise<readonly Base[]> {
  for (;;) {
    const { bases, unknown } = listBases(context, subject);
    const open = bases.find(({ version }) => !visited.has(version.name) && !context.measure.isSettled(version));
    if (unknown !== undefined) {
      const { older, newer } = unknown;
      context.measure.learn(older, newer, await context.isAncestor(older, newer));
    } else if (open !== undefined && lookBack > 0) {
      await settle(context, open.version, lookBack - 1, visited);
    } else {
      return bases;
    }
  }
}

/** Compares until nothing is left to compare with, or something cannot be read. */
async function compareAll(
  context: Context,
  subject: Subject,
  lookBack: number,
  visited: Set<string>,
): Promise<readonly Base[]> {
  for (;;) {
    const bases = await settleBases(context, subject, lookBack, visited);
    const missing = bases.find((base) => subject.compared(keyOf(base)) === undefined);
    if (missing === undefined || !(await compareOnce(context, subject, missing))) return bases;
  }
}

async function settle(
  context: Context,
  { name, commit }: TaggedVersion,
  lookBack: number,
  visited: Set<string>,
): Promise<void> {
  visited.add(name);
  await context.cache.verify(commit);
  const subject = toSubject(context, commit);
  if (subject !== undefined) await compareAll(context, subject, lookBack, visited);
  context.measure.one(commit);
}

function toSubject(context: Context, commit: string): Subject | undefined {
  const verdict = context.verdicts.get(commit);
  const measured = verdict?.ok === true ? findSpokesman(context.index(), commit, verdict.semver) : undefined;
  if (verdict?.ok !== true || measured === undefined) return undefined;
  const find = () => {
    const now = context.verdicts.get(commit);
    return now?.ok === true ? now : verdict;
  };
  return {
    measured,
    isTagged: true,
    parents: verdict.parents ?? [],
    compared: (key) => find().compared?.[key],
    keep: (key, problems) =>
      context.verdicts.set(commit, { ...find(), compared: { ...find().compared, [key]: problems } }),
    load: () => load(context, commit),
  };
}

/** Resolves to whether there is news: what came of it, or that the other one is broken. */
function compareOnce(context: Context, subject: Subject, base: Base): Promise<boolean> {
  const name = `${subject.measured.commit} ${keyOf(base)}`;
  const known = context.running.get(name);
  if (known !== undefined) return known;
  const started = compare(context, subject, base).finally(() => context.running.delete(name));
  context.running.set(name, started);
  return started;
}

async function compare(context: Context, subject: Subject, { version, ...base }: Base): Promise<boolean> {
  const [older, newer] = await Promise.all([load(context, version.commit), subject.load()]);
  if (older === undefined || newer === undefined) return context.verdicts.get(version.commit)?.ok === false;
  subject.keep(keyOf({ version, ...base }), await context.judge(older, newer, base.scope, subject.isTagged));
  return true;
}

async function load(context: Context, commit: string): Promise<Readable | undefined> {
  const [loaded, read] = await Promise.all([context.cache.look(commit), context.readTree(commit)]);
  if (!loaded.ok || !read.ok) return undefined;
  return { version: loaded.version, readText: (file) => readTextOf(read.tree, file) };
}
