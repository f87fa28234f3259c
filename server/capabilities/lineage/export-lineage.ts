import { createHash } from "node:crypto";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { toFolderName } from "../../kernel/audit/verify/folder-name.ts";
import { CairnError } from "../../errors.ts";
import type { LineageEntry, LineageExport } from "./api.ts";
import { createSerial } from "../../serial.ts";

/** Files that one server of one tenant may keep; the operator takes them away. */
const EXPORT_LIMIT = 1_000;

/** Names of exported files, and of the folders above them. */
export const EXPORT_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;
/** Entries written at a stretch. */
const BATCH = 1_000;
/** Workers of one service write to one folder. */
const UNFINISHED = `.unfinished-${process.pid}`;

export type ExportLineage = (
  folder: string,
  name: string,
  entries: AsyncIterable<LineageEntry>,
) => Promise<LineageExport>;

/** Files that the tools of one server and scope have written out for a tenant. */
export interface ExportArea {
  readonly tenant: string;
  readonly server: string;
  readonly scope: string;
}

/** Names the folder of an area. */
export function toExportFolder(exports: string, { tenant, server, scope }: ExportArea): string {
  return join(exports, toFolderName(tenant), server, scope);
}

/**
 * Writes number, checksum and time of `entries` as a JSON array into the file `name` of `folder`, and its checksum. The
 * file is there whole or not at all. One export is written at a time. Its form, to the byte, is in docs/beliefs.md.
 */
export function createExportLineage(): ExportLineage {
  const inTurn = createSerial();
  return (folder, name, entries) => inTurn(() => exportInto(folder, name, entries));
}

async function exportInto(folder: string, name: string, entries: AsyncIterable<LineageEntry>): Promise<LineageExport> {
  if (!EXPORT_NAME.test(name)) {
    throw new CairnError(
      "BAD_REQUEST",
      "`path` must be the name of a file in the export area: up to 100 letters, digits, dots, dashes and underscores, " +
        "such as `lineage.json`, and no folder.",
    );
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const present = (await readdir(folder)).filter((one) => EXPORT_NAME.test(one));
  if (!present.includes(name) && present.length >= EXPORT_LIMIT) {
    throw new CairnError("CONFLICT", `The export area holds ${EXPORT_LIMIT} files; its operator must remove some.`);
  }
  const unfinished = join(folder, UNFINISHED);
  try {
    const written = await writeEntries(unfinished, entries);
    await rename(unfinished, join(folder, name));
    await flushFolder(folder);
    return written;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function writeEntries(path: string, entries: AsyncIterable<LineageEntry>): Promise<LineageExport> {
  const file = await open(path, "w", 0o600);
  try {
    const digest = createHash("sha256");
    const write = async (text: string) => {
      digest.update(text);
      await file.writeFile(text);
    };
    let count = 0;
    let lines: string[] = [];
    await write("[");
    for await (const { seq, checksum, at } of entries) {
      const line = JSON.stringify({ seq, checksum, timestamp: new Date(at).toISOString() });
      lines.push(`${count === 0 ? "" : ","}\n${line}`);
      count += 1;
      if (lines.length < BATCH) continue;
      await write(lines.join(""));
      lines = [];
    }
    await write(`${lines.join("")}\n]\n`);
    await file.sync();
    return { checksum: digest.digest("hex"), entries: count };
  } finally {
    await file.close();
  }
}

/** A name is on the disk once its folder is. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
