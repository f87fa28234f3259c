import { statfs } from "node:fs/promises";

/** Bytes below which there is little room, for people to know in time; and below which a write hardly succeeds. */
export const LOW_BYTES = 1024 * 2 ** 20;
const FULL_BYTES = 2 ** 20;

/** Room on the disk of a folder. */
export interface DiskRoom {
  /** Bytes that this account may still write. */
  readonly free: number;
  /** True where neither a file nor the store can grow: a write may then succeed or fail by chance. */
  readonly isFull: boolean;
}

/** Loads how much room the disk of a folder has. */
export async function loadDiskRoom(folder: string): Promise<DiskRoom> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  const free = bavail * bsize;
  // Some file systems count no files.
  return { free, isFull: free < FULL_BYTES || (files > 0 && ffree === 0) };
}

/** Names bytes in MiB. */
export function showRoom({ free }: DiskRoom): string {
  return `${Math.floor(free / 2 ** 20)} MiB`;
}
