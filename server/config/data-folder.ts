import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { quoteShell } from "../text/quote-shell.ts";

/** Paths of the parts of a data folder. The audit's key lies beside these. */
export interface DataPaths {
  /** The store. */
  readonly store: string;
  /** Record of the database that the store is in, where it is in one. */
  readonly storePlace: string;
  /** Record of the process that has the data folder, and of the socket that answers for it. */
  readonly instance: string;
  /** The copy of the repository that versions are served from. */
  readonly mirror: string;
  /** The repository itself, of a service that was given none. */
  readonly origin: string;
  /** A folder for each run that works on files. */
  readonly workspaces: string;
  /** The folder of what previews keep as long as they are open. */
  readonly previews: string;
  /** The folder of what handlers write out for people. */
  readonly exports: string;
  /** A folder for each worker but the first, with parts as these. */
  readonly workers: string;
}

/** Parts of the data folder at an absolute path that more than one part of Cairn knows. */
export function toDataPaths(data: string): DataPaths {
  return {
    store: join(data, "store"),
    storePlace: join(data, "store.json"),
    instance: join(data, "instance"),
    mirror: join(data, "mirror.git"),
    origin: join(data, "origin.git"),
    workspaces: join(data, "workspaces"),
    previews: join(data, "previews"),
    exports: join(data, "exports"),
    workers: join(data, "workers"),
  };
}

/**
 * Finds how a data folder is open to other accounts, with the command that closes it; `undefined` where it is closed. What Cairn makes
 * there is closed to them; what else lies in it is not, and with the right to write they could put other parts in the place of these.
 */
export async function findOpening(
  data: string,
): Promise<{ readonly mode: string; readonly command: string } | undefined> {
  const { uid, mode } = await stat(data);
  // One of another account is a volume that this account has by its group.
  const isOwn = uid === process.geteuid?.();
  if ((mode & (isOwn ? 0o077 : 0o007)) === 0) return undefined;
  const command = `chmod ${isOwn ? "700" : "o-rwx"} ${quoteShell(data)}`;
  return { mode: (mode & 0o777).toString(8).padStart(4, "0"), command };
}

/** Closes a folder of this account to all others; nothing happens where there is none, or where it is another account's. */
export async function closeToOthers(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (found === undefined || found.uid !== process.geteuid?.() || (found.mode & 0o077) === 0) return;
  await chmod(folder, 0o700);
}
