import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { Store } from "../../store/store.ts";
import { loadTree, scanCheckpoints } from "./checkpoints.ts";
import { readWithRecords, toRecordLine } from "./read-log.ts";
import { toFolderName } from "./verify/folder-name.ts";
import { PARTS } from "./verify/open-source.ts";

/**
 * Writes a tenant's log as far as its checkpoint vouches for it into a folder of the tenant's name below `folder`;
 * answers with how many entries that are, and tells `onEntry` each time how many are written. What it writes is not
 * judged: that is for `verifyLog`.
 */
export async function exportLog(
  store: Store,
  tenant: string,
  folder: string,
  onEntry: (written: number) => void = () => undefined,
): Promise<number> {
  const target = join(folder, toFolderName(tenant));
  const { size, checkpoint } = await loadTree(store, tenant);
  await mkdir(target, { recursive: true, mode: 0o700 });
  const open = (part: string) => createWriteStream(join(target, part), { mode: 0o600 });
  const records = open(PARTS.records);
  let written = 0;

  async function* lines(): AsyncGenerator<string> {
    for await (const entry of readWithRecords(store, tenant, { from: 0, to: size })) {
      for (const record of entry.records) {
        if (!records.write(`${toRecordLine(record)}\n`)) await once(records, "drain");
      }
      written += 1;
      onEntry(written);
      yield `${Buffer.from(entry.bytes).toString()}\n`;
    }
  }

  await pipeline(Readable.from(lines()), open(PARTS.entries));
  records.end();
  await finished(records);
  await pipeline(Readable.from(toLines(scanCheckpoints(store, tenant))), open(PARTS.checkpoints));
  await writeFile(join(target, PARTS.checkpoint), checkpoint, { mode: 0o600 });
  return written;
}

async function* toLines(notes: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const note of notes) yield `${JSON.stringify(note)}\n`;
}
