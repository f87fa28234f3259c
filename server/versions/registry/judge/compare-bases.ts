import type { TreeResult } from "../../git/tree-walk.ts";
import type { Problem } from "../../problem.ts";
import { type Readable, readTextOf } from "../../read-text-of.ts";
import type { Base, Measured, Scope } from "./bases.ts";
import { findSpokesman, keyOf, type Measure } from "./measure.ts";
import type { VersionCache } from "../version-cache.ts";
import type { TaggedVersion, VersionIndex } from "../version-index.ts";
import type { Verdicts } from "../verdicts.ts";

/** What is wrong with the numbers of `after`, measured against `before`; `[]` when nothing is. */
export type JudgeClaim = (before: Readable, after: Readable, scope: Scope) => Promise<readonly Problem[]>;

/** What is compared with its bases: a tagged version, or one that may be tagged. */
export interface Subject {
  readonly measured: Measured;
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
  /** What is measured against the version of a tagged commit; undefined where the commit makes none. */
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
  /** Whether one commit is in the history of another. */
  readonly isAncestor: (older: string, newer: string) => Promise<boolean>;
  readonly judge: JudgeClaim;
}

export function createComparer(options: ComparerOptions): Comparer {
  const { index, cache, verdicts, measure } = options;
  const running = new Map<string, Promise<boolean>>();

  function listBases({ measured, parents, more }: Subject) {
    const found = measure.findBases(measured, parents);
    return { ...found, bases: more === undefined ? found.bases : [more, ...found.bases] };
  }

  async function settleBases(subject: Subject, lookBack: number, visited: Set<string>): Promise<readonly Base[]> {
    for (;;) {
      const { bases, unknown } = listBases(subject);
      const open = bases.find(({ version }) => !visited.has(version.name) && !measure.isSettled(version));
      if (unknown !== undefined) {
        const { older, newer } = unknown;
        measure.learn(older, newer, await options.isAncestor(older, newer));
      } else if (open !== undefined && lookBack > 0) {
        await settle(open.version, lookBack - 1, visited);
      } else {
        return bases;
      }
    }
  }

  /** Until nothing is left to compare with, or something cannot be read. */
  async function compareAll(subject: Subject, lookBack: number, visited: Set<string>): Promise<readonly Base[]> {
    for (;;) {
      const bases = await settleBases(subject, lookBack, visited);
      const missing = bases.find((base) => subject.compared(keyOf(base)) === undefined);
      if (missing === undefined || !(await compareOnce(subject, missing))) return bases;
    }
  }

  async function settle({ name, commit }: TaggedVersion, lookBack: number, visited: Set<string>): Promise<void> {
    visited.add(name);
    await cache.verify(commit);
    const subject = toSubject(commit);
    if (subject !== undefined) await compareAll(subject, lookBack, visited);
    measure.one(commit);
  }

  function toSubject(commit: string): Subject | undefined {
    const verdict = verdicts.get(commit);
    const measured = verdict?.ok === true ? findSpokesman(index(), commit, verdict.semver) : undefined;
    if (verdict?.ok !== true || measured === undefined) return undefined;
    const find = () => {
      const now = verdicts.get(commit);
      return now?.ok === true ? now : verdict;
    };
    return {
      measured,
      parents: verdict.parents ?? [],
      compared: (key) => find().compared?.[key],
      keep: (key, problems) => verdicts.set(commit, { ...find(), compared: { ...find().compared, [key]: problems } }),
      load: () => load(commit),
    };
  }

  /** Whether there is news: what came of it, or that the other one is broken. */
  function compareOnce(subject: Subject, base: Base): Promise<boolean> {
    const name = `${subject.measured.commit} ${keyOf(base)}`;
    const known = running.get(name);
    if (known !== undefined) return known;
    const started = compare(subject, base).finally(() => running.delete(name));
    running.set(name, started);
    return started;
  }

  async function compare(subject: Subject, { version, ...base }: Base): Promise<boolean> {
    const [older, newer] = await Promise.all([load(version.commit), subject.load()]);
    if (older === undefined || newer === undefined) return verdicts.get(version.commit)?.ok === false;
    subject.keep(keyOf({ version, ...base }), await options.judge(older, newer, base.scope));
    return true;
  }

  async function load(commit: string): Promise<Readable | undefined> {
    const [loaded, read] = await Promise.all([cache.look(commit), options.readTree(commit)]);
    if (!loaded.ok || !read.ok) return undefined;
    return { version: loaded.version, readText: (file) => readTextOf(read.tree, file) };
  }

  return Object.freeze<Comparer>({
    toSubject,
    settle: (version, lookBack) => settle(version, lookBack, new Set()),
    settleBases: (subject, lookBack) => settleBases(subject, lookBack, new Set()),
    compareAll: (subject, lookBack) => compareAll(subject, lookBack, new Set()),
    load,
  });
}
