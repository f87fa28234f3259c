import type { Json } from "../../store/store.ts";

/** What of a value crosses to the handler: members that are undefined, which JSON has not, are left out. */
export function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
