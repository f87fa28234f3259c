import type { CommitState } from "../apply-commit.ts";
import { encodeLogName } from "../commit-plan.ts";
import { type Link, toLink } from "../hash-chain.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { CommitResult } from "../store.ts";
import { REVS_PER_GROUP } from "./statements.ts";

/** The body of a record that was not read: nothing of the group needs it. Its identity says so, not its bytes. */
export const NOT_READ: Buffer = Buffer.alloc(0);

/** Rows that a group has locked, and those that it has read. Names in maps are bytes as `latin1`. */
export interface LockedRows {
  readonly entries: ReadonlyMap<string, StoredRecord>;
  readonly heads: ReadonlyMap<string, Head>;
  readonly results: ReadonlyMap<string, KeptResult>;
  /** The first of the revisions that are the group's. */
  readonly firstRev: number;
}

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export interface KeptResult {
  readonly result: CommitResult;
  readonly until: number;
}

/** One row that a group changes; `before` and `after` are absent where there was none, or is none any more. */
export interface ChangedEntry {
  readonly key: Buffer;
  readonly before: StoredRecord | undefined;
  readonly after: StoredRecord | undefined;
}

export interface Changes {
  readonly entries: readonly ChangedEntry[];
  /** Keys that must have no row when the group commits, besides those that it makes. */
  readonly absences: readonly Buffer[];
  readonly logs: readonly { readonly name: Buffer; readonly isNew: boolean; readonly links: readonly Link[] }[];
  readonly results: readonly { readonly id: Buffer; readonly kept: KeptResult }[];
}

export interface GroupState extends CommitState {
  /** Notes that a commit holds only as long as there is no row of this key. */
  relyOnAbsence(key: Buffer): void;
  changes(): Changes;
}

/** Creates what the commits of a group see: the rows as they were locked, and on top of them what the commits before wrote. */
export function createGroupState({ entries, heads, results, firstRev }: LockedRows): GroupState {
  const changed = new Map<string, ChangedEntry>();
  const absences = new Map<string, Buffer>();
  const appended = new Map<string, { readonly before: Head | undefined; readonly links: Link[] }>();
  const kept = new Map<string, KeptResult>();
  let revs = 0;

  function change(key: Buffer, after: StoredRecord | undefined): void {
    const name = key.toString("latin1");
    changed.set(name, { key, before: entries.get(name), after });
  }

  function find(name: string): StoredRecord | undefined {
    const own = changed.get(name);
    return own === undefined ? entries.get(name) : own.after;
  }

  return {
    find(key, now) {
      const record = find(key.toString("latin1"));
      return record === undefined || (record.expiresAt !== 0 && record.expiresAt <= now) ? undefined : record;
    },
    put: change,
    remove: (key) => change(key, undefined),
    nextRev() {
      if (revs === REVS_PER_GROUP) throw new TypeError("a group has more commits than revisions");
      return firstRev + revs++;
    },
    append(log, entry) {
      const name = encodeLogName(log).toString("latin1");
      const own = appended.get(name) ?? { before: heads.get(name), links: [] };
      appended.set(name, own);
      const link = toLink(own.links.at(-1) ?? own.before, entry);
      own.links.push(link);
      return link;
    },
    findResult(id, now) {
      const name = id.toString("latin1");
      const found = kept.get(name) ?? results.get(name);
      return found !== undefined && found.until > now ? found.result : undefined;
    },
    keepResult: (id, result, until) => void kept.set(id.toString("latin1"), { result, until }),
    relyOnAbsence(key) {
      const name = key.toString("latin1");
      if (!entries.has(name)) absences.set(name, key);
    },
    changes: () => ({
      entries: [...changed.values()].filter(({ before, after }) => before !== undefined || after !== undefined),
      absences: [...absences].filter(([name]) => changed.get(name)?.after === undefined).map(([, key]) => key),
      logs: [...appended].map(([name, { before, links }]) => {
        return { name: Buffer.from(name, "latin1"), isNew: before === undefined, links };
      }),
      results: [...kept].map(([id, one]) => ({ id: Buffer.from(id, "latin1"), kept: one })),
    }),
  };
}
