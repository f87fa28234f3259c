import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { closeToOthers, toDataPaths } from "../config/data-folder.ts";
import { CairnError } from "../errors.ts";
import { type FileLock, tryFileLock } from "../store/file-lock.ts";
import type { Store } from "../store/store.ts";
import { createAnswerer } from "./answer-asks.ts";
import { findPeer, type Peer } from "./ask-holder.ts";
import { describeHolder, findHolder, type Holder, type HolderRecord, removeHolder, saveHolder } from "./holder.ts";
import { assertPrivate, listenLocally, removeSocket } from "./local-socket.ts";

/** A data folder that this process has, and no other. */
export interface Instance {
  /**
   * Answers what commands of this account ask of the store; returns what ends that, when they have their answers. Where
   * the file system takes no sockets, `onError` hears of it and commands cannot ask.
   */
  answer(store: Store, onError: (error: unknown) => void): Promise<() => Promise<void>>;
  /** Tells them what is known of this process only later. */
  announce(details: Pick<Holder, "url" | "repository">): Promise<void>;
  /** Takes away what was made in order to hold the folder, before it is released: what a failed restore does. */
  withdraw(): Promise<void>;
  /** Lets others have the folder. */
  release(): Promise<void>;
}

export interface HoldOptions {
  /** Absolute path of the data folder, which is made if missing. */
  readonly data: string;
  /** Words that the user typed behind `cairn`. */
  readonly command: string;
  readonly now: () => number;
  /** Hears once for whom this waits. */
  readonly onWait?: (holder: string) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** True for a restore: it may continue one that was begun, and marks a folder that it makes. */
  readonly restores?: boolean;
}

/** Milliseconds for a command that has the folder to be done, or a service to begin to answer. */
const WAIT_MS = 30_000;
const POLL_MS = 50;
/** Milliseconds of waiting that nobody need hear of. */
const SILENT_MS = 1_000;

/**
 * Takes a data folder for this process alone, or finds the process that has it and answers for it. Rejects with
 * UNAVAILABLE, naming the holder, when within WAIT_MS it neither lets go of the folder nor answers.
 */
