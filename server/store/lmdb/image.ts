import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { splitKey } from "../key-codec.ts";
import type { ImageItem, StoreImage } from "../store-image.ts";
import { NOTHING, putEntry, readRecord } from "./entries.ts";
import type { Tables } from "./environment.ts";
import { assertEmpty } from "./backup.ts";
import { ID_BYTE, isCallersKey, REV_COUNTER, toIdKey } from "./layout.ts";
import { openGated } from "./lmdb.ts";
import { putLink, readLogRow } from "./log.ts";
import { markClean } from "./start-gate.ts";
import { pages } from "./pages.ts";
import { DATA_FILE } from "./root.ts";

const EVERYTHING = { start: Buffer.of(0), end: Buffer.of(0xff) };

/** Opens the store in a folder, which is made if missing, as an image. */
export async function openLmdbImage(directory: string): Promise<StoreImage> {
  const { environment, lock } = await openGated(directory);
  const { tables } = environment;

  async function* items(): AsyncGenerator<ImageItem> {
    for await (const page of pages(environment, "entries", EVERYTHING, ({ key, value }) => ({
      key,
      record: readRecord(key, value),
    }))) {
      for (const { key, record } of page) {
        if (isCallersKey(key)) yield { kind: "entry", key, record };
        else if (key[0] === ID_BYTE) {
          const result = JSON.parse(record.body.toString());
          yield { kind: "result", id: key.subarray(1), result, until: record.expiresAt };
        }
      }
    }
    const toItem = (row: { key: Buffer; value: Buffer }): ImageItem => {
      return { kind: "link", log: splitKey(row.key).parent, link: readLogRow(row) };
    };
    for await (const page of pages(environment, "logs", EVERYTHING, toItem)) yield* page;
  }

  return Object.freeze<StoreImage>({
    items,
    async lastRev() {
      const bytes = environment.snapshot(() => tables.entries.get(REV_COUNTER));
      return bytes === undefined ? 0 : readRecord(REV_COUNTER, bytes).rev;
    },
    put: (some) => environment.transact(() => some.forEach((item) => put(tables, item))),
    setRev: (rev) =>
      environment.transact(() => putEntry(tables, REV_COUNTER, { rev, expiresAt: 0, leasedUntil: 0, body: NOTHING })),
    // The folder gets its name when it is whole.
    finish: async () => undefined,
    async close() {
      const isReleased = await environment.close();
      await markClean(directory);
      if (isReleased) lock.release();
    },
  });
}

/** Opens an image for a backup, which is LMDB's file alone once it is closed. */
export async function openLmdbCopy(directory: string): Promise<StoreImage> {
  await assertEmpty(directory);
  const image = await openLmdbImage(directory);
  return Object.freeze<StoreImage>({
    ...image,
    async close() {
      await image.close();
      for (const name of await readdir(directory)) if (name !== DATA_FILE) await rm(join(directory, name));
    },
  });
}

function put(tables: Tables, item: ImageItem): void {
  if (item.kind === "entry") putEntry(tables, item.key, item.record);
  else if (item.kind === "link") putLink(tables, item.log, item.link);
  else {
    const body = Buffer.from(JSON.stringify(item.result));
    putEntry(tables, toIdKey(item.id), { rev: 0, expiresAt: item.until, leasedUntil: 0, body });
  }
}
