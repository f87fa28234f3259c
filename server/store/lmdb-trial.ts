import { statSync } from "node:fs";
import { join } from "node:path";
import { ABORT, type Database } from "lmdb";
import { decodeRecord } from "./stored-record.ts";
import { DATA_FILE, openRoot, TABLE_NAMES, TABLE_OPTIONS } from "./lmdb-root.ts";

// A program: reads the store in the directory that its argument names, changes nothing, and ends with 0 if it lived to
// tell. Whatever else ends it would have ended the service.

const [directory = ""] = process.argv.slice(2);
const root = openRoot(directory);
const { lastPageNumber = Infinity, pageSize = 1 }: { lastPageNumber?: number; pageSize?: number } = root.getStats();
const isShort = statSync(join(directory, DATA_FILE)).size < (lastPageNumber + 1) * pageSize;
const existing = { ...TABLE_OPTIONS, create: false };

for (const name of TABLE_NAMES) {
  const table: Database<Buffer, Buffer> | undefined = root.openDB(name, existing);
  // This visits every page of the tree, but none of a large value. A short file may lack some of those, or only pages
  // that were given back before they were ever written; reading the values tells.
  table?.getKeysCount();
  for (const { key, value } of (isShort && table?.getRange()) || []) {
    if (value.length > 0 && decodeRecord(key, value) === undefined)
      throw new Error("the file lacks a part of a record");
  }
}
root.transactionSync(() => {
  // Looks for a free page, as the first commit will.
  root.put(Buffer.of(0), Buffer.alloc(pageSize));
  return ABORT;
});
