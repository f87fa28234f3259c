import { readFile } from "node:fs/promises";

const MEGABYTE = 1024 * 1024;

/** Megabytes that a service's main process has in memory; `pid` may be its launcher's. */
export function residentMegabytes(pid: number): Promise<number> {
  return readMegabytes(pid, "VmRSS");
}

/** The same without files that are mapped into it: a store that grows is on the disk. */
export function anonymousMegabytes(pid: number): Promise<number> {
  return readMegabytes(pid, "RssAnon");
}

async function readMegabytes(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${await findService(pid)}/status`, "utf8");
  const [, kilobytes = ""] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  return (Number(kilobytes) * 1024) / MEGABYTE;
}

async function findService(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  for (const child of children.trim().split(" ").filter(Boolean)) {
    const command = await readFile(`/proc/${child}/cmdline`, "utf8");
    if (command.includes("cairn.mjs")) return Number(child);
  }
  return pid;
}
