import { createHash } from "node:crypto";
import { judgeClaim } from "../../../../server/semver/judge-claim.ts";
import { type Alarms, nextAlarms } from "../../../../server/versions/mirror/alarms.ts";
import type { DeclaredLabels, SaidLabels } from "../../../../server/versions/mirror/labels.ts";
import type { LocalRef } from "../../../../server/versions/mirror/refs.ts";
import { listChangedTags, planSync } from "../../../../server/versions/mirror/sync-plan.ts";
import { createClaims } from "../../../../server/versions/registry/judge/claims.ts";
import { followLabels } from "../../../../server/versions/registry/label-moves.ts";
import { resolveVersion } from "../../../../server/versions/registry/resolve/resolve.ts";
import { createStandings } from "../../../../server/versions/registry/standings.ts";
import { createFindUnserved } from "../../../../server/versions/registry/served-tags.ts";
import { createVerdicts } from "../../../../server/versions/registry/verdicts.ts";
import { createVersionCache } from "../../../../server/versions/registry/version-cache.ts";
import { createIndex, isQuarantined, type VersionIndex } from "../../../../server/versions/registry/version-index.ts";
import type { HistoryEntry } from "../../../../server/versions/loaded-history.ts";
import type { Version } from "../../../../server/versions/version.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

/** What a client can see of a version: for each tool the greatest length of its input. */
export type Surface = Readonly<Record<string, number>>;

interface MemoryCommit {
  readonly id: string;
  /** As git has them. */
  readonly parents: readonly string[];
  readonly date: number;
  readonly version: Version;
}

interface MemoryTag {
  readonly oid: string;
  readonly commit: string;
  readonly date: number;
}

/** A repository without git: commits, tags, and what labels said, oldest first. */
export interface MemoryRepository {
  readonly commits: Map<string, MemoryCommit>;
  readonly tags: Map<string, MemoryTag>;
  readonly labels: SaidLabels[];
  commit(made: {
    readonly semver: string;
    readonly surface: Surface;
    readonly parents?: readonly string[];
    /** Of versions.yaml: what it names as the parent of each version. */
    readonly history?: ReadonlyMap<string, string | undefined>;
    /** What its author says; absent: now. */
    readonly date?: number;
  }): string;
  /** Has versions.yaml of the default branch say this from now on. */
  label(labels: Readonly<Record<string, string>>): void;
  /** An annotated tag, as of now or of the given date; a lightweight one is as old as its commit. */
  tag(name: string, commit: string, made?: { readonly isLightweight?: boolean; readonly date?: number }): void;
}

export function createMemoryRepository(): MemoryRepository {
  const commits = new Map<string, MemoryCommit>();
  const tags = new Map<string, MemoryTag>();
  let clock = 0;
  const labels: SaidLabels[] = [];
  const toId = (text: string) => createHash("sha1").update(text).digest("hex");
  return {
    commits,
    tags,
    labels,
    label(said) {
      clock += 60_000;
      labels.push({ labels: new Map(Object.entries(said)), at: clock });
    },
    commit({ semver, surface, parents = [], history = new Map(), date = clock + 60_000 }) {
      clock += 60_000;
      const id = toId(`commit ${clock}`);
      const entries = [...history].map(([name, parent]): [string, HistoryEntry] => [
        name,
        { changes: [], ...(parent === undefined ? {} : { parent }) },
      ]);
      const tools = Object.entries(surface).map(([name, maxLength]) => ({
        name: `runner.${name}`,
        server: "runner",
        // Says enough whatever changes, so that the tree's number alone decides.
        version: `${clock}.0.0`,
        input: { type: "object", properties: { text: { type: "string", maxLength } } },
      }));
      const version = createTestVersion({ commit: id, semver, tools, servers: [{ name: "runner" }] });
      const versions = new Map<string, HistoryEntry>([[semver, { changes: [] }], ...entries]);
      const made = { ...version, history: { current: semver, labels: new Map(), versions } };
      commits.set(id, { id, parents, date, version: made });
      return id;
    },
    tag(name, commit, { isLightweight = false, date: given = clock + 60_000 } = {}) {
      clock += 60_000;
      const date = isLightweight ? (commits.get(commit)?.date ?? 0) : given;
      tags.set(name, { oid: isLightweight ? commit : toId(`tag ${clock}`), commit, date });
    },
  };
}

/** A service that follows a repository in memory: by what the registry itself is made of, but for git and the store. */
export interface MemoryReplica {
  sync(): Promise<void>;
  /** The commit that an address answers with, or the name of the error. */
  resolve(segment: string): Promise<string>;
  readonly index: () => VersionIndex;
  readonly claims: ReturnType<typeof createClaims>;
  readonly served: ReadonlyMap<string, string>;
  readonly labelProblems: () => number;
}

