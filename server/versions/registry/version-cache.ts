import { LRUCache } from "lru-cache";
import type { TreeResult } from "../git/tree-walk.ts";
import { listParents } from "./judge/bases.ts";
import { writeToolNames } from "./tools/tool-names.ts";
import type { Tree } from "../tree.ts";
import type { Verdict, Verdicts } from "./verdicts.ts";
import type { Loaded, Version } from "../version.ts";

/** Opens commits, each once however many ask at a time, and keeps the ones used last. */
export interface VersionCache {
  /** Ready to serve, or what is wrong with it. Rejects when it could not be told, as when a read broke off. */
  open(commit: string): Promise<Loaded>;
  /** Looks at a version as above, but keeps what it loaded only for a moment. */
  look(commit: string): Promise<Loaded>;
  /** The verdict alone; what had to be loaded for it is kept only for a moment. */
  verify(commit: string): Promise<Verdict>;
  /** Number of versions that stay open. */
  readonly size: number;
}

const MAX_LOOKED_AT = 8;

export function createVersionCache(options: {
  readonly max: number;
  readonly readTree: (commit: string) => Promise<TreeResult>;
  readonly load: (tree: Tree, commit: string) => Promise<Loaded>;
  readonly verdicts: Verdicts;
  readonly onVerdict: (commit: string, verdict: Verdict) => void;
}): VersionCache {
  const { max, readTree, load, verdicts, onVerdict } = options;
  // Whoever holds a version that falls out of here goes on using it.
  const versions = new LRUCache<string, Version>({ max });
  // What is looked at often is compared with the next one, or opened, at once.
  const lookedAt = new LRUCache<string, Version>({ max: Math.min(max, MAX_LOOKED_AT) });
  const loading = new Map<string, Promise<Loaded>>();

  function loadOnce(commit: string): Promise<Loaded> {
    const running = loading.get(commit);
    if (running !== undefined) return running;
    const started = loadNow(commit).finally(() => loading.delete(commit));
    loading.set(commit, started);
    return started;
  }

  async function loadNow(commit: string): Promise<Loaded> {
    const read = await readTree(commit);
    const loaded = read.ok ? await load(read.tree, commit) : read;
    const verdict = toVerdict(loaded);
    const known = verdicts.get(commit);
    if (known?.ok !== verdict.ok) {
      verdicts.set(commit, verdict);
      onVerdict(commit, verdict);
    }
    if (loaded.ok) lookedAt.set(commit, loaded.version);
    return loaded;
  }

  return Object.freeze({
    open: async (commit: string) => {
      const version = versions.get(commit);
      if (version !== undefined) return { ok: true as const, version };
      const verdict = verdicts.get(commit);
      if (verdict?.ok === false) return verdict;
      const seen = lookedAt.get(commit);
      const loaded = seen === undefined ? await loadOnce(commit) : { ok: true as const, version: seen };
      if (loaded.ok) versions.set(commit, loaded.version);
      lookedAt.delete(commit);
      return loaded;
    },
    look: async (commit: string) => {
      const version = versions.peek(commit) ?? lookedAt.get(commit);
      return version === undefined ? loadOnce(commit) : { ok: true as const, version };
    },
    verify: async (commit: string) => {
      const known = verdicts.get(commit);
      if (known !== undefined) return known;
      return toVerdict(await loadOnce(commit));
    },
    get size() {
      return versions.size;
    },
  });
}

function toVerdict(loaded: Loaded): Verdict {
  if (!loaded.ok) return { ok: false, problems: loaded.problems };
  const { semver, servers, tools, history } = loaded.version;
  const parents = listParents(loaded.version);
  return {
    ok: true,
    semver,
    servers: [...servers.keys()],
    tools: writeToolNames(tools.values()),
    ...(parents.length > 0 && { parents }),
    ...(history.versions.get(semver)?.accepts !== undefined && { accepts: true }),
  };
}
