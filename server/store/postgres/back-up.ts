import { copyImage } from "../copy-image.ts";
import type { StoreImage } from "../store-image.ts";
import type { Connection } from "./connection.ts";
import { toUnavailable } from "./errors.ts";
import { listItems, loadLastRev } from "./list-items.ts";
import type { Read } from "./scan.ts";
import { STATEMENTS } from "./statements.ts";

/** Copies the tables as of one moment into a new store, beside the normal work, over a connection that nobody else uses. */
export async function backUp(connection: Connection, openCopy: () => Promise<StoreImage>): Promise<void> {
  try {
    await connection.use(async (query) => {
      const read: Read = (run) => run(query);
      await query(STATEMENTS.beginSnapshot);
      // The first look takes the snapshot. Whoever watches the folder must not see a file before.
      const rev = await loadLastRev(read);
      const copy = await openCopy();
      try {
        await copyImage(listItems(read), copy, () => undefined);
        await copy.setRev(rev);
        await copy.finish();
      } finally {
        await copy.close();
      }
      await query(STATEMENTS.rollback);
    });
  } catch (cause) {
    throw toUnavailable("be backed up", cause);
  }
}
