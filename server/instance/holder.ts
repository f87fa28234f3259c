import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isObject } from "../json/is-object.ts";

/** The process that has a data folder, as it says of itself. */
export interface Holder {
  /** Words that the user typed behind `cairn`, such as `serve` or `audit export`. */
  readonly command: string;
  readonly pid: number;
  /** Name of the machine or container, in which alone the process id means something. */
  readonly host: string;
  /** RFC 3339. */
  readonly since: string;
  /** Address of the service, once it listens. */
  readonly url?: string;
  /** Repository that the service serves, without any password. */
  readonly repository?: string;
}

/** The holder as it is written down for others of its account. */
export interface HolderRecord extends Holder {
  /** Proves that its bearer can read the folder. */
  readonly secret: string;
}

const FILE = "holder.json";

/** Writes down who has the folder, in one step. */
export async function saveHolder(folder: string, record: HolderRecord): Promise<void> {
  const path = join(folder, FILE);
  try {
    await writeFile(`${path}.new`, `${JSON.stringify({ schemaVersion: 1, ...record })}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    // A service must start on a full disk; without a record it cannot be asked, and its lock holds all the same.
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    await removeHolder(folder);
  }
}

export async function removeHolder(folder: string): Promise<void> {
  await rm(join(folder, FILE), { force: true });
}

/** Finds the record of the last holder, which may have ended since; `undefined` when it cannot be read. */
export async function findHolder(folder: string): Promise<HolderRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, FILE), "utf8"));
    return isHolderRecord(value) ? value : undefined;
  } catch {
    // Not written yet, of another account, or of a newer Cairn: there is a holder all the same.
    return undefined;
  }
}

/** The holder for an error message; one that has ended is not named, since somebody else has the folder now. */
export function describeHolder(holder: Holder | undefined): string {
  if (holder === undefined || !mayBeAlive(holder)) return "another process";
  const { command, pid, host, since } = holder;
  const where = host === hostname() ? "" : ` on ${host}`;
  return `\`cairn ${command}\` (process ${pid}${where}, since ${since})`;
}

function mayBeAlive({ pid, host }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function isHolderRecord(value: unknown): value is HolderRecord {
  if (!isObject(value)) return false;
  const { pid, url = "", repository = "", command, host, since, secret } = value;
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    [url, repository, command, host, since, secret].every((text) => typeof text === "string")
  );
}
