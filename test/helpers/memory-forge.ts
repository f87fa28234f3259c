import { createHash } from "node:crypto";
import type { Change, ChangeStatus, CheckResult, CheckRun, Forge, Landing, Rerun } from "../../server/forge/forge.ts";
import { CairnError } from "../../server/errors.ts";

interface MemoryCommit {
  readonly files: ReadonlyMap<string, string>;
  readonly parents: readonly string[];
}

/** A repository of commits in memory, by ids of 40 digits. */
export interface MemoryRepository {
  readonly commits: Map<string, MemoryCommit>;
  readonly branches: Map<string, string>;
  readonly tags: Map<string, string>;
  commit(files: ReadonlyMap<string, string>, parents: readonly string[]): string;
  /** Changes files of a branch, as somebody else does who pushes to it. */
  push(branch: string, changes: Readonly<Record<string, string>>): string;
  /** All commits that a commit has, with itself. */
  listAncestors(oid: string): readonly string[];
  read(oid: string): MemoryCommit;
}

export function createMemoryRepository(): MemoryRepository {
  const commits = new Map<string, MemoryCommit>();
  const branches = new Map<string, string>();
  const read = (oid: string): MemoryCommit => {
    const found = commits.get(oid);
    if (found === undefined) throw new CairnError("NOT_FOUND", `There is no commit ${oid}.`);
    return found;
  };
  const commit: MemoryRepository["commit"] = (files, parents) => {
    const oid = createHash("sha1")
      .update(JSON.stringify([[...files].toSorted(), parents]))
      .digest("hex");
    commits.set(oid, { files, parents });
    return oid;
  };
  return {
    commits,
    branches,
    tags: new Map(),
    commit,
    read,
    push(branch, changes) {
      const head = branches.get(branch) ?? "";
      const oid = commit(new Map([...read(head).files, ...Object.entries(changes)]), [head]);
      branches.set(branch, oid);
      return oid;
    },
    listAncestors(oid) {
      const found = new Set<string>();
      const visit = (one: string): void => {
        if (found.has(one)) return;
        found.add(one);
        read(one).parents.forEach(visit);
      };
      visit(oid);
      return [...found];
    },
  };
}

/** A forge over a repository in memory, whose checks are as a test says. */
export interface MemoryForge extends Forge {
  /** How the checks stand that it requires of every commit. */
  required: ChangeStatus["checks"];
  readonly reports: { readonly head: string; readonly result: CheckResult }[];
  /** The next answers of `land`, instead of its own. */
  readonly landings: Landing[];
  /** The next answers of `rerun`. */
  readonly reruns: Rerun[];
  /** The latest runs by commit, of `checks`. */
  readonly runs: Map<string, readonly CheckRun[]>;
  /** The names of the checks that it requires. */
  readonly names: string[];
  /** Changes that are open, by key. */
  listOpen(): readonly string[];
}

interface Kept {
  readonly change: Change;
  state: "open" | "merged" | "closed";
  head: string;
  merged?: string;
}

