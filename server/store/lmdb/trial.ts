import { statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ABORT, type Database } from "lmdb";
import { tryFileLock } from "../file-lock.ts";
import { decodeRecord } from "../stored-record.ts";
import { DATA_FILE, openRoot, PROCESS_LOCK, TABLE_NAMES, TABLE_OPTIONS } from "./root.ts";
import { TRIAL_BEGUN, TRIAL_EXIT } from "./start-gate.ts";

// A program: reads the store in the directory that its argument names, and ends with 0 if it lived to tell. Whatever else
// ends it would have ended the service. It holds the store's lock, since LMDB's file must not be open beside it: it needs
// a transaction that could write, which it aborts, to see what the first commit will look at.

/** Ends this process when standard input does, which is with the process that started it; reading blocks the main thread. */
const END_WITH_PARENT = `
  const { Socket } = require("node:net");
  new Socket({ fd: 0 }).on("close", () => process.kill(process.pid, "SIGKILL")).resume();
`;

const [directory = ""] = process.argv.slice(2);
new Worker(END_WITH_PARENT, { eval: true }).unref();
try {
  if (tryFileLock(join(directory, PROCESS_LOCK)) === undefined) process.exit(TRIAL_EXIT.IN_USE);
  writeSync(1, TRIAL_BEGUN);
  readEverything();
} catch (error) {
  if (isDamage(error)) throw error;
  writeSync(2, `${String(error)}\n`);
  process.exit(TRIAL_EXIT.NOT_TRIED);
}
process.exit(TRIAL_EXIT.READABLE);

function readEverything(): void {
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
}

/** LMDB's own findings have negative numbers. The system's have positive ones, Node's have names: no memory, no rights. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return true;
  return typeof error.code === "number" && error.code < 0;
}
