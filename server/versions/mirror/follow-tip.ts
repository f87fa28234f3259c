import type { Problem } from "../problem.ts";
import type { Mirror } from "./mirror.ts";
import { DEFAULT_BRANCH_REF, type LocalRef } from "./refs.ts";

/** Reading of a commit; where there are problems, its readable part. */
export interface Reading<Value> {
  readonly value: Value;
  readonly problems: readonly Problem[];
  /** Doubts whether a commit without a value lost one; it then takes nothing back. Absent: none. */
  readonly doubts?: readonly Problem[];
}

/** Value of one subject at the tip of the default branch. */
export interface Followed<Value> {
  readonly current: Value;
  /** The commit that says it, or as much of it as was understood last; absent before there is one. */
  readonly source: string | undefined;
  /** Reasons why the tip was not understood; empty when it was. */
  readonly problems: readonly Problem[];
  /** Rejects, with everything as it was, when the tip cannot be read at the moment. */
  update(refs: ReadonlyMap<string, LocalRef>): Promise<void>;
}

/** Earlier commits that are looked at for one that can be understood. */
const MAX_EARLIER = 100;

/**
 * Follows what the default branch says in the files at `path`. As long as its tip is not understood, or there is no such
 * branch, what the last good commit said counts: the one that `ref` remembers across restarts, or else the nearest in the
 * branch's history, so that services which were not there before come to the same.
 */
export function followTip<Value>(options: {
  readonly mirror: Pick<Mirror, "listChanges" | "writeRefs">;
  readonly ref: string;
  readonly path: string;
  readonly none: Value;
  readonly read: (commit: string) => Promise<Reading<Value>>;
  /** Joins the value of the last good commit with the readable part of the tip, for as long as the tip is not understood. */
  readonly join: (good: Value, readable: Value) => Value;
  readonly isSame: (a: Value, b: Value) => boolean;
}): Followed<Value> {
  const { mirror, ref, none, read, join, isSame } = options;
  let current = none;
  let problems: readonly Problem[] = [];
  let good: { readonly value: Value; readonly commit: string } | undefined;
  let tip: string | undefined;

  function set(value: Value): void {
    if (!isSame(current, value)) current = value;
  }

  async function findEarlier(tipCommit: string): Promise<typeof good> {
    for (const { commit } of await mirror.listChanges(tipCommit, options.path, MAX_EARLIER)) {
      const reading = await read(commit);
      if (isGood(reading)) return { value: reading.value, commit };
    }
    return undefined;
  }

  return Object.freeze({
    get current() {
      return current;
    },
    get source() {
      return good?.commit;
    },
    get problems() {
      return problems;
    },
    async update(refs: ReadonlyMap<string, LocalRef>) {
      const remembered = refs.get(ref)?.target;
      if (good === undefined && remembered !== undefined) {
        const reading = await read(remembered);
        if (isGood(reading)) {
          good = { value: reading.value, commit: remembered };
          set(good.value);
        }
      }
      const next = refs.get(DEFAULT_BRANCH_REF)?.target;
      if (next === undefined || next === tip) return;
      const reading = await read(next);
      if (isGood(reading)) {
        good = { value: reading.value, commit: next };
        if (remembered !== next) await mirror.writeRefs("update", [{ ref, oid: next }]);
        set(good.value);
      } else {
        good ??= await findEarlier(next);
        set(join(good?.value ?? none, reading.value));
      }
      // A commit that says nothing is of no concern where nothing was said before.
      problems = isSame(current, none) ? reading.problems : [...reading.problems, ...(reading.doubts ?? [])];
      tip = next;
    },
  });
}

function isGood({ problems, doubts = [] }: Reading<unknown>): boolean {
  return problems.length + doubts.length === 0;
}
