import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toDataPaths } from "../config/data-folder.ts";
import { CairnError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { createInPlace, UNFINISHED } from "../versions/git/create-in-place.ts";
import type { Git } from "../versions/git/git.ts";
import { copyAtRest, copyTree, describeTree, flush, flushFolders, toFailure } from "./copy-files.ts";
import { copyRepository, type RepositoryCopy } from "./copy-repository.ts";
import { DATA_PART, type Manifest, saveManifest } from "./manifest.ts";

export interface BackupOptions {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Absolute path of the backup: not there yet, or an empty folder. */
  readonly target: string;
  /** The data folder's store, opened by this process or asked of the one that has it. */
  readonly store: Store;
  /** Opens a copy of the store, to see that it is whole. */
  readonly openCopy: (directory: string) => Promise<Store>;
  readonly git: Git;
  readonly now: () => number;
  /** The release of Cairn that makes it. */
  readonly release: string;
  /** Hears again and again how far this has come. */
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Makes a backup of a data folder, of a running service as well as of a stopped one, and looks whether the copy of its
 * store is whole. It appears under its name when it is complete; a failure leaves nothing.
 *
 * The store is copied as of one moment. The repositories are copied before that, which may take long, and brought up to
 * date right before and right after it, which does not: so they hold everything that the store refers to, also what a run
 * that ended meanwhile had committed, and are ahead of it by hardly more than a service that is killed leaves them. A
 * service goes on from there as it does after a crash.
 */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { target, signal } = options;
  await assertFree(options);
  let manifest: Manifest | undefined;
  try {
    await createInPlace(target, async (folder) => {
      manifest = await fill(options, folder);
      signal.throwIfAborted();
    });
    await flush(join(target, ".."));
  } catch (error) {
    if (signal.aborted) throw new CairnError("CANCELLED", "The backup was stopped; nothing of it is left.");
    throw toFailure(`The backup into \`${target}\``, error);
  }
  if (manifest === undefined) throw new TypeError("a backup was made without its manifest");
  return manifest;
}

/** Milliseconds between looks at how much of the store is copied. */
const LOOK_MS = 20;

async function assertFree({ data, target }: BackupOptions): Promise<void> {
  const inside = relative(data, target);
  if (inside === "" || !inside.startsWith("..")) {
    throw new CairnError("BAD_REQUEST", `\`${target}\` lies in the data folder; a backup must be somewhere else.`);
  }
  const there = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new CairnError("BAD_REQUEST", `\`${target}\` cannot be the folder of a backup: ${error.message}.`);
  });
  if (there.length === 0) return;
  throw new CairnError("BAD_REQUEST", `\`${target}\` is not empty; name a new folder for each backup.`);
}

async function fill(options: BackupOptions, folder: string): Promise<Manifest> {
  const { data, git, now, release, onProgress, signal } = options;
  const begunAt = new Date(now()).toISOString();
  const copy = join(folder, DATA_PART);
  const [from, to] = [toDataPaths(data), toDataPaths(copy)];
  await mkdir(copy, { mode: 0o700 });

  const names = await readdir(data);
  const repositories = ([from.origin, from.mirror] as const).filter((path) => names.includes(basename(path)));
  const copyRepositories = async (how: Omit<RepositoryCopy, "signal">) => {
    for (const path of repositories) {
      const name = basename(path);
      onProgress(`copying \`${name}\``);
      await copyRepository(git, path, join(copy, name), { ...how, signal });
    }
  };
  await copyRepositories({ isNew: true });
  await copyRepositories({});
  await copyStore(options, to.store, () => copyRepositories({ keepsRuns: true }));

  const { store, storePlace, instance, workspaces, previews, workers } = from;
  // A backup has its store in its folder, wherever that was; what workers have beside it, they make again.
  const apart = new Set(
    [store, storePlace, instance, workspaces, previews, workers, ...repositories].map((path) => basename(path)),
  );
  const leftOut: string[] = [];
  const say = (what: string) => (path: string) => {
    signal.throwIfAborted();
    onProgress(`${what} \`${path}\``);
  };
  for (const name of names.filter((one) => !apart.has(one) && !UNFINISHED.test(one))) {
    leftOut.push(...(await copyTree(data, copy, name, say("copying"))));
  }
  if (names.includes(basename(from.workspaces))) {
    await mkdir(to.workspaces, { mode: 0o700 });
    for (const name of await readdir(from.workspaces)) {
      leftOut.push(...(await copyAtRest(from.workspaces, to.workspaces, name, say("copying the workspace"))));
    }
  }
  const findings = await checkCopy(options, to.store);
  const entries = await describeTree(copy, say("reading again"));
  const endedAt = new Date(now()).toISOString();
  const manifest = { schemaVersion: 1, cairn: release, begunAt, endedAt, findings, leftOut, entries } as const;
  await saveManifest(folder, manifest);
  await flushFolders(folder);
  return manifest;
}

/** Copies the store, and calls `onBegun` once the moment that the copy is of is over. */
async function copyStore(
  { store, onProgress }: BackupOptions,
  directory: string,
  onBegun: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const copying = store.admin.backup(directory).finally(() => over.abort());
  const following = (async () => {
    // An engine begins to write once it has its view of the data.
    while (!over.signal.aborted && (await countBytes(directory)) === 0) await sleep(LOOK_MS);
    await onBegun();
    while (!over.signal.aborted) {
      onProgress(`copying the store: ${await countBytes(directory)} bytes`);
      await sleep(LOOK_MS);
    }
  })();
  const [copied, followed] = await Promise.allSettled([copying, following]);
  if (copied.status === "rejected") throw copied.reason;
  if (followed.status === "rejected") throw followed.reason;
}

async function countBytes(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Lists faults of the copy. An engine that has opened it leaves files, which are no part of it. */
async function checkCopy({ openCopy, onProgress }: BackupOptions, directory: string): Promise<readonly string[]> {
  onProgress("looking whether the copy of the store is whole");
  const own = await readdir(directory);
  const store = await openCopy(directory);
  try {
    return await store.admin.check();
  } finally {
    await store.admin.close();
    for (const name of await readdir(directory)) if (!own.includes(name)) await rm(join(directory, name));
  }
}
