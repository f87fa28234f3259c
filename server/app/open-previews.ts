import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Audit } from "../kernel/audit/audit.ts";
import { toDataPaths } from "../config/data-folder.ts";
import { CairnError } from "../errors.ts";
import type { Previews } from "../http/destination.ts";
import type { Log } from "../log/log.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { Version } from "../versions/version.ts";
import type { OpenedPreview } from "./open-preview.ts";

/** Previews at once; the one used longest ago makes room for another. */
export const PREVIEW_LIMIT = 8;
/** Milliseconds after which one that nobody calls is dropped. */
export const PREVIEW_IDLE_MS = 60 * 60_000;
const SWEEP_MS = 60_000;
/** Milliseconds for which a pull request is believed to be open. */
const OPEN_MS = 60_000;

export interface PreviewsOptions {
  readonly registry: Pick<Registry, "inspect" | "subscribe">;
  /** The data folder. */
  readonly data: string;
  readonly open: (version: Version, folder: string) => Promise<OpenedPreview>;
  readonly audit: Pick<Audit, "changed">;
  /** Whether a pull request is open, where the forge can say; absent: as long as it has a head. */
  readonly isOpen?: (number: number) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}

interface Preview {
  readonly version: Version;
  readonly opened: Promise<OpenedPreview>;
  usedAt: number;
  /** When the forge said last that its pull request is open. */
  openAt: number;
}

/**
 * Heads of pull requests that can be tried, each opened by its first call. One goes away with all that its calls have left
 * there: when its pull request is closed, merged or pushed to, when nobody has called it for an hour, when others need the
 * room, and with the service.
 */
export async function openPreviews(options: PreviewsOptions): Promise<Previews & { close(): Promise<void> }> {
  const { registry, now, log, onError } = options;
  const folder = await openFolder(toDataPaths(options.data).previews);
  const previews = new Map<string, Preview>();
  let made = 0;
  let isClosed = false;

  async function note(change: "preview.opened" | "preview.dropped", { commit, preview = 0 }: Version, reason?: string) {
    const details = { commit, ...(reason === undefined ? {} : { reason }) };
    log.info({ ...details, preview }, change);
    await options.audit.changed({ change, actor: "cairn", target: `pull/${preview}`, details });
  }

  async function openOne(version: Version): Promise<OpenedPreview> {
    await note("preview.opened", version);
    // The one before may still be on its way out.
    return options.open(version, join(folder, `${version.commit}-${(made += 1)}`));
  }

  async function drop(preview: Preview, reason: string): Promise<void> {
    const { commit } = preview.version;
    if (previews.get(commit) !== preview) return;
    previews.delete(commit);
    await (await preview.opened.catch(() => undefined))?.close();
    await note("preview.dropped", preview.version, reason);
  }

  async function dropAll(isDue: (preview: Preview) => boolean, reason: string): Promise<void> {
    const due = [...previews.values()].filter(isDue);
    await Promise.all(due.map((preview) => drop(preview, reason))).catch(onError);
  }

  async function assertOpen({ commit, preview: number = 0 }: Version): Promise<void> {
    const openAt = previews.get(commit)?.openAt ?? -Infinity;
    if (options.isOpen === undefined || now() - openAt < OPEN_MS || (await options.isOpen(number))) return;
    await dropAll(({ version }) => version.preview === number, "its pull request is closed");
    const message = `Pull request ${number} is closed, so \`${commit}\` cannot be tried any more.`;
    throw new CairnError("VERSION_NOT_SERVED", message, { details: { commit, pull_request: number } });
  }

  async function recheck(isMeant: (preview: Preview) => boolean): Promise<void> {
    for (const { version } of [...previews.values()].filter(isMeant)) {
      await assertOpen(version).catch((error: unknown) => {
        if (!(error instanceof CairnError) || error.name !== "VERSION_NOT_SERVED") onError(error);
      });
    }
  }

  /** A head that has moved, was merged or tagged is no preview any more. */
  async function lookAgain(): Promise<void> {
    for (const preview of previews.values()) {
      const { commit, preview: number } = preview.version;
      const found = await registry.inspect(commit).catch(() => undefined);
      if (found?.version.preview !== number) await drop(preview, "it is not the head of its pull request any more");
    }
  }

  const unsubscribe = registry.subscribe(({ kind }) => {
    if (kind === "refs") void lookAgain().catch(onError);
  });
  const isIdle = ({ usedAt }: Preview) => now() - usedAt > PREVIEW_IDLE_MS;
  const sweep = setInterval(() => {
    void dropAll(isIdle, "nobody has called it for an hour").then(() => recheck(() => true));
  }, SWEEP_MS).unref();

  return Object.freeze({
    async open(version: Version) {
      await assertOpen(version);
      if (isClosed) throw new CairnError("UNAVAILABLE", "Cairn is shutting down.");
      const { commit } = version;
      const known = previews.get(commit);
      const openAt = known !== undefined && now() - known.openAt < OPEN_MS ? known.openAt : now();
      const preview = known ?? { version, opened: openOne(version), usedAt: 0, openAt };
      Object.assign(preview, { usedAt: now(), openAt });
      // Behind all others: the first is the one used longest ago.
      previews.delete(commit);
      previews.set(commit, preview);
      const [oldest] = previews.values();
      if (previews.size > PREVIEW_LIMIT && oldest !== undefined) {
        void drop(oldest, "others are tried").catch(onError);
      }
      try {
        return (await preview.opened).kernel;
      } catch (error) {
        if (previews.get(commit) === preview) previews.delete(commit);
        throw error;
      }
    },
    nudge(number: number) {
      const isMeant = ({ version }: Preview) => version.preview === number;
      for (const preview of [...previews.values()].filter(isMeant)) preview.openAt = -Infinity;
      void recheck(isMeant);
    },
    count: () => previews.size,
    async close() {
      isClosed = true;
      unsubscribe();
      clearInterval(sweep);
      await dropAll(() => true, "the service ends");
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** A folder for the previews of this process, beside those of others that share the data folder. */
async function openFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const left = (await readdir(parent)).filter((name) => !isRunning(Number(name.split("-")[0])));
  // What a process left that was killed.
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  return mkdtemp(join(parent, `${process.pid}-`));
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
