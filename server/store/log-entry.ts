import { isObject } from "../json/is-object.ts";
import { readJson } from "../json/read-json.ts";

/**
 * Reads the appended value from the bytes of a log's entry, without the store's link around it. The appender checks the
 * value.
 */
export function readLogEntry(bytes: Uint8Array): unknown {
  const link = readJson(Buffer.from(bytes).toString());
  return isObject(link) ? link["entry"] : undefined;
}