/** Keeps the contract of the port as far as the steps of the Architect use it. */
export function createMemoryForge(repository: MemoryRepository): MemoryForge {
  const kept = new Map<string, Kept>();
  const { branches, tags } = repository;
  const find = ({ key }: Change): Kept => {
    const found = kept.get(key);
    if (found === undefined) throw new CairnError("NOT_FOUND", `There is no change ${key}.`);
    const head = branches.get(found.change.branch);
    if (found.state !== "open") return found;
    if (head === undefined) found.state = "closed";
    else found.head = head;
    const base = branches.get(found.change.base) ?? "";
    if (repository.listAncestors(base).includes(found.head)) {
      found.state = "merged";
      found.merged = found.head;
    }
    return found;
  };
  const baseOf = ({ base }: Change) => branches.get(base) ?? "";

  const forge: MemoryForge = {
    required: "green",
    reports: [],
    landings: [],
    reruns: [],
    runs: new Map(),
    names: ["review"],
    listOpen: () => [...kept].flatMap(([key, { change }]) => (find(change).state === "open" ? [key] : [])),
    async sync() {},
    async propose({ key, from, base, files }) {
      const known = kept.get(key);
      if (known !== undefined) return known.change;
      if (!repository.listAncestors(branches.get(base) ?? "").includes(from)) {
        throw new CairnError("CONFLICT", `\`${base}\` does not have \`${from}\`.`);
      }
      const made = new Map(repository.read(from).files);
      for (const [path, content] of files) {
        if (content === null) made.delete(path);
        else made.set(path, String(content));
      }
      const change: Change = { key, base, branch: `proposal/${key}` };
      const head = repository.commit(made, [from]);
      branches.set(change.branch, head);
      kept.set(key, { change, state: "open", head });
      return change;
    },
    find: async (key) => kept.get(key)?.change,
    async revise() {
      throw new CairnError("INTERNAL_ERROR", "No step of the Architect revises a change.");
    },
    async status(change) {
      const { state, head, merged } = find(change);
      return {
        head,
        state,
        mergeable: state === "open" ? "yes" : "unknown",
        checks: forge.required,
        required: forge.names,
        runs: forge.required === "red" ? [{ name: "review", status: "failure" }] : [],
        ...(merged === undefined ? {} : { merged }),
      };
    },
    checks: async (oid) => forge.runs.get(oid) ?? [],
    async report(head, _check, result) {
      forge.reports.push({ head, result });
    },
    async land(change, { expectHead }) {
      const one = find(change);
      const given = forge.landings.shift();
      if (given !== undefined) return given;
      if (one.state === "merged") {
        if (one.head === expectHead) return { outcome: "merged", oid: one.merged ?? one.head };
        throw new CairnError("CONFLICT", "Something else has landed.", { details: { landed: one.merged ?? null } });
      }
      if (one.head !== expectHead) return { outcome: "stale", reason: "Its head is another." };
      if (one.state === "closed") return { outcome: "blocked", reason: "It is closed." };
      if (forge.required !== "green") return { outcome: "blocked", reason: "A check is missing." };
      if (!repository.listAncestors(one.head).includes(baseOf(change))) {
        return { outcome: "behind", reason: "Its base has moved." };
      }
      branches.set(change.base, one.head);
      branches.delete(change.branch);
      one.state = "merged";
      one.merged = one.head;
      return { outcome: "merged", oid: one.head };
    },
    async refresh(change) {
      const one = find(change);
      const [base, head] = [baseOf(change), one.head];
      if (repository.listAncestors(head).includes(base)) return { outcome: "same", head };
      const shared = repository.listAncestors(base).find((oid) => repository.listAncestors(head).includes(oid)) ?? "";
      const before = repository.read(shared).files;
      const [theirs, ours] = [repository.read(base).files, repository.read(head).files];
      const changed = (files: ReadonlyMap<string, string>) =>
        [...new Set([...before.keys(), ...files.keys()])].filter((path) => before.get(path) !== files.get(path));
      const paths = changed(theirs).filter((path) => changed(ours).includes(path));
      if (paths.length > 0) return { outcome: "conflict", paths };
      const merged = new Map(theirs);
      for (const path of changed(ours)) {
        const text = ours.get(path);
        if (text === undefined) merged.delete(path);
        else merged.set(path, text);
      }
      const oid = repository.commit(merged, [head, base]);
      branches.set(change.branch, oid);
      return { outcome: "updated", head: oid };
    },
    async abandon(change) {
      const one = find(change);
      if (one.state === "merged") throw new CairnError("CONFLICT", "It has landed.");
      one.state = "closed";
      branches.delete(change.branch);
    },
    isOpen: async () => true,
    rerun: async () => forge.reruns.shift() ?? { outcome: "final" },
    inspect: async () => ({ rules: [], problems: [] }),
    async tag(name, oid) {
      const known = tags.get(name);
      if (known === undefined) tags.set(name, oid);
      return known === undefined ? "created" : known === oid ? "same" : "taken";
    },
  };
  return forge;
}
