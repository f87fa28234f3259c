import { LRUCache } from "lru-cache";
import type { Mirror } from "../mirror/mirror.ts";
import { toMilliseconds } from "../mirror/refs.ts";
import { isFullCommit } from "./resolve/select.ts";
import type { VersionIndex } from "./version-index.ts";

export interface Commits {
  /** The commits of this id or beginning that a ref leads to; more than one when the beginning is too short. */
  find(index: VersionIndex, prefix: string): Promise<readonly string[]>;
  /** Checks that a commit with this id or prefix exists here, of any origin. */
  isHere(prefix: string): Promise<boolean>;
  /** Milliseconds since 1970. */
  dateOf(commit: string): Promise<number>;
}

const MAX_REMEMBERED = 10_000;
const MAX_CHOICES = 20;
const MAX_COMMIT_BYTES = 1024 * 1024;

export function createCommits(mirror: Mirror): Commits {
  // What is found changes only with the refs.
  const answers = new WeakMap<VersionIndex, LRUCache<string, Promise<readonly string[]>>>();

  async function search(index: VersionIndex, prefix: string): Promise<readonly string[]> {
    // Git's answer of old about a beginning may miss objects that came since.
    const candidates = isFullCommit(prefix) ? [prefix] : await mirror.listObjects(prefix);
    const found: string[] = [];
    for (const oid of candidates.slice(0, MAX_CHOICES)) {
      if ((await mirror.objects.info(oid))?.type !== "commit") continue;
      if (index.tips.has(oid) || (await mirror.isReachable(oid))) found.push(oid);
    }
    return found;
  }

  return Object.freeze({
    find: async (index: VersionIndex, prefix: string) => {
      if (index.tips.has(prefix)) return [prefix];
      // Nobody gets a process started by making up ids.
      if ((await mirror.objects.info(prefix)) === undefined) return [];
      const known = answers.get(index) ?? new LRUCache<string, Promise<readonly string[]>>({ max: MAX_REMEMBERED });
      answers.set(index, known);
      const answer = known.get(prefix) ?? search(index, prefix);
      known.set(prefix, answer);
      answer.catch(() => known.delete(prefix));
      return answer;
    },
    isHere: async (prefix: string) => (await mirror.objects.info(prefix))?.type === "commit",
    dateOf: async (commit: string) => {
      const text = (await mirror.objects.read(commit, MAX_COMMIT_BYTES))?.toString("latin1") ?? "";
      return toMilliseconds(/^committer .* (\d+) [+-]\d+$/m.exec(text)?.[1]) ?? 0;
    },
  });
}
