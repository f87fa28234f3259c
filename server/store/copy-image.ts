import { CairnError } from "../errors.ts";
import { findBreak, type Link } from "./hash-chain.ts";
import type { ImageItem, StoreImage } from "./store-image.ts";

/** Counts of what was copied. */
export interface CopiedItems {
  readonly entries: number;
  readonly links: number;
  readonly results: number;
}

/** Items of one write, and their bytes. */
const BATCH_ITEMS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Writes items as they are into a store at rest. `onProgress` hears again and again how far this has come. */
export async function copyImage(
  items: AsyncIterable<ImageItem>,
  to: Pick<StoreImage, "put">,
  onProgress: (text: string) => void,
): Promise<CopiedItems> {
  const counts = { entry: 0, link: 0, result: 0 };
  let batch: ImageItem[] = [];
  let bytes = 0;
  const flush = async () => {
    await to.put(batch);
    batch = [];
    bytes = 0;
    onProgress(`${counts.entry} entries and ${counts.link} links of logs so far`);
  };
  for await (const item of items) {
    counts[item.kind]++;
    bytes += item.kind === "entry" ? item.record.body.length : item.kind === "link" ? item.link.bytes.length : 0;
    batch.push(item);
    if (batch.length >= BATCH_ITEMS || bytes >= BATCH_BYTES) await flush();
  }
  await flush();
  return { entries: counts.entry, links: counts.link, results: counts.result };
}

/** Passes on items, and refuses a log that is not whole: a copy would make it look as if it was always so. @throws CONFLICT */
export async function* refuseBreaks(items: AsyncIterable<ImageItem>): AsyncGenerator<ImageItem> {
  const heads = new Map<string, Link>();
  for await (const item of items) {
    if (item.kind === "link") {
      const log = item.log.toString("latin1");
      const broken = findBreak(heads.get(log), item.link);
      if (broken !== undefined) {
        throw new CairnError(
          "CONFLICT",
          `A log is not whole at entry ${item.link.seq}: ${broken}. Restore a backup first.`,
        );
      }
      heads.set(log, item.link);
    }
    yield item;
  }
}
