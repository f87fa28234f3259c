import type { StateKey } from "../../host-api.ts";
import type { Json } from "../../json/types.ts";
import { findStoredValue } from "../../versions/stored-value.ts";
import type { Server } from "../../versions/version.ts";

/** Finds why a value is not of the form that a server's manifest gives to its key, in a sentence. */
export function findMisfit(server: Server | undefined, key: StateKey, value: Json): string | undefined {
  const form = server?.values && findStoredValue(server.values, key);
  const [violation] = form?.check(value, "first") ?? [];
  if (server === undefined || form === undefined || violation === undefined) return undefined;
  const pattern = JSON.stringify(form.key);
  return `The value under \`${JSON.stringify(key)}\` does not fit the schema of \`${pattern}\` in \`${server.file}\`: ${violation.message}.`;
}