export async function holdOrAsk(options: HoldOptions): Promise<{ instance: Instance } | { peer: Peer }> {
  const { data, onWait, signal } = options;
  const { folder, made } = await openFolder(options);
  for (let waited = 0; ; waited += POLL_MS) {
    const lock = tryFileLock(join(folder, LOCK));
    if (lock !== undefined) return { instance: await hold(options, folder, made, lock) };
    const peer = await findPeer(folder);
    if (peer !== undefined) return { peer };
    if (waited >= WAIT_MS) throw createInUse(data, await findHolder(folder));
    if (waited === SILENT_MS) onWait?.(describeHolder(await findHolder(folder)));
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Refuses a data folder that another process has. */
export function createInUse(data: string, holder: Holder | undefined): CairnError {
  const advice = "one process at a time can use a data folder, so stop that one, or name another folder with `--data`";
  return new CairnError("UNAVAILABLE", `\`${data}\` is in use by ${describeHolder(holder)}: ${advice}.`);
}

/**
 * Finds the process that serves a data folder; waits for one that is starting. `undefined` when no service answers, also
 * where a command has the folder.
 */
export async function findService(data: string): Promise<(Holder & { readonly url: string }) | undefined> {
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    const peer = await findPeer(toDataPaths(data).instance);
    if (peer === undefined) return undefined;
    const { url } = peer.holder;
    peer.close();
    if (url !== undefined) return { ...peer.holder, url };
    await sleep(POLL_MS);
  }
  return undefined;
}

/** Finds the process that uses a data folder at this moment; `undefined` for none. Waits for nobody, and makes nothing. */
export async function findUse(
  data: string,
): Promise<{ readonly holder: string; readonly answers: boolean } | undefined> {
  const folder = toDataPaths(data).instance;
  const path = join(folder, LOCK);
  if (!existsSync(path)) return undefined;
  const peer = await findPeer(folder);
  peer?.close();
  if (peer !== undefined) return { holder: describeHolder(peer.holder), answers: true };
  const lock = tryFileLock(path);
  if (lock === undefined) return { holder: describeHolder(await findHolder(folder)), answers: false };
  lock.release();
  return undefined;
}

/** A file that is there while a restore into the data folder has not come to its end. */
export function toRestoreMark(data: string): string {
  return join(toDataPaths(data).instance, MARK);
}

const MARK = "restoring";
const LOCK = "process.lock";

/** The instance's folder with the mark in it, before it gets its name and while it is taken away. */
function toUnfinished(data: string): string {
  return join(data, MARK);
}

/**
 * Makes the instance's folder where there is none: for its owner alone, also where the data folder itself is open to
 * others, as mounted volumes are. `made` is the first folder that a restore made.
 */
async function openFolder({ data, restores = false }: HoldOptions): Promise<{ folder: string; made?: string }> {
  const folder = toDataPaths(data).instance;
  let made: string | undefined;
  try {
    if (restores) made = makeMarked(data, folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await closeToOthers(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The data folder \`${data}\` cannot be used: ${reason}. Run this as the account that it belongs to.`;
    throw new CairnError("UNAVAILABLE", message, { cause });
  }
  await assertPrivate(folder);
  return made === undefined ? { folder } : { folder, made };
}

/**
 * Makes the instance's folder with the restore's mark already in it, so that a restore that is killed has left either an
 * empty folder or a marked one. Returns the first folder that it made; `undefined` where another process was first.
 */
function makeMarked(data: string, folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const unfinished = toUnfinished(data);
  // Right behind each other: nobody gets to see the data folder without anything in it.
  const first = mkdirSync(data, { recursive: true, mode: 0o700 });
  mkdirSync(unfinished, { mode: 0o700 });
  try {
    writeFileSync(join(unfinished, MARK), "", { mode: 0o600, flush: true });
    renameSync(unfinished, folder);
    return first ?? folder;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (existsSync(folder)) return undefined;
    throw error;
  }
}

/** Takes the folder away under the mark's name, and the folders above it that were made with it, as far as they are empty. */
async function takeAway(data: string, folder: string, made: string): Promise<void> {
  await rename(folder, toUnfinished(data));
  await rm(toUnfinished(data), { recursive: true });
  for (let path = data; path.length >= made.length; path = dirname(path)) {
    const isGone = await rmdir(path).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

async function hold(options: HoldOptions, folder: string, made: string | undefined, lock: FileLock): Promise<Instance> {
  const { data, command, now, restores = false } = options;
  try {
    if (!restores && [toRestoreMark(data), toUnfinished(data)].some((path) => existsSync(path))) {
      const message = `A restore into \`${data}\` was cut short; empty the folder and restore again.`;
      throw new CairnError("UNAVAILABLE", message);
    }
    const since = new Date(now()).toISOString();
    const secret = randomBytes(32).toString("base64url");
    let isHeld = true;
    let record: HolderRecord = { command, pid: process.pid, host: hostname(), since, secret };
    // What the last holder left, if it was killed.
    await Promise.all([removeSocket(folder), removeHolder(folder)]);
    await saveHolder(folder, record);
    return Object.freeze<Instance>({
      async answer(store, onError) {
        const answerer = createAnswerer({ store, secret, onError });
        const server = await listenLocally(folder, answerer.take).catch(onError);
        return async () => {
          server?.close();
          await removeSocket(folder);
          await answerer.settled();
        };
      },
      async announce(details) {
        record = { ...record, ...details };
        await saveHolder(folder, record);
      },
      async withdraw() {
        if (made !== undefined) await takeAway(data, folder, made);
      },
      async release() {
        // The next holder's record is not ours to remove.
        if (!isHeld) return;
        isHeld = false;
        await removeHolder(folder);
        lock.release();
      },
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}
