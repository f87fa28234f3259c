import type { Commit, CommitResult, Store } from "../../../store/store.ts";

/** Numbers that are written. */
export type Numbers = Readonly<Record<string, number>>;

type Note = Required<Pick<Commit, "set" | "append">>;

/** Notes of a change that takes many commits. */
export interface ChangeNotes<Written extends Numbers> {
  /** Written with the first change. */
  readonly begun: Note;
  /** Written at the end, also at that of work which failed after its first change. */
  toEnded(written: Written, outcome: "done" | "failed"): Note;
}

/** Commits changes, and counts what is written with them. */
export type CommitNoted<Written extends Numbers> = (writes: Commit, more: Partial<Written>) => Promise<CommitResult>;

/** Does work in many commits, the first of them with the note of the begin, and returns what all have written once that is noted as well. */
export async function withLedger<Written extends Numbers>(
  store: Store,
  notes: ChangeNotes<Written>,
  nothing: Written,
  work: (commit: CommitNoted<Written>) => Promise<void>,
): Promise<Written> {
  let written = nothing;
  let isBegun = false;
  const end = async (outcome: "done" | "failed") => {
    if (isBegun) await store.commit(notes.toEnded(written, outcome));
  };
  try {
    await work(async (writes, more) => {
      const { set = [], append = [] } = isBegun ? {} : notes.begun;
      const done = await store.commit({
        ...writes,
        set: [...(writes.set ?? []), ...set],
        append: [...(writes.append ?? []), ...append],
      });
      if (!done.ok) return done;
      isBegun = true;
      written = add(written, more);
      return done;
    });
  } catch (error) {
    // The failure itself says more than a store that takes no note either.
    await end("failed").catch(() => undefined);
    throw error;
  }
  await end("done");
  return written;
}

function add<Written extends Numbers>(written: Written, more: Partial<Written>): Written {
  return Object.fromEntries(
    Object.entries(written).map(([name, number]) => [name, number + (more[name] ?? 0)]),
  ) as Written;
}
