import { createHash } from "node:crypto";
import type { LogEntry } from "../../../server/store/store.ts";

/** Verifies a whole log the way a stranger would, with nothing of the server's; returns what the entries say. */
export function readChain(entries: readonly LogEntry[]): unknown[] {
  let prev = "0000000000000000000000000000000000000000000000000000000000000000";
  return entries.map(({ seq, bytes, hash }, index) => {
    const link: { entry: unknown; prev: unknown; seq: unknown } = JSON.parse(Buffer.from(bytes).toString());
    const actual = createHash("sha256").update(bytes).digest("hex");
    if (actual !== hash || link.prev !== prev || link.seq !== index || seq !== index) {
      throw new Error(`the chain is broken at entry ${index}`);
    }
    prev = hash;
    return link.entry;
  });
}