export function createMemoryReplica(repository: MemoryRepository, lookBack?: number): MemoryReplica {
  const { commits, tags } = repository;
  const refs = new Map<string, LocalRef>();
  const served = new Map<string, string>();
  const verdicts = createVerdicts();
  const createdIndex = (labels: DeclaredLabels) =>
    createIndex({ refs, alarms, labels, failed: new Map(), servedAs: (tag) => served.get(tag) });
  let alarms: Alarms = new Map();
  let labelProblems = 0;
  let index = createdIndex(new Map());
  const readTree = async (label: string) => ({
    ok: true as const,
    tree: { label, entries: new Map(), read: async () => undefined },
  });
  const load = async (_tree: unknown, commit: string) => {
    const version = commits.get(commit)?.version;
    if (version === undefined) throw new Error(`There is no commit ${commit}.`);
    return { ok: true as const, version };
  };
  const cache = createVersionCache({ max: 100, readTree, load, verdicts, onVerdict: () => undefined });
  const claims = createClaims({
    index: () => index,
    cache,
    verdicts,
    readTree,
    isAncestor: async (older, newer) => isAncestor(repository, older, newer),
    judge: judgeClaim,
    ...(lookBack === undefined ? {} : { lookBack }),
    onChanged: () => undefined,
    onSettled: (commit) => {
      for (const version of index.byCommit.get(commit) ?? []) {
        if (!version.deleted && !isQuarantined(version, verdicts.get(commit))) served.set(version.tag, commit);
      }
    },
    onError: (error) => {
      throw error;
    },
  });
  const findUnserved = createFindUnserved({
    index: () => index,
    verdicts,
    served: { commitOf: (tag) => served.get(tag) },
    isServed: claims.isServed,
  });
  const standings = createStandings({
    previews: false,
    index: () => index,
    mirror: {
      listTags: async (which, commit) =>
        [...refs].flatMap(([ref, { target }]) => {
          const [older, newer] = which === "below" ? [target, commit] : [commit, target];
          return isAncestor(repository, older, newer) ? [ref.slice("refs/tags/".length)] : [];
        }),
      findOutside: async (all, others) =>
        new Set(all.filter((commit) => !others.some((other) => isAncestor(repository, commit, other)))),
    },
    verdicts,
    cache,
    prove: claims.prove,
  });
  const findCommit = async (prefix: string) => {
    const found = [...commits.keys()].filter((commit) => commit.startsWith(prefix));
    return found.length === 1 ? found[0] : undefined;
  };

  async function sync(): Promise<void> {
    const remote = new Map([...tags].map(([tag, { oid, commit }]) => [`refs/tags/${tag}`, { oid, target: commit }]));
    const plan = planSync(remote, refs, await findUnserved(listChangedTags(remote, refs)));
    for (const ref of plan.remove) refs.delete(ref);
    for (const { ref } of [...plan.create, ...plan.replace]) {
      const { oid, commit, date } = tags.get(ref.slice("refs/tags/".length)) ?? { oid: "", commit: "", date: 0 };
      refs.set(ref, {
        oid,
        target: commit,
        type: "commit",
        createdAt: date,
        committedAt: commits.get(commit)?.date ?? 0,
      });
    }
    const commitOf = (tag: string) => refs.get(`refs/tags/${tag}`)?.target ?? "";
    alarms = nextAlarms(alarms, { ...plan, commitOf, now: 0 });
    index = createdIndex(index.labels);
    claims.measure();
    // As the registry's sweep goes about it.
    for (const versions of [index.versions, index.versions.toReversed()]) {
      for (const { commit } of versions) {
        await cache.verify(commit);
        await claims.prove(commit, lookBack);
      }
      claims.measure();
    }
    const { labels, problems } = await followLabels(repository.labels, { ...claims, index, findCommit });
    labelProblems = problems.length;
    index = createdIndex(labels);
    claims.measure();
  }

  return {
    sync,
    index: () => index,
    claims,
    served,
    labelProblems: () => labelProblems,
    async resolve(segment) {
      const context = {
        index: () => index,
        dev: () => undefined,
        retirements: { isOver: () => false },
        cache,
        verdicts,
        standings,
        commits: {
          find: async (_index: VersionIndex, prefix: string) => [(await findCommit(prefix)) ?? []].flat(),
          isHere: async (prefix: string) => (await findCommit(prefix)) !== undefined,
          dateOf: async () => 0,
        },
        lookAgain: async () => false,
        isDecided: async () => false,
        staleSince: () => undefined,
      };
      return resolveVersion(context, segment).then(
        ({ version }) => version.commit,
        (error: { readonly name: string }) => error.name,
      );
    },
  };
}

function isAncestor({ commits }: MemoryRepository, older: string, newer: string): boolean {
  const left = [newer];
  const seen = new Set<string>();
  for (let commit = left.pop(); commit !== undefined; commit = left.pop()) {
    if (commit === older) return true;
    if (seen.has(commit)) continue;
    seen.add(commit);
    left.push(...(commits.get(commit)?.parents ?? []));
  }
  return false;
}
