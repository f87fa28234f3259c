import { setTimeout as sleep } from "node:timers/promises";
import type { Forge } from "../forge/forge.ts";
import type { Nudges } from "../forge/nudges.ts";
import { createSerial } from "../serial.ts";
import type { Store } from "../store/store.ts";
import type { Git } from "../versions/git/git.ts";
import { loadTestReports, saveTestReport, toForgeReport } from "./test-reports.ts";

export interface CheckFollowerOptions {
  readonly forge: Pick<Forge, "checks">;
  /** The repository's name at the forge. */
  readonly reporter: string;
  readonly git: Git;
  /** The folder of the copy whose tags are versions. */
  readonly gitDir: string;
  readonly store: Pick<Store, "commit" | "scan">;
  readonly onNudge: Nudges["onNudge"];
  /** Milliseconds between looks. */
  readonly pollMs: number;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** The newest tags that are looked at. */
const TAGS = 50;
/** Milliseconds after which nothing new is expected of a tag by itself: it is looked at once, and when the forge tells of it. */
const FRESH_MS = 24 * 60 * 60_000;

/**
 * Keeps what checks on the forge say of tagged commits: at once where the forge tells of them, and by looking again and
 * again at those that are new and of which nothing has come yet.
 */
export function followChecks(options: CheckFollowerOptions): { close(): Promise<void> } {
  const { forge, reporter, git, gitDir, store, onNudge, pollMs, now, onError } = options;
  const closing = new AbortController();
  const seen = new Set<string>();
  // A forge wants to be asked gently.
  const serial = createSerial();
  const inTurn = (work: () => Promise<void>) =>
    serial(work).catch((error: unknown) => {
      if (!closing.signal.aborted) onError(error);
    });

  async function look(commit: string): Promise<void> {
    closing.signal.throwIfAborted();
    const report = toForgeReport(commit, reporter, await forge.checks(commit));
    if (report !== undefined) await saveTestReport(store, report);
  }

  async function lookAtAll(): Promise<void> {
    for (const { commit, at } of await listTags()) {
      const isFresh = now() - at < FRESH_MS;
      if (!isFresh && seen.has(commit)) continue;
      seen.add(commit);
      const reports = await loadTestReports(store, commit);
      if (!reports.some(({ source }) => source === "forge")) await look(commit);
    }
  }

  async function listTags(): Promise<readonly { readonly commit: string; readonly at: number }[]> {
    const commit = "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)";
    const format = `--format=${commit} %(creatordate:unix)`;
    const query = ["for-each-ref", "--sort=-creatordate", `--count=${TAGS}`, format, "refs/tags/"];
    const listed = await git.run([`--git-dir=${gitDir}`, ...query]);
    return listed.split("\n").flatMap((line) => {
      const [oid = "", seconds = ""] = line.split(" ");
      return oid === "" ? [] : [{ commit: oid, at: Number(seconds) * 1000 }];
    });
  }

  async function poll(): Promise<void> {
    while (!closing.signal.aborted) {
      await inTurn(lookAtAll);
      await sleep(pollMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  }

  const polling = poll();
  const stop = onNudge(({ commit }) => {
    if (commit === undefined) return;
    void inTurn(async () => {
      if ((await listTags()).some((tag) => tag.commit === commit)) await look(commit);
    });
  });
  return {
    async close() {
      stop();
      closing.abort();
      await Promise.all([polling, serial(async () => undefined)]);
    },
  };
}
