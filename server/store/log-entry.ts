import { isObject } from "../json/is-object.ts";
import { readJson } from "../json/read-json.ts";

/** What was appended, of the bytes of a log's entry: without the store's own link around it. Whoever appended it checks it. */
export function readLogEntry(bytes: Uint8Array): unknown {
  const link = readJson(Buffer.from(bytes).toString());
  return isObject(link) ? link["entry"] : undefined;
}
