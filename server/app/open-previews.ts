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
import { defined } from "../json/defined.ts";

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
  /** Says whether a pull request is open, where the forge can say; absent: as long as it has a head. */
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
  /** Time when the forge last reported the pull request as open. */
  openAt: number;
}

/** The previews of this process. */
interface State extends PreviewsOptions {
  readonly folder: string;
  /** By commit; the one used longest ago comes first. */
  readonly previews: Map<string, Preview>;
  /** Number of previews ever opened. */
  made: number;
  isClosed: boolean;
}

/**
 * Opens heads of pull requests that can be tried, each by its first call. One goes away with all that its calls have left
 * there: when its pull request is closed, merged or pushed to, when nobody has called it for an hour, when others need the
 * room, and with the service.
 */
export async function openPreviews(options: PreviewsOptions): Promise<Previews & { close(): Promise<void> }> {
  const { registry, now, onError } = options;
  const folder = await openFolder(toDataPaths(options.data).previews);
  const state: State = { ...options, folder, previews: new Map(), made: 0, isClosed: false };
  const { previews } = state;
  const unsubscribe = registry.subscribe(({ kind }) => {
    if (kind === "refs") void lookAgain(state).catch(onError);
  });
  const isIdle = ({ usedAt }: Preview) => now() - usedAt > PREVIEW_IDLE_MS;
  const sweep = setInterval(() => {
    void dropAll(state, isIdle, "nobody has called it for an hour").then(() => recheck(state, () => true));
  }, SWEEP_MS).unref();

  return Object.freeze({
    open: (version: Version) => openKernel(state, version),
    nudge(number: number) {
      const isMeant = ({ version }: Preview) => version.preview === number;
      for (const preview of [...previews.values()].filter(isMeant)) preview.openAt = -Infinity;
      void recheck(state, isMeant);
    },
    count: () => previews.size,
    async close() {
      state.isClosed = true;
      unsubscribe();
      clearInterval(sweep);
      await dropAll(state, () => true, "the service ends");
      await rm(folder, { recursive: true, force: true });
    },
  });
}

async function openKernel(state: State, version: Version): Promise<OpenedPreview["kernel"]> {
  await assertOpen(state, version);
  if (state.isClosed) throw new CairnError("UNAVAILABLE", "Cairn is shutting down.");
  const { commit } = version;
  const known = state.previews.get(commit);
  const openAt = known !== undefined && state.now() - known.openAt < OPEN_MS ? known.openAt : state.now();
  const preview = known ?? { version, opened: openOne(state, version), usedAt: 0, openAt };
  Object.assign(preview, { usedAt: state.now(), openAt });
  // Behind all others: the first is the one used longest ago.
  state.previews.delete(commit);
  state.previews.set(commit, preview);
  const [oldest] = state.previews.values();
  if (state.previews.size > PREVIEW_LIMIT && oldest !== undefined) {
    void drop(state, oldest, "others are tried").catch(state.onError);
  }
  try {
    return (await preview.opened).kernel;
  } catch (error) {
    if (state.previews.get(commit) === preview) state.previews.delete(commit);
    throw error;
  }
}

async function note(
  state: State,
  change: "preview.opened" | "preview.dropped",
  { commit, preview = 0 }: Version,
  reason?: string,
) {
  const details = { commit, ...defined({ reason }) };
  state.log.info({ ...details, preview }, change);
  await state.audit.changed({ change, actor: "cairn", target: `pull/${preview}`, details });
}

async function openOne(state: State, version: Version): Promise<OpenedPreview> {
  await note(state, "preview.opened", version);
  // The one before may still be on its way out.
  return state.open(version, join(state.folder, `${version.commit}-${(state.made += 1)}`));
}

async function drop(state: State, preview: Preview, reason: string): Promise<void> {
  const { commit } = preview.version;
  if (state.previews.get(commit) !== preview) return;
  state.previews.delete(commit);
  await (await preview.opened.catch(() => undefined))?.close();
  await note(state, "preview.dropped", preview.version, reason);
}

async function dropAll(state: State, isDue: (preview: Preview) => boolean, reason: string): Promise<void> {
  const due = [...state.previews.values()].filter(isDue);
  await Promise.all(due.map((preview) => drop(state, preview, reason))).catch(state.onError);
}

async function assertOpen(state: State, { commit, preview: number = 0 }: Version): Promise<void> {
  const openAt = state.previews.get(commit)?.openAt ?? -Infinity;
  if (state.isOpen === undefined || state.now() - openAt < OPEN_MS || (await state.isOpen(number))) return;
  await dropAll(state, ({ version }) => version.preview === number, "its pull request is closed");
  const message = `Pull request ${number} is closed, so \`${commit}\` cannot be tried any more.`;
  throw new CairnError("VERSION_NOT_SERVED", message, { details: { commit, pull_request: number } });
}

async function recheck(state: State, isMeant: (preview: Preview) => boolean): Promise<void> {
  for (const { version } of [...state.previews.values()].filter(isMeant)) {
    await assertOpen(state, version).catch((error: unknown) => {
      if (!(error instanceof CairnError) || error.name !== "VERSION_NOT_SERVED") state.onError(error);
    });
  }
}

/** A head that has moved, was merged or tagged is no preview any more. */
async function lookAgain(state: State): Promise<void> {
  for (const preview of state.previews.values()) {
    const { commit, preview: number } = preview.version;
    const found = await state.registry.inspect(commit).catch(() => undefined);
    if (found?.version.preview !== number)
      await drop(state, preview, "it is not the head of its pull request any more");
  }
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
