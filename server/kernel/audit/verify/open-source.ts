import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { readFolderName } from "./folder-name.ts";
import { createLines } from "./lines.ts";
import type { LogSource } from "./verify-log.ts";

/** Names of the parts of a log, as files and as addresses. */
export const PARTS = {
  checkpoint: "checkpoint",
  checkpoints: "checkpoints.jsonl",
  entries: "entries.jsonl",
  records: "records.jsonl",
} as const;

/** Says where the next page of a part begins; the last page has none. */
export const NEXT_HEADER = "cairn-next";

/** The logs in a folder that was exported: it is one, or has one folder for each. */
export async function openFolders(folder: string): Promise<readonly LogSource[]> {
  const path = resolve(folder);
  const names = (await isLog(path)) ? [path] : (await readdir(path)).sort().map((name) => join(path, name));
  const logs = [];
  for (const log of names) {
    const tenant = readFolderName(basename(log));
    if (tenant !== undefined && (await isLog(log))) logs.push(await openFolder(log, tenant));
  }
  return logs;
}

/** The log at an address such as `https://cairn.example/audit/acme`, of the tenant that `token` belongs to. */
export async function openAddress(address: string, token: string | undefined): Promise<LogSource> {
  const base = address.replace(/\/+$/, "");
  const ask = (part: string) =>
    fetch(`${base}/${part}`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  const checkpoint = (await readPage(await ask(PARTS.checkpoint))).toString();
  // More may have come since: only what the checkpoint vouches for is asked for.
  const size = checkpoint.split("\n")[1] ?? "0";
  const open = (part: string) => createLines(pages(part));
  return {
    tenant: readFolderName(base.slice(base.lastIndexOf("/") + 1)) ?? "",
    checkpoint,
    checkpoints: open(PARTS.checkpoints),
    entries: open(PARTS.entries),
    records: open(PARTS.records),
  };

  async function* pages(part: string): AsyncGenerator<Uint8Array> {
    for (let from: string | null = "0"; from !== null;) {
      const response: Response = await ask(`${part}?from=${from}&to=${size}`);
      yield await readPage(response);
      from = response.headers.get(NEXT_HEADER);
    }
  }
}

/** Opens a folder, in which a missing file reads as empty: its absence will be the finding. */
async function openFolder(path: string, tenant: string): Promise<LogSource> {
  const open = async (part: string) => {
    const file = join(path, part);
    return createLines((await isFile(file)) ? createReadStream(file, { highWaterMark: CHUNK }) : noChunks());
  };
  return {
    tenant,
    checkpoint: await readFile(join(path, PARTS.checkpoint), "utf8").catch(() => ""),
    checkpoints: await open(PARTS.checkpoints),
    entries: await open(PARTS.entries),
    records: await open(PARTS.records),
  };
}

const CHUNK = 1024 * 1024;

async function* noChunks(): AsyncGenerator<Uint8Array> {}

function isLog(path: string): Promise<boolean> {
  return isFile(join(path, PARTS.checkpoint));
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

async function readPage(response: Response): Promise<Buffer> {
  if (response.ok) return Buffer.from(await response.arrayBuffer());
  throw new Error(`${response.url} answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
}
