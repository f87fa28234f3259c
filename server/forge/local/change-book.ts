import { PROPOSAL_BRANCHES } from "../check-names.ts";
import { createRecordReader } from "../../json/stored.ts";
import type { Change, ChangeStatus, Proposal } from "../forge.ts";
import type { KnownRef, LocalRepository, RefUpdate } from "./local-repository.ts";
import { defined } from "../../json/defined.ts";

/**
 * Where each change is remembered, whatever became of it: a tag object with what was said of it. It also keeps the commits
 * of what was abandoned, because evidence names them, and people may have pushed some of them.
 */
const CHANGE_REFS = "refs/cairn/changes/";

/** A change as the refs have it at one moment. */
export interface KnownChange {
  readonly key: string;
  readonly state: ChangeStatus["state"];
  readonly head: string;
  /** The commit that the proposal was made into; of a change that is closed, its last head. */
  readonly made: string;
  readonly record: ChangeRecord;
  readonly refs: { readonly record: string; readonly branch: string; readonly base: string };
  /** Positions of the refs. */
  readonly at: { readonly record: string; readonly branch?: string; readonly base?: string };
}

export interface ChangeRecord {
  readonly schemaVersion: 1;
  readonly state: ChangeStatus["state"];
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly reason?: string;
}

export interface ChangeBook {
  /** `base` is where it is expected to land, and saves a look where that is so. */
  find(key: string, base?: string): Promise<KnownChange | undefined>;
  /** Finds a change, or else the positions of its branch and of the base that it is to be made for. */
  findOrPlace(
    key: string,
    base: string,
  ): Promise<KnownChange | { readonly state: "none"; readonly at: Pick<KnownChange["at"], "branch" | "base"> }>;
  /** Makes its branch and remembers it, at once. A branch that is there already is left alone. */
  open(proposal: Proposal, commit: string, options: { readonly hasBranch: boolean }): Promise<void>;
  /** Moves its branch to another commit of ours, of which this is said. */
  revise(change: KnownChange, commit: string, said: Pick<ChangeRecord, "title" | "body">): Promise<void>;
  /** Takes its branch away and remembers what became of it; `more` happens with it or not at all. */
  close(change: KnownChange, end: Partial<ChangeRecord>, more?: readonly RefUpdate[]): Promise<void>;
}

const readRecord = createRecordReader<ChangeRecord>("forge-change");

export function createChangeBook(repository: LocalRepository): ChangeBook {
  const writeRecord = (key: string, commit: string, record: ChangeRecord) =>
    repository.writeTag(`${PROPOSAL_BRANCHES}${key}`, commit, JSON.stringify(record));

  const readAll = (key: string, base?: string) =>
    repository.readRefs([
      `${CHANGE_REFS}${key}`,
      ...(base === undefined ? [] : [branchRef(key), `refs/heads/${base}`]),
    ]);

  /** Finds a change among refs that were read, with those of `base` if that is given. */
  async function findIn(
    read: ReadonlyMap<string, KnownRef>,
    key: string,
    base: string | undefined,
  ): Promise<KnownChange | undefined> {
    const recordRef = `${CHANGE_REFS}${key}`;
    const found = read.get(recordRef);
    if (found === undefined) return undefined;
    const record = readRecord(JSON.parse(found.subject));
    const refs = { record: recordRef, branch: branchRef(key), base: `refs/heads/${record.base}` };
    const known = base === record.base ? read : await repository.readRefs([refs.branch, refs.base]);
    const [branch, tip] = [known.get(refs.branch)?.oid, known.get(refs.base)?.oid];
    const at = { record: found.oid, ...defined({ branch, base: tip }) };
    const common = { key, made: found.target, record, refs, at };
    if (record.state !== "open") return { ...common, state: record.state, head: found.target };
    const head = branch ?? found.target;
    // People may have landed it by a push of their own, and may have taken its branch away.
    const has = async (commit: string) => tip !== undefined && (await repository.isAncestor(commit, tip));
    const landed = (await has(head)) && (head === found.target || (await has(found.target)));
    return { ...common, head, state: landed ? "merged" : branch === undefined ? "closed" : "open" };
  }

  return Object.freeze<ChangeBook>({
    find: async (key, base) => findIn(await readAll(key, base), key, base),
    async findOrPlace(key, base) {
      const read = await readAll(key, base);
      const at = defined({ branch: read.get(branchRef(key))?.oid, base: read.get(`refs/heads/${base}`)?.oid });
      return (await findIn(read, key, base)) ?? { state: "none", at };
    },
    open: async (
      { key, base, title, body, labels = [] }: Proposal,
      commit: string,
      { hasBranch }: { readonly hasBranch: boolean },
    ) => {
      const record = { schemaVersion: 1, state: "open", base, title, body, labels } as const;
      const made = { ref: `${CHANGE_REFS}${key}`, to: await writeRecord(key, commit, record) };
      // Without power between the two, only the branch is there; `hasBranch` goes on from that.
      await repository.updateRefs([...(hasBranch ? [] : [{ ref: branchRef(key), to: commit }]), made]);
    },
    revise: async (change: KnownChange, commit: string, said: Pick<ChangeRecord, "title" | "body">) => {
      const { key, refs, at, head, record } = change;
      const to = await writeRecord(key, commit, { ...record, ...said });
      await repository.updateRefs([
        { ref: refs.branch, from: head, to: commit },
        { ref: refs.record, from: at.record, to },
      ]);
    },
    close: async (change: KnownChange, end: Partial<ChangeRecord>, more: readonly RefUpdate[] = []) => {
      const { key, refs, at, head } = change;
      const to = await writeRecord(key, head, { ...change.record, ...end });
      const branch = at.branch === undefined ? [] : [{ ref: refs.branch, from: at.branch }];
      await repository.updateRefs([...more, { ref: refs.record, from: at.record, to }, ...branch]);
    },
  });
}

function branchRef(key: string): string {
  return `refs/heads/${PROPOSAL_BRANCHES}${key}`;
}

export function toChange({ key, record }: { key: string; record: { readonly base: string } }): Change {
  return { key, base: record.base, branch: `${PROPOSAL_BRANCHES}${key}` };
}
